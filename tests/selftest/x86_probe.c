// SPDX-License-Identifier: GPL-2.0-or-later
/* What the self-tests ask of x86-64: see probe.h. */
#include "probe.h"
#include <asm/cpufeature.h>
#include <asm/extable.h>
#include <asm/memory.h>
#include <asm/paging.h>
#include <tine/arch.h>

const u8 probe_code[PROBE_CODE_SIZE] = { 0xff, 0xe2 }; /* jmp *%rdx */

bool probe_read(const void *at)
{
	u64 ok = 0;
	u8 byte;

	__asm__ volatile("1: movb %2, %1\n\t"
			 "mov $1, %0\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "=&q"(byte)
			 : "m"(*(const u8 *)at)
			 : "memory");
	return ok;
}

bool probe_write(void *at)
{
	u64 ok = 0;

	__asm__ volatile("1: lock orb $0, %1\n\t"
			 "mov $1, %0\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "+m"(*(u8 *)at)
			 :
			 : "memory", "cc");
	return ok;
}

bool probe_exec_can_fail(void)
{
	return x86_cpu.nx;
}

bool probe_undefined(void)
{
	u64 ok = 0;

	__asm__ volatile("1: ud2\n\t"
			 "jmp 3f\n\t"
			 "2: mov $1, %0\n\t"
			 "3:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok));
	return ok;
}

bool probe_is_mapped(const void *va)
{
	unsigned long size;

	return x86_walk(va, &size) & PTE_P;
}

/* ENTRY points to a table of LEVEL, or, at level 0, to a page. Entries of upper levels allow everything, so a leaf alone decides. */
static unsigned long writable_and_executable(u64 entry, unsigned int level)
{
	const u64 *table = paddr_to_virt(_paddr(entry & PTE_ADDR_MASK));
	unsigned long found = 0;

	if (!(entry & PTE_P))
		return 0;
	if (level == 0 || (level < 3 && (entry & PTE_PSE)))
		return (entry & PTE_RW) && !(entry & PTE_NX) ? 1 : 0;
	for (unsigned int i = 0; i < PT_ENTRIES; i++)
		found += writable_and_executable(table[i], level - 1);
	return found;
}

unsigned long probe_writable_and_executable(void)
{
	const u64 *l4 = x86_master_l4();
	unsigned long found = 0;

	for (unsigned int i = 0; i < PT_ENTRIES; i++)
		found += writable_and_executable(l4[i], 3);
	return found;
}

paddr_t probe_image_paddr(const void *image)
{
	return x86_image_paddr(image);
}

int probe_map(void *va, mfn_t mfn)
{
	return x86_map_pages(va, mfn, 1, PAGE_HYP_RO);
}

void probe_unmap(void *va)
{
	x86_unmap_pages(va, 1);
	arch_tlb_flush(&cpu_online_map);
}
