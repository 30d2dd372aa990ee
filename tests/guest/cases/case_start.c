// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the domain builder left: start_info, the initial mapping, the hypercall page, zeroed memory
 * (abi pages 1.4 to 1.6).
 */
#include "tiny_case.h"

extern const char tinypv_hypercall_page[];
extern const char tiny_arena_start[], tiny_arena_end[];

TINY_TEST(start_fields, "start.fields", "everything else rests on these numbers")
{
	const start_info_t *info = tiny_start_info;

	EXPECT(!memcmp(info->magic, "xen-3.0-x86_64", 14));
	EXPECT(info->nr_pages >= 2048);
	EXPECT_EQ(info->shared_info & ~PAGE_MASK, 0);
	EXPECT_EQ(info->pt_base & ~PAGE_MASK, 0);
	EXPECT(info->nr_pt_frames >= 4);
	EXPECT(info->mfn_list > (uint64_t)tiny_arena_end - PAGE_SIZE);
	EXPECT((uint64_t)info >= info->mfn_list + info->nr_pages * sizeof(uint64_t));
	EXPECT(!(info->flags & SIF_INITDOMAIN) || info->flags & SIF_PRIVILEGED);
}

TINY_TEST(start_page_tables, "start.page-tables",
	  "boot page tables must be read-only to the guest, everything else writable")
{
	const char *table = (const char *)tiny_start_info->pt_base, *page;
	unsigned long i, wrong = 0;

	for (i = 0; i < tiny_start_info->nr_pt_frames; i++)
		wrong += (*pte_of(table + i * PAGE_SIZE, 1) & (PTE_PRESENT | PTE_WRITE)) !=
			 PTE_PRESENT;
	EXPECT_EQ(wrong, 0);
	for (page = (const char *)TINY_VIRT_BASE; page < tiny_arena_start; page += PAGE_SIZE)
		wrong += !(*pte_of(page, 1) & PTE_PRESENT);
	EXPECT_EQ(wrong, 0);
	PROBE("movq $0, (%0)", : : "r"(table) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
}

TINY_TEST(start_linear, "start.linear",
	  "the initial mapping must be linear from VIRT_BASE, as the p2m says")
{
	const char *page;
	unsigned int wrong = 0;

	for (page = (const char *)TINY_VIRT_BASE; page < (const char *)tiny_start_info;
	     page += PAGE_SIZE) {
		/* shared_info has taken the place of one frame. */
		if (page != (const char *)tiny_shared)
			wrong +=
				(*pte_of(page, 1) & PTE_FRAME) >> PAGE_SHIFT != virt_to_mfn(page).n;
	}
	EXPECT_EQ(wrong, 0);
}

static long through_page(uint64_t number, uint64_t a1, uint64_t a2)
{
	register uint64_t rcx asm("rcx") = 0xcc, r11 asm("r11") = 0x11;
	long result;

	asm volatile("call *%3"
		     : "=a"(result), "+r"(rcx), "+r"(r11)
		     : "r"(tinypv_hypercall_page + number * 32), "D"(a1), "S"(a2)
		     : "memory");
	return rcx == 0xcc && r11 == 0x11 ? result : -1;
}

TINY_TEST(start_hypercall_page, "start.hypercall-page",
	  "older guests call through the page and count on RCX and R11 being kept")
{
	EXPECT_EQ(through_page(__HYPERVISOR_xen_version, XENVER_pagesize, 0), PAGE_SIZE);
	EXPECT_EQ(through_page(__HYPERVISOR_set_segment_base, 77, 0), -XEN_EINVAL);
	EXPECT_EQ(through_page(99, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ((uint8_t)tinypv_hypercall_page[31], 0xcc);
}
