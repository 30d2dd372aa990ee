// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Giving memory back and getting it again, 512 pages a call, by page; and pinning a tree of page
 * tables: an L4, L3, L2 and TABLES L1 tables full of writable entries. Two rows come from one run,
 * in which their steps alternate.
 */
#include "tiny_bench.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define BATCH 512u
#define BATCHES 4u
#define TABLES 4u
#define ENTRIES 512u
#define PINS 4u

static uint64_t populate_took, unpin_took;
static uint64_t frames[BATCH], numbers[BATCH];
static mfn_t top;

static long reserve(unsigned int command, uint64_t *list)
{
	struct xen_memory_reservation reservation = { .nr_extents = BATCH, .domid = DOMID_SELF };

	set_xen_guest_handle(reservation.extent_start, list);
	return hypercall2(__HYPERVISOR_memory_op, command, (uint64_t)&reservation);
}

/* The last frames of the domain, which nothing maps. */
static long decrease_reservation(uint64_t *elapsed)
{
	unsigned int batch, i;
	uint64_t start, middle;
	long done;

	*elapsed = populate_took = 0;
	for (i = 0; i < BATCH; i++) {
		numbers[i] = tiny_start_info->nr_pages - BATCH + i;
		frames[i] = pfn_to_mfn(pfn(numbers[i])).n;
	}
	for (batch = 0; batch < BATCHES; batch++) {
		start = tsc_now();
		done = reserve(XENMEM_decrease_reservation, frames);
		middle = tsc_now();
		if (done != BATCH)
			return done < 0 ? done : -XEN_ENOMEM;
		memcpy(frames, numbers, sizeof(frames));
		*elapsed += middle - start;
		start = tsc_now();
		done = reserve(XENMEM_populate_physmap, frames);
		populate_took += tsc_now() - start;
		if (done != BATCH)
			return done < 0 ? done : -XEN_ENOMEM;
	}
	for (i = 0; i < BATCH; i++)
		((uint64_t *)tiny_start_info->mfn_list)[numbers[i]] = frames[i];
	return 0;
}

static long populate_physmap(uint64_t *elapsed)
{
	*elapsed = populate_took;
	return populate_took ? 0 : -XEN_ENOSYS;
}

static long pin(unsigned int command)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = top.n };

	return hv_mmuext_op(&op, 1, NULL);
}

static long pin_tree(uint64_t *elapsed)
{
	uint64_t start;
	unsigned int i;
	long rc = 0;

	*elapsed = unpin_took = 0;
	for (i = 0; i < PINS && !rc; i++) {
		start = tsc_now();
		rc = pin(MMUEXT_PIN_L4_TABLE);
		*elapsed += tsc_now() - start;
		start = tsc_now();
		if (!rc)
			rc = pin(MMUEXT_UNPIN_TABLE);
		unpin_took += tsc_now() - start;
	}
	return rc;
}

static long unpin_tree(uint64_t *elapsed)
{
	*elapsed = unpin_took;
	return 0;
}

/* Links TABLE, read-only from now on, into the entry of its parent. */
static long hang(uint64_t *entry, const uint64_t *table)
{
	*entry = make_pte(virt_to_mfn(table), PTE_USER_TABLE);
	return page_set_readonly(table);
}

static const char *prepare(void)
{
	uint64_t *l4 = page_alloc(), *l3 = page_alloc(), *l2 = page_alloc(), *l1;
	uint64_t leaf = make_pte(virt_to_mfn(page_alloc()), PTE_KERNEL_RW | PTE_USER);
	unsigned int i, j;
	long rc = 0;

	for (i = 0; i < TABLES; i++) {
		l1 = page_alloc();
		for (j = 0; j < ENTRIES; j++)
			l1[j] = leaf;
		rc |= hang(&l2[i], l1);
	}
	rc |= hang(&l3[0], l2) | hang(&l4[0], l3) | page_set_readonly(l4);
	top = virt_to_mfn(l4);
	return rc ? "cannot make page tables" : NULL;
}

static const struct bench_row rows[] = {
	{ "decrease_reservation", decrease_reservation, BATCH *BATCHES },
	{ "populate_physmap", populate_physmap, BATCH *BATCHES },
	{ "pin_l4_of_2048", pin_tree, PINS },
	{ "unpin_l4_of_2048", unpin_tree, PINS },
	{ "pin_entry", pin_tree, PINS *TABLES *ENTRIES },
	{ "unpin_entry", unpin_tree, PINS *TABLES *ENTRIES },
};

const struct bench_group bench_memory = { prepare, rows, ARRAY_SIZE(rows) };
