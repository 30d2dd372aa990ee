// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of the word `tables`. Those of long mode hang below some entries of the guest's own top-level table, all but the first of which are theirs.
 * Those of 32-bit paging, with large pages and PAE, have the guest's memory as it is in their lower half, where its code runs, and are wrong above.
 */
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinypvh_wrong.h"
#include <xen/memory.h>
#include <xen/vcpu.h>

#define P 1UL
#define RW 2UL
#define LARGE 0x80UL
#define NX (1UL << 63)
#define CR0_PG 0x80000000U
#define CR0_WP 0x10000U
#define CR4_PSE 0x10U
#define CR4_PAE 0x20U
#define GIB_SHIFT 30
#define MIB2_SHIFT 21
#define MIB4_SHIFT 22
#define SAFE_2M 4 /* 8 MiB, in pages of 2 MiB: up to where start information is */
#define SAFE_2M_END 7

/* Tables of any level. Three of them are not only the guest's. */
enum { TABLES = 4, SHARED_INFO = TABLES, GRANTS, VCPU_INFO, PLAIN, PAGES = PLAIN + 4 };

static uint64_t pages[PAGES][512] __page_aligned;
static uint32_t directory32[1024] __page_aligned, table32[1024] __page_aligned;
static uint32_t small32[1024] __page_aligned,
	code32[1024] __page_aligned; /* without pages of 4 MiB */
static uint64_t pae_directory[512] __page_aligned, pae_top[512] __page_aligned;

/* Where nothing is, or nothing that is the guest's to see: holes, devices, beyond the memory, beyond what entries can say. */
static uint64_t nowhere(struct wrong *w)
{
	static const uint64_t at[] = { 0x30000000,      0xfee00000,       0xfec00000,
				       0xfed00000,      0xe0000000,       0xfffff000,
				       0x100000000,     0x8000000000,     0x40000000000,
				       0x8000000000000, 0xfffffffffe00000 };

	return at[wrong_random(w) % ARRAY_SIZE(at)] & 0xffffffffff000;
}

static uint64_t page_at(struct wrong *w)
{
	return (uint64_t)pages[wrong_random(w) % PAGES];
}

/* Bits that mean nothing, or are for others to look at. */
static uint64_t decoration(struct wrong *w)
{
	return wrong_random(w) & (0x7ffUL << 52 | 0xf7c);
}

static uint64_t entry(struct wrong *w)
{
	uint64_t r = wrong_random(w), flags = P | (r & 0x70 ? RW : 0) | (r & 0x380 ? 0 : NX);

	switch (r % 16) {
	case 0:
		return nowhere(w) | decoration(w) | flags;
	case 1:
		return 0;
	case 2: /* of 2 MiB, or in a level above, of 1 GiB: see wrong_pointer() */
		return (r & 1024 ? (uint64_t)(SAFE_2M + r / 2048 % 3) << MIB2_SHIFT : nowhere(w)) |
		       LARGE | flags;
	case 3: /* with bits that must be 0 */
		return page_at(w) | decoration(w) | flags;
	default:
		return page_at(w) | 0x60 | flags;
	}
}

/* ---- Pointers of long mode ---- */

/* Whatever size a page is of: within it the address begins at 8 MiB, or beyond the memory. */
void *wrong_pointer(struct wrong *w)
{
	uint64_t r = wrong_random(w), top = 1 + wrong_random(w) % 511;
	uint64_t middle = r & 1 ? SAFE_2M + r / 2 % (SAFE_2M_END - SAFE_2M) : 8 + r / 2 % 504;
	uint64_t low = wrong_random(w) % 512;
	uint64_t at = top << 39 | (wrong_random(w) % 512) << GIB_SHIFT | middle << MIB2_SHIFT |
		      low << PAGE_SHIFT;

	if (top >= 256)
		at |= 0xffffUL << 48;
	switch (wrong_random(w) % 16) {
	case 0:
		return (void *)(at ^ 1UL << 47); /* not canonical */
	case 1:
		return (void *)(at ^ 1UL << (48 + r % 16));
	case 2:
		return (void *)(r & 2 ? 0xffffffffffffffffUL : 0x7ffffffffff8UL);
	default:
		break;
	}
	return (void *)(at | (r & 2 ? wrong_random(w) % PAGE_SIZE : PAGE_SIZE - 8 * (r % 16)));
}

/* In one piece, as the other vCPU follows it meanwhile. */
static void put(uint64_t *to, uint64_t what)
{
	*(volatile uint64_t *)to = what;
}

void wrong_change(struct wrong *w)
{
	for (unsigned int i = wrong_random(w) % 8; i; i--) {
		uint64_t at = wrong_random(w) % 512;

		if (wrong_random(w) % 8)
			put(&pages[wrong_random(w) % PAGES][at], entry(w));
		else
			put(&tinypvh_level4[1 + at % 511], entry(w));
	}
}

