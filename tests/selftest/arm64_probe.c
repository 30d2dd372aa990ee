// SPDX-License-Identifier: GPL-2.0-or-later
/* What the self-tests ask of arm64: see probe.h. */
#include "probe.h"
#include <asm/extable.h>
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <tine/arch.h>

const u8 probe_code[PROBE_CODE_SIZE] __aligned(4) = { 0xc0, 0x03, 0x5f, 0xd6 }; /* ret */

bool probe_read(const void *at)
{
	u64 ok = 0;
	u32 byte;

	__asm__ volatile("1: ldrb %w1, [%2]\n\t"
			 "mov %0, #1\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "=&r"(byte)
			 : "r"(at)
			 : "memory");
	return ok;
}

bool probe_write(void *at)
{
	u64 ok = 0;
	u32 byte;

	__asm__ volatile("1: ldrb %w1, [%2]\n\t"
			 "2: strb %w1, [%2]\n\t"
			 "mov %0, #1\n\t"
			 "3:\n\t" EX_TABLE("1b", "3b") EX_TABLE("2b", "3b")
			 : "+r"(ok), "=&r"(byte)
			 : "r"(at)
			 : "memory");
	return ok;
}

bool probe_exec_can_fail(void)
{
	return true;
}

bool probe_undefined(void)
{
	u64 ok = 0;

	__asm__ volatile("1: .inst 0\n\t" /* UDF #0 */
			 "b 3f\n\t"
			 "2: mov %0, #1\n\t"
			 "3:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok));
	return ok;
}

bool probe_is_mapped(const void *va)
{
	unsigned long size;

	return arm64_walk(va, &size) & PTE_VALID;
}

/* ENTRY points to a table of LEVEL, or, at level 0, to a page. Tables restrict nothing here, so a leaf alone decides. */
static unsigned long writable_and_executable(u64 entry, unsigned int level)
{
	const u64 *table = paddr_to_virt(_paddr(entry & PTE_ADDR_MASK));
	unsigned long found = 0;

	if (!(entry & PTE_VALID))
		return 0;
	if (level == 0 || !(entry & PTE_TABLE))
		return !(entry & PTE_RO) && !(entry & PTE_XN) ? 1 : 0;
	for (unsigned int i = 0; i < PT_ENTRIES; i++)
		found += writable_and_executable(table[i], level - 1);
	return found;
}

unsigned long probe_writable_and_executable(void)
{
	return writable_and_executable(paddr_x(arm64_page_tables()) | PTE_TABLE | PTE_VALID, 4);
}

paddr_t probe_image_paddr(const void *image)
{
	return arm64_image_paddr(image);
}

int probe_map(void *va, mfn_t mfn)
{
	return arm64_map_pages(va, mfn, 1, PAGE_HYP_RO);
}

void probe_unmap(void *va)
{
	arm64_unmap_pages(va, 1);
}
