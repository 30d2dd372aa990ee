// SPDX-License-Identifier: GPL-2.0-or-later
/* The PV guest's answers to tiny_guest.h: its start info says who it is, and page tables change by hypercall. */
#include "tiny_guest.h"
#include "tiny_grant.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_trap.h"

static const uint64_t bad_addresses[] = {
	0x123456789000,     /* not mapped */
	0x8,                /* page zero */
	0xffff830000000000, /* the hypervisor's: Xen's memory and image */
	0xffff82d040200000,
	0xffff820000100000, /* and Tine's: memory, image, descriptors, frame table */
	0xffff808000200000,
	0xffff810000000000,
	0xffff818000002000,
	0x0000800000000000, /* not canonical */
	0xffff7ffffffff000,
	0xfffffffffffffff8, /* wraps */
	0,
};

const struct guest_kind guest_kind = { .capability = "xen-3.0-x86_64",
				       .bad_addresses = bad_addresses };
struct tiny_rings tiny_rings;

static volatile grant_entry_v1_t *entries;

bool guest_is_initial(void)
{
	return tiny_start_info->flags & SIF_INITDOMAIN;
}

uint64_t guest_memory(void)
{
	return tiny_start_info->nr_pages * PAGE_SIZE;
}

/* The initial domain's start info has something else in the same place. */
void rings_init(void)
{
	if (guest_is_initial())
		return;
	tiny_rings.console = pfn_to_virt(mfn_to_pfn(mfn(tiny_start_info->console.domU.mfn)));
	tiny_rings.console_port = tiny_start_info->console.domU.evtchn;
	tiny_rings.store = pfn_to_virt(mfn_to_pfn(mfn(tiny_start_info->store_mfn)));
	tiny_rings.store_port = tiny_start_info->store_evtchn;
}

uint64_t frame_of(const void *page)
{
	return virt_to_mfn(page).n;
}

int page_hide(const void *page)
{
	return page_map(page, 0);
}

int page_set_readonly(const void *page)
{
	return page_map(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RO));
}

int page_set_writable(const void *page)
{
	return page_map(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RW));
}

void *window_take(void)
{
	void *window = page_alloc();

	if (page_hide(window))
		tiny_fail("a page cannot be taken away");
	return window;
}

void window_give(void *window)
{
	if (page_set_writable(window))
		tiny_fail("a page cannot be had back");
	page_free(window);
}

bool window_can_read(const void *window)
{
	PROBE("movq (%0), %%rax", : : "r"(window) : "rax", "memory");
	return tiny_fault.vector != TRAP_PAGE;
}

bool window_can_write(const void *window)
{
	PROBE("movq $1, (%0)", : : "r"(window) : "memory");
	return tiny_fault.vector != TRAP_PAGE;
}

volatile grant_entry_v1_t *grant_entries(void)
{
	uint64_t frame = 0;
	gnttab_setup_table_t setup = { .dom = DOMID_SELF, .nr_frames = 1 };
	void *window;

	if (entries)
		return entries;
	setup.frame_list.p = &frame;
	if (hv_grant_table_op(GNTTABOP_setup_table, &setup, 1) || setup.status)
		tiny_fail("no grant table: status %d", setup.status);
	window = page_alloc();
	if (page_map(window, make_pte(mfn(frame), PTE_KERNEL_RW)))
		tiny_fail("the grant table's frame 0x%lx cannot be mapped", frame);
	entries = window;
	return entries;
}