/* ---- Other modes ---- */

static uint32_t entry32(struct wrong *w)
{
	uint32_t r = (uint32_t)wrong_random(w), flags = (uint32_t)(P | (r & 0x38 ? RW : 0));

	switch (r % 4) {
	case 0:
		return (uint32_t)nowhere(w) | (r >> 8 & 0x1f7c) | flags;
	case 1: /* of 4 MiB; with an address of more than 32 bits */
		return (uint32_t)(2U << MIB4_SHIFT | LARGE | (r & 64 ? 0 : 0x1e000) | flags);
	case 2: /* itself as one of its tables, not to be written */
		return (uint32_t)(uint64_t)directory32 | P;
	default:
		return (uint32_t)(uint64_t)(r & 64 ? table32 : (uint32_t *)page_at(w)) | flags;
	}
}

static void fill_directories(struct wrong *w)
{
	for (unsigned int i = 0; i < 1024; i++) {
		directory32[i] =
			(uint32_t)(i < 512 ? i << MIB4_SHIFT | LARGE | RW | P : entry32(w));
		table32[i] = (uint32_t)(page_at(w) | (i & 8 ? RW | P : P));
	}
	for (unsigned int i = 0; i < 1024; i++) {
		code32[i] = i << PAGE_SHIFT | RW | P;
		small32[i] = i ? entry32(w) : (uint32_t)(uint64_t)code32 | RW | P;
	}
	for (unsigned int i = 0; i < 512; i++)
		pae_directory[i] = (uint64_t)i << MIB2_SHIFT | LARGE | RW | P;
}

/* PAE's top level is read with CR3: entries there have few bits, and anything else faults. */
static uint32_t pae(struct wrong *w, struct tinypvh_mode_call *call)
{
	unsigned int first = (unsigned int)(wrong_random(w) % 128) * 4;

	pae_top[first] = (uint64_t)pae_directory | P;
	for (unsigned int i = 1; i < 4; i++)
		pae_top[first + i] = wrong_random(w) % 4 ? (uint64_t)pages[i] | P : 0;
	call->cr0 = CR0_PG;
	call->cr4 = CR4_PAE;
	call->cr3 = (uint32_t)(uint64_t)&pae_top[first];
	return (uint32_t)(uint64_t)wrong_pointer(w) | 1U << GIB_SHIFT;
}

/* Physical addresses: pages of all kinds, and nothing. */
static uint32_t unpaged(struct wrong *w)
{
	return (uint32_t)((wrong_random(w) % 2 ? page_at(w) : nowhere(w)) +
			  wrong_random(w) % (PAGE_SIZE / 2)); /* answers are no longer than that */
}

uint32_t wrong_mode(struct wrong *w, struct tinypvh_mode_call *call)
{
	uint32_t at = (uint32_t)(wrong_random(w) & 0x7fffffff) | 0x80000000U;

	switch (wrong_random(w) % 5) {
	case 0:
		call->compatibility = 1;
		return unpaged(w); /* the lower 4 GiB are as they are */
	case 1:
		return unpaged(w);
	case 2:
		return pae(w, call);
	case 3:
		small32[1 + at % 1023] = entry32(w);
		call->cr3 = (uint32_t)(uint64_t)small32;
		break;
	default:
		directory32[512 + at % 512] = entry32(w);
		call->cr3 = (uint32_t)(uint64_t)directory32;
		call->cr4 = CR4_PSE;
		break;
	}
	call->cr0 = CR0_PG | (at & CR0_WP);
	return at;
}

/* ---- Beginning ---- */

static void add_to_physmap(unsigned int space, void *page)
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = space,
					  .gpfn = (uint64_t)page / PAGE_SIZE };

	if (hypercall2(__HYPERVISOR_memory_op, XENMEM_add_to_physmap, (uint64_t)&add))
		tiny_fail("tables: space %u cannot be placed", space);
}

void wrong_prepare(struct wrong *w)
{
	vcpu_register_vcpu_info_t info = { .mfn = (uint64_t)pages[VCPU_INFO] / PAGE_SIZE,
					   .offset = 64 };

	add_to_physmap(XENMAPSPACE_shared_info, pages[SHARED_INFO]);
	add_to_physmap(XENMAPSPACE_grant_table, pages[GRANTS]);
	if (hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_register_vcpu_info, 1, (uint64_t)&info))
		tiny_fail("tables: no place for vCPU 1's vcpu_info: it takes two vCPUs");
	fill_directories(w);
	for (unsigned int i = 0; i < PAGES * 512; i++)
		pages[i / 512][i % 512] = entry(w);
	for (unsigned int i = 1; i < 512; i++)
		tinypvh_level4[i] = (uint64_t)pages[i % TABLES] | RW | P;
}
