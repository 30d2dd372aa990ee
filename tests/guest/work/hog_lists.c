// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hog's lists (work_hog.c): every operation that takes one, with as many requests as make it long, made once a turn. What each of them does is whole when it is
 * over, so that the next turn finds what the first one found.
 */
#include "tiny_work.h"
#include "tiny_event.h"
#include "tiny_grant.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include <xen/memory.h>

#define LIST 8192u
#define UPDATES 64u /* of each call of a multicall */
#define WINDOWS 256u
#define PORTS 4000u
#define TEXT 24576u
#define REF GRANT_FIRST_FREE

static uint64_t frames[LIST], numbers[LIST];
static mmuext_op_t extended[LIST];
static gnttab_map_grant_ref_t maps[WINDOWS];
static gnttab_unmap_grant_ref_t unmaps[WINDOWS];
static gnttab_copy_t copies[LIST / 2];
static mmu_update_t updates[LIST];
static multicall_entry_t calls[LIST / UPDATES];
static char text[TEXT];
static void *page, *granted, *windows[WINDOWS];

/* ---- Memory ---- */

/* The last of the domain, which nothing maps. */
static void list_frames(void)
{
	for (unsigned int i = 0; i < LIST; i++) {
		numbers[i] = tiny_start_info->nr_pages - LIST + i;
		frames[i] = pfn_to_mfn(pfn(numbers[i])).n;
	}
}

static void keep_frames(void)
{
	for (unsigned int i = 0; i < LIST; i++)
		((uint64_t *)tiny_start_info->mfn_list)[numbers[i]] = frames[i];
}

static long reserve(unsigned int command)
{
	struct xen_memory_reservation op = { .nr_extents = LIST, .domid = DOMID_SELF };
	long rc;

	set_xen_guest_handle(op.extent_start, frames);
	rc = hypercall2(__HYPERVISOR_memory_op, command, (uint64_t)&op);
	return rc == LIST ? 0 : rc ? rc : -XEN_ENOMEM;
}

static long decrease(void)
{
	list_frames();
	return reserve(XENMEM_decrease_reservation);
}

static long populate(void)
{
	long rc;

	memcpy(frames, numbers, sizeof(frames));
	rc = reserve(XENMEM_populate_physmap);
	if (!rc)
		keep_frames();
	return rc;
}

static long exchange(void)
{
	struct xen_memory_exchange op = { .in = { .nr_extents = LIST, .domid = DOMID_SELF },
					  .out = { .nr_extents = LIST, .domid = DOMID_SELF } };
	long rc;

	list_frames();
	set_xen_guest_handle(op.in.extent_start, frames);
	set_xen_guest_handle(op.out.extent_start, numbers);
	rc = hypercall2(__HYPERVISOR_memory_op, XENMEM_exchange, (uint64_t)&op);
	if (rc || op.nr_exchanged != LIST)
		return rc ? rc : -XEN_ENOMEM;
	memcpy(frames, numbers, sizeof(frames));
	for (unsigned int i = 0; i < LIST; i++)
		numbers[i] = tiny_start_info->nr_pages - LIST + i;
	keep_frames();
	return 0;
}

/* ---- Page tables and pages ---- */

static long mmu_updates(void)
{
	unsigned int done = 0;

	for (unsigned int i = 0; i < LIST; i++)
		updates[i] = (mmu_update_t){ virt_to_machine((uint64_t *)page + i % 512), 0 };
	return hv_mmu_update(updates, LIST, &done) || done != LIST;
}

static long multicalls(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i] = (multicall_entry_t){
			.op = __HYPERVISOR_mmu_update,
			.args = { (uint64_t)updates, UPDATES, 0, DOMID_SELF },
		};
	return hv_multicall(calls, ARRAY_SIZE(calls));
}

