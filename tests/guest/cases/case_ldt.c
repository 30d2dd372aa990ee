// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The local descriptor table: pages of the guest named by their address, looked up in its tables
 * when first used (abi pages 5.6 and 12.7), and then descriptor pages like those of the GDT.
 */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#define LOCAL(index) ((index) << 3 | 7)

static long set_ldt(const void *address, unsigned int entries)
{
	mmuext_op_t set = {
		.cmd = MMUEXT_SET_LDT,
		.arg1.linear_addr = (uint64_t)address,
		.arg2.nr_ents = entries,
	};

	return hv_mmuext_op(&set, 1, NULL);
}

static bool not_offered(void)
{
	return set_ldt(NULL, 0) == -XEN_ENOSYS;
}

TINY_TEST(ldt_use, "ldt.use",
	  "a local selector must reach the guest's descriptor, adjusted to ring 3")
{
	uint64_t *page = page_alloc();

	SKIP_IF(not_offered(), "MMUEXT_SET_LDT is not offered");
	page[1] = gdt_data_descriptor(0, 0x4321) & ~DESC_DPL3;
	REQUIRE_EQ(page_set_readonly(page), 0);
	REQUIRE_EQ(set_ldt(page, 2), 0);
	PROBE("mov %%ax, %%gs", : : "a"(LOCAL(1)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(gdt_limit(LOCAL(1)), 0x4321);
	EXPECT_EQ(page[1] & DESC_DPL3, DESC_DPL3);
	EXPECT_EQ(gdt_limit(LOCAL(2)), ~0ul); /* beyond the limit */
	EXPECT(page_set_writable(page) < 0);
	asm volatile("mov %%ax, %%gs" : : "a"(0));

	EXPECT_EQ(set_ldt(NULL, 0), 0);
	EXPECT_EQ(gdt_limit(LOCAL(1)), ~0ul);
	PROBE("mov %%ax, %%gs", : : "a"(LOCAL(1)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(tiny_fault.error, LOCAL(1) & ~3);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(ldt_update, "ldt.update", "update_descriptor must take effect in a table in use")
{
	uint64_t *page = page_alloc();

	SKIP_IF(not_offered(), "MMUEXT_SET_LDT is not offered");
	REQUIRE_EQ(page_set_readonly(page), 0);
	REQUIRE_EQ(set_ldt(page, 512), 0);
	EXPECT_EQ(gdt_limit(LOCAL(511)), ~0ul);
	EXPECT_EQ(hv_update_descriptor(virt_to_machine(&page[511]), gdt_data_descriptor(0, 0x99)),
		  0);
	EXPECT_EQ(gdt_limit(LOCAL(511)), 0x99);
	EXPECT_EQ(set_ldt(NULL, 0), 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

/* What cannot be mapped shows as a page fault on the descriptor's own address. */
static void selector_faults_on(const uint64_t *descriptor, unsigned int index)
{
	PROBE("mov %%ax, %%gs", : : "a"(LOCAL(index)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, descriptor);
	EXPECT_EQ(tiny_fault.error & (PF_WRITE | PF_FETCH | PF_USER), 0);
}

TINY_TEST(ldt_bad_page, "ldt.bad-page",
	  "a page the guest can write, or with a gate in it, must not come into use")
{
	uint64_t *page = page_alloc();

	SKIP_IF(not_offered(), "MMUEXT_SET_LDT is not offered");
	page[1] = gdt_data_descriptor(0, 0x4321);
	REQUIRE_EQ(set_ldt(page, 2), 0);
	selector_faults_on(&page[1], 1);
	EXPECT_EQ(set_ldt(NULL, 0), 0);
	page[0] = 0x00008e0000000000;
	REQUIRE_EQ(page_set_readonly(page), 0);
	REQUIRE_EQ(set_ldt(page, 2), 0);
	selector_faults_on(&page[1], 1);
	EXPECT_EQ(set_ldt(NULL, 0), 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(ldt_arguments, "ldt.arguments",
	  "unaligned, too many entries, or an address that is not the guest's")
{
	SKIP_IF(not_offered(), "MMUEXT_SET_LDT is not offered");
	EXPECT_EQ(set_ldt((const char *)tiny_start_info + 8, 2), -XEN_EINVAL);
	EXPECT_EQ(set_ldt(tiny_start_info, 8193), -XEN_EINVAL);
	EXPECT(set_ldt((const void *)TINY_M2P, 2) < 0);
	EXPECT_EQ(set_ldt(NULL, 0), 0);
}
