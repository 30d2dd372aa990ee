// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes through a read-only mapping to a live L1 table, which the hypervisor checks and carries out
 * if the guest asked for that (abi page 5.7): not by mov alone, kernels use locked instructions on
 * their entries too.
 */
#include "tiny_case.h"

static bool asked(void)
{
	return hypercall2(__HYPERVISOR_vm_assist, VMASST_CMD_enable,
			  VMASST_TYPE_writable_pagetables) == 0;
}

#define NOT_OFFERED "vm_assist(writable_pagetables) is not offered"

TINY_TEST(wrpt_mov, "writable-tables.mov", "the plain store, and that the page really changes")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old = *entry;

	SKIP_IF(!asked(), NOT_OFFERED);
	PROBE("mov %1, (%0)", : : "r"(entry), "r"(old & ~PTE_WRITE) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	asm volatile("" : : : "memory");
	REQUIRE_EQ(*entry & (PTE_PRESENT | PTE_WRITE), PTE_PRESENT);
	EXPECT_EQ(page_map(page, *entry & ~PTE_USER), 0);
	PROBE("movq $1, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	PROBE("movq $0, (%0)", : : "r"(entry) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(*(volatile uint64_t *)entry, 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(wrpt_exchange, "writable-tables.exchange",
	  "xchg must return the old entry; Linux unmaps so")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old = *entry,
		 value = 0;

	SKIP_IF(!asked(), NOT_OFFERED);
	PROBE("xchg %0, (%1)", : "+r"(value) : "r"(entry) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(value & PTE_FRAME, old & PTE_FRAME);
	EXPECT_EQ(*(volatile uint64_t *)entry, 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(wrpt_compare, "writable-tables.compare-exchange",
	  "cmpxchg must compare with the live entry")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old = *entry;
	uint64_t expected = old;

	SKIP_IF(!asked(), NOT_OFFERED);
	PROBE("lock cmpxchg %2, (%1)",
	      : "+a"(expected)
	      : "r"(entry), "r"(old & ~PTE_WRITE)
	      : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(*(volatile uint64_t *)entry & PTE_WRITE, 0);
	expected = 0x1234;
	PROBE("lock cmpxchg %2, (%1)", : "+a"(expected) : "r"(entry), "r"(0ul) : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(expected, *(volatile uint64_t *)entry);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(wrpt_bits, "writable-tables.bits",
	  "locked and, or and bit instructions, as kernels clear W and A")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1);

	SKIP_IF(!asked(), NOT_OFFERED);
	PROBE("lock btrq $1, (%0)", : : "r"(entry) : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(*(volatile uint64_t *)entry & PTE_WRITE, 0);
	PROBE("lock orq %1, (%0)", : : "r"(entry), "r"(PTE_WRITE) : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(*(volatile uint64_t *)entry & PTE_WRITE, PTE_WRITE);
	PROBE("lock andq %1, (%0)", : : "r"(entry), "r"(~PTE_ACCESSED) : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	PROBE("lock btsq $5, (%0)", : : "r"(entry) : "memory", "cc");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(*(volatile uint64_t *)entry & PTE_ACCESSED, PTE_ACCESSED);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(wrpt_refused, "writable-tables.refused",
	  "an entry that may not stand faults in the guest, and nothing changes; nor do L2 tables")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old = *entry;
	uint64_t *upper = (uint64_t *)pte_of(page, 2);

	SKIP_IF(!asked(), NOT_OFFERED);
	PROBE("mov %1, (%0)",
	      :
	      : "r"(entry), "r"(make_pte(mfn(0xfffffffff), PTE_KERNEL_RW))
	      : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, entry);
	EXPECT_EQ(*(volatile uint64_t *)entry, old);
	PROBE("mov %1, (%0)", : : "r"(upper), "r"(*upper) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	page_free(page);
}

TINY_TEST(
	wrpt_elsewhere, "writable-tables.elsewhere",
	"a store that is not within one entry, or begins on another page, is no change of an entry")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old[2];
	uint64_t *before = page_alloc(), *table = before + PAGE_SIZE / 8, own;

	SKIP_IF(!asked(), NOT_OFFERED);
	memcpy(old, entry, sizeof(old));
	PROBE("movq %1, (%0)", : : "r"((char *)entry + 4), "r"(0ul) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	PROBE("movl %1, (%0)", : : "r"((char *)entry + 6), "r"(0) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT(!memcmp(entry, old, sizeof(old)));

	/* The page behind BEFORE shows the table; a store across its beginning faults there. */
	own = *pte_of(table, 1);
	REQUIRE_EQ(page_map(table, *pte_of(entry, 1) & ~PTE_WRITE), 0);
	memcpy(old, table, sizeof(old));
	before[PAGE_SIZE / 8 - 1] = 0x77;
	PROBE("movq %1, (%0)", : : "r"((char *)table - 4), "r"(0ul) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, table);
	EXPECT(!memcmp(table, old, sizeof(old)));
	EXPECT_EQ(before[PAGE_SIZE / 8 - 1], 0x77);
	EXPECT_EQ(page_map(table, (own & PTE_FRAME) | PTE_KERNEL_RW), 0);
	page_free(before);
	page_free(page);
}