static long mmuext(void)
{
	static const unsigned int commands[] = { MMUEXT_CLEAR_PAGE, MMUEXT_COPY_PAGE,
						 MMUEXT_TLB_FLUSH_LOCAL, MMUEXT_INVLPG_ALL };
	unsigned int done = 0;

	for (unsigned int i = 0; i < LIST; i++) {
		extended[i] = (mmuext_op_t){ .cmd = commands[i % ARRAY_SIZE(commands)] };
		extended[i].arg1.mfn = virt_to_mfn(page).n;
		if (extended[i].cmd == MMUEXT_COPY_PAGE)
			extended[i].arg2.src_mfn = virt_to_mfn(granted).n;
		else if (extended[i].cmd == MMUEXT_INVLPG_ALL)
			extended[i].arg1.linear_addr = (uint64_t)page;
	}
	return hv_mmuext_op(extended, LIST, &done) || done != LIST;
}

/* ---- Grants ---- */

static long map(void)
{
	domid_t self = own_domain_id();
	long rc;

	for (unsigned int i = 0; i < WINDOWS; i++)
		maps[i] = (gnttab_map_grant_ref_t){ .host_addr = (uint64_t)windows[i],
						    .flags = GNTMAP_host_map,
						    .ref = REF,
						    .dom = self };
	rc = hv_grant_table_op(GNTTABOP_map_grant_ref, maps, WINDOWS);
	for (unsigned int i = 0; i < WINDOWS && !rc; i++)
		rc = maps[i].status;
	return rc;
}

static long unmap(void)
{
	long rc;

	for (unsigned int i = 0; i < WINDOWS; i++)
		unmaps[i] = (gnttab_unmap_grant_ref_t){ .host_addr = (uint64_t)windows[i],
							.handle = maps[i].handle };
	rc = hv_grant_table_op(GNTTABOP_unmap_grant_ref, unmaps, WINDOWS);
	for (unsigned int i = 0; i < WINDOWS && !rc; i++)
		rc = unmaps[i].status;
	return rc;
}

static long copy(void)
{
	long rc;

	for (unsigned int i = 0; i < ARRAY_SIZE(copies); i++) {
		gnttab_copy_t *op = &copies[i];

		*op = (gnttab_copy_t){ .flags = GNTCOPY_source_gref, .len = PAGE_SIZE };
		op->source.u.ref = REF;
		op->source.domid = maps[0].dom;
		op->dest.u.gmfn = virt_to_mfn(page).n;
		op->dest.domid = DOMID_SELF;
	}
	rc = hv_grant_table_op(GNTTABOP_copy, copies, ARRAY_SIZE(copies));
	for (unsigned int i = 0; i < ARRAY_SIZE(copies) && !rc; i++)
		rc = copies[i].status;
	return rc;
}

/* ---- Events, console ---- */

static long reset(void)
{
	evtchn_reset_t op = { .dom = DOMID_SELF };
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };

	for (unsigned int i = 0; i < PORTS; i++) {
		if (hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc))
			return -XEN_ENOSPC;
	}
	return hv_event_channel_op(EVTCHNOP_reset, &op);
}

static long console(void)
{
	for (unsigned int i = 0; i < TEXT; i++)
		text[i] = i % 256 == 255 ? '\n' : '.';
	return hv_console_write(text, TEXT);
}

/* ---- All of them ---- */

void hog_lists_prepare(void)
{
	page = page_alloc();
	granted = page_alloc();
	grant_offer(REF, granted, own_domain_id(), 0);
	for (unsigned int i = 0; i < WINDOWS; i++) {
		windows[i] = page_alloc();
		if (page_map(windows[i], 0))
			tiny_fail("hog: a page cannot be unmapped");
	}
}

void hog_lists(void)
{
	static const struct {
		const char *name;
		long (*run)(void);
	} lists[] = { { "mmu_update", mmu_updates },
		      { "multicall", multicalls },
		      { "mmuext", mmuext },
		      { "decrease", decrease },
		      { "populate", populate },
		      { "exchange", exchange },
		      { "map", map },
		      { "unmap", unmap },
		      { "copy", copy },
		      { "reset", reset },
		      { "console", console } };

	for (unsigned int i = 0; i < ARRAY_SIZE(lists); i++) {
		uint64_t before = time_now();
		long rc = lists[i].run();

		if (rc)
			tiny_fail("hog: %s: %ld", lists[i].name, rc);
		printf("hog: %s_us=%lu until_us=%lu\n", lists[i].name, (time_now() - before) / 1000,
		       time_now() / 1000);
	}
}
