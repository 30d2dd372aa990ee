// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linear page tables: a table that is an entry of itself shows, at some addresses, the tables below it as
 * memory. It may only be read there. (Xen takes other tables of the same level as well, and level 4;
 * docs/architecture.md says why Tine does not.)
 */
#include "tiny_case.h"

#define SELF 5
#define OTHER 6
#define FREE_SLOT 3 /* of the top-level table */
#define READ_ONLY (PTE_PRESENT | PTE_USER | PTE_ACCESSED)

static const unsigned int pins[] = { 0, MMUEXT_PIN_L1_TABLE, MMUEXT_PIN_L2_TABLE,
				     MMUEXT_PIN_L3_TABLE, MMUEXT_PIN_L4_TABLE };

static long set_entry(const uint64_t *entry, uint64_t value)
{
	mmu_update_t request = { .ptr = virt_to_machine(entry), .val = value };

	return hv_mmu_update(&request, 1, NULL);
}

static long pin(unsigned int command, const void *table)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = virt_to_mfn(table).n };

	return hv_mmuext_op(&op, 1, NULL);
}

static void try_level(unsigned int level)
{
	uint64_t *table = page_alloc(), self = make_pte(virt_to_mfn(table), READ_ONLY);

	table[SELF] = self;
	REQUIRE_EQ(page_set_readonly(table), 0);
	REQUIRE_EQ(pin(pins[level], table), 0);
	EXPECT_EQ(set_entry(&table[OTHER], self | PTE_WRITE), -XEN_EINVAL);
	EXPECT_EQ(set_entry(&table[OTHER], self), 0);
	EXPECT_EQ(set_entry(&table[OTHER], self | PTE_WRITE), -XEN_EINVAL);
	EXPECT_EQ(set_entry(&table[SELF], self | PTE_WRITE), -XEN_EINVAL);
	EXPECT_EQ(table[SELF] & PTE_WRITE, 0);
	EXPECT_EQ(set_entry(&table[SELF], self | PTE_NX), 0);
	EXPECT(page_set_writable(table) < 0);
	EXPECT(pin(pins[level - 1], table) < 0);
	/* It does not hold itself. */
	EXPECT_EQ(pin(MMUEXT_UNPIN_TABLE, table), 0);
	EXPECT_EQ(page_set_writable(table), 0);
	/* Writable inside before it becomes a table. */
	table[SELF] = self | PTE_WRITE;
	table[OTHER] = 0;
	REQUIRE_EQ(page_set_readonly(table), 0);
	EXPECT(pin(pins[level], table) < 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}

TINY_TEST(linear_l2, "linear.l2", "a level-2 table may be its own entry, never a writable one")
{
	try_level(2);
}

TINY_TEST(linear_l3, "linear.l3", "and a level-3 table")
{
	try_level(3);
}

TINY_TEST(linear_levels, "linear.levels",
	  "a table is no entry of one that is more than one level above")
{
	uint64_t *low = page_alloc(), *high = page_alloc();

	REQUIRE_EQ(page_set_readonly(low), 0);
	REQUIRE_EQ(page_set_readonly(high), 0);
	REQUIRE_EQ(pin(MMUEXT_PIN_L1_TABLE, low), 0);
	REQUIRE_EQ(pin(MMUEXT_PIN_L3_TABLE, high), 0);
	EXPECT_EQ(set_entry(&high[0], make_pte(virt_to_mfn(low), READ_ONLY)), -XEN_EINVAL);
	EXPECT_EQ(set_entry(&low[0], make_pte(virt_to_mfn(high), PTE_KERNEL_RW)), -XEN_EBUSY);
	EXPECT_EQ(set_entry(&low[0], make_pte(virt_to_mfn(high), PTE_KERNEL_RO)), 0);
	EXPECT_EQ(pin(MMUEXT_UNPIN_TABLE, low), 0);
	EXPECT_EQ(pin(MMUEXT_UNPIN_TABLE, high), 0);
	EXPECT_EQ(page_set_writable(low), 0);
	EXPECT_EQ(page_set_writable(high), 0);
	page_free(low);
	page_free(high);
}

/* Address of entry `i` of the level-3 table behind FREE_SLOT, seen through its own entry SELF. */
static const uint64_t *through(unsigned int i)
{
	return (const uint64_t *)((uint64_t)FREE_SLOT << 39 | (uint64_t)SELF << 30 |
				  (uint64_t)SELF << 21 | (uint64_t)SELF << 12 | i * 8);
}

TINY_TEST(linear_walk, "linear.walk",
	  "what is seen through it are the entries, also by the hypervisor; writes fault for both")
{
	const uint64_t *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t *table = page_alloc(), seen = 0;
	uint64_t self = make_pte(virt_to_mfn(table), READ_ONLY);

	table[SELF] = self;
	REQUIRE_EQ(page_set_readonly(table), 0);
	REQUIRE_EQ(set_entry(&l4[FREE_SLOT], make_pte(virt_to_mfn(table), PTE_USER_TABLE)), 0);
	PROBE("movq (%1), %0", : "=r"(seen) : "r"(through(SELF)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(seen & PTE_FRAME, self & PTE_FRAME);
	PROBE("movq %0, (%1)", : : "r"(0ul), "r"(through(OTHER)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, (void *)through(OTHER)), -XEN_EFAULT);
	EXPECT_EQ(table[OTHER], 0);
	EXPECT_EQ(hv_update_va_mapping(through(0), 0, UVMF_INVLPG), -XEN_EINVAL);
	EXPECT_EQ(set_entry(&l4[FREE_SLOT], 0), 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}
