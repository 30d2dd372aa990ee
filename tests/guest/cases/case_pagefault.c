// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * #PF in kernel mode: the address through vcpu_info, and an error code whose user bit tells the
 * guest's mode, not the processor's (abi page 5.3). User mode has its part in case_user.c.
 */
#include "tiny_case.h"

#define NOWHERE 0x0000123456789000ul
#define HYPERVISOR_DATA 0xffff830000000000ul

static void fault_is(uint32_t error, uint64_t address)
{
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.error, error);
	EXPECT_EQ(tiny_fault.cr2, address);
}

TINY_TEST(fault_unmapped, "pagefault.unmapped", "reads, writes and fetches where nothing is mapped")
{
	PROBE("mov (%0), %%rax", : : "r"(NOWHERE + 8) : "rax", "memory");
	fault_is(0, NOWHERE + 8);
	PROBE("mov %%rax, (%0)", : : "r"(NOWHERE + 16) : "memory");
	fault_is(PF_WRITE, NOWHERE + 16);
	PROBE("call *%0", : : "r"(NOWHERE + 32) : "memory");
	fault_is(PF_FETCH, NOWHERE + 32);
	EXPECT_EQ(tiny_fault.rip, NOWHERE + 32);
}

TINY_TEST(fault_null, "pagefault.null", "address 0 is an address like any other for a fault")
{
	PROBE("mov (%0), %%rax", : : "r"(0ul) : "rax", "memory");
	fault_is(0, 0);
}

TINY_TEST(fault_readonly, "pagefault.readonly",
	  "writes to read-only pages, also by read-modify-write; the page stays as it was")
{
	uint64_t *page = page_alloc();

	page[3] = 0x1234;
	REQUIRE_EQ(page_set_readonly(page), 0);
	PROBE("movq $1, (%0)", : : "r"(&page[3]) : "memory");
	fault_is(PF_PRESENT | PF_WRITE, (uint64_t)&page[3]);
	PROBE("lock xadd %%rax, (%0)", : : "r"(&page[3]) : "rax", "memory");
	fault_is(PF_PRESENT | PF_WRITE, (uint64_t)&page[3]);
	EXPECT_EQ(page[3], 0x1234);
	EXPECT_EQ(page_set_writable(page), 0);
	PROBE("movq $1, (%0)", : : "r"(&page[3]) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(page[3], 1);
	page_free(page);
}

TINY_TEST(fault_no_execute, "pagefault.no-execute", "NX must hold for the kernel's own data")
{
	uint8_t *page = page_alloc();

	page[0] = 0xc3;
	PROBE("call *%0", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	REQUIRE_EQ(page_map(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RW | PTE_NX)), 0);
	PROBE("call *%0", : : "r"(page) : "memory");
	fault_is(PF_PRESENT | PF_FETCH, (uint64_t)page);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(fault_not_present, "pagefault.not-present",
	  "an entry withdrawn by update_va_mapping must fault at once")
{
	uint64_t *page = page_alloc();

	page[1] = 0x77;
	REQUIRE_EQ(page_map(page, 0), 0);
	PROBE("mov (%0), %%rax", : : "r"(&page[1]) : "rax", "memory");
	fault_is(0, (uint64_t)&page[1]);
	EXPECT_EQ(page_set_writable(page), 0);
	EXPECT_EQ(page[1], 0x77);
	page_free(page);
}

TINY_TEST(fault_hypervisor, "pagefault.hypervisor",
	  "the hypervisor's memory is out of the guest's reach; the M2P may be read only")
{
	const uint64_t *m2p = (const uint64_t *)TINY_M2P + virt_to_mfn(tiny_start_info).n;

	PROBE("mov (%0), %%rax", : : "r"(HYPERVISOR_DATA) : "rax", "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, HYPERVISOR_DATA);
	EXPECT_EQ(tiny_fault.error & (PF_WRITE | PF_USER | PF_FETCH), 0);
	PROBE("mov %%rax, (%0)", : : "r"(HYPERVISOR_DATA) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);

	EXPECT_EQ(*m2p, virt_to_pfn(tiny_start_info).n);
	PROBE("mov %%rax, (%0)", : : "r"(m2p) : "memory");
	fault_is(PF_PRESENT | PF_WRITE, (uint64_t)m2p);
}

TINY_TEST(fault_p2m, "pagefault.p2m",
	  "the builder's p2m and the hypervisor's M2P must agree on every frame")
{
	uint64_t frame, wrong = 0;

	for (frame = 0; frame < tiny_start_info->nr_pages; frame++)
		wrong += mfn_to_pfn(pfn_to_mfn(pfn(frame))).n != frame;
	EXPECT_EQ(wrong, 0);
}
