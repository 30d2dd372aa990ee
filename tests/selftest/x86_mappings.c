// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor's own address space: what must fault does, and no page is both writable and
 * executable.
 */
#include "x86_probe.h"
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/string.h>

extern const char text_start[], rodata_start[], rodata_end[]; /* image.lds.S */

static u8 code_in_data[] = PROBE_CODE;
static const u8 code_in_rodata[] = PROBE_CODE;

/* A constant as something that can be written to: the tests do it on purpose. */
static void *writable(const void *p)
{
	return (void *)(uintptr_t)p;
}

static void *last_byte_before(const void *p)
{
	return (void *)((uintptr_t)p - 1);
}

static void *direct_map_of(const void *image)
{
	return paddr_to_virt(x86_image_paddr(image));
}

SELFTEST(mappings, text_cannot_be_written)
{
	EXPECT(probe_read(text_start));
	EXPECT(!probe_write(writable(text_start)));
	EXPECT(!probe_write(last_byte_before(rodata_start)));
}

SELFTEST(mappings, constants_cannot_be_written)
{
	EXPECT(probe_read(code_in_rodata));
	EXPECT(!probe_write(writable(code_in_rodata)));
	EXPECT(!probe_write(last_byte_before(rodata_end)));
	EXPECT(probe_write(writable(rodata_end)));
}

SELFTEST(mappings, direct_map_gives_no_way_around)
{
	EXPECT(probe_read(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(code_in_rodata)));
	EXPECT(probe_write(direct_map_of(code_in_data)));
}

SELFTEST(mappings, data_cannot_be_executed)
{
	u8 code_on_stack[] = PROBE_CODE;
	u8 *page = heap_alloc_pages(0, 0);

	if (!x86_cpu.nx) {
		selftest_skip("this CPU has no NX");
		return;
	}
	EXPECT(!x86_probe_exec(code_in_data));
	EXPECT(!x86_probe_exec(code_in_rodata));
	EXPECT(!x86_probe_exec(code_on_stack));
	EXPECT(!x86_probe_exec(direct_map_of(code_in_data)));
	REQUIRE(page != NULL);
	memcpy(page, code_in_data, sizeof(code_in_data));
	EXPECT(!x86_probe_exec(page));
	heap_free_pages(page, 0);
}

SELFTEST(mappings, boot_mappings_are_gone)
{
	EXPECT(!probe_read(NULL));
	EXPECT(!probe_read((const void *)0x7c00UL));
	EXPECT(!probe_read((const void *)0x200000UL));
	EXPECT(!probe_read((const void *)0x8000000000000000UL)); /* not canonical: #GP, not #PF */
}

/*
 * Regions are sorted and neighbours of one type merged, so the frame behind a RAM region is not
 * RAM.
 */
SELFTEST(mappings, direct_map_has_ram_only)
{
	unsigned int looked_at = 0;

	for (unsigned int i = 0; i < boot_info.nr_regions; i++) {
		const struct mem_region *r = &boot_info.regions[i];
		unsigned long first = ROUND_UP(paddr_x(r->start), PAGE_SIZE);
		unsigned long behind = ROUND_UP(paddr_x(r->end), PAGE_SIZE), size;

		if (r->type != MEM_RAM || behind <= first + PAGE_SIZE ||
		    behind > paddr_x(mfn_to_paddr(arch_direct_map_limit())))
			continue;
		looked_at++;
		EXPECT(x86_walk(paddr_to_virt(_paddr(first)), &size) & PTE_P);
		EXPECT(x86_walk(paddr_to_virt(_paddr(behind)), &size) == 0);
	}
	EXPECT(looked_at > 0);
}

SELFTEST(mappings, guard_pages_below_all_stacks)
{
	unsigned int cpu;

	EXPECT(probe_write(boot_stack));
	EXPECT(!probe_read(boot_stack_guard));
	for_each_online_cpu (cpu) {
		for (unsigned int ist = 0; ist < IST_COUNT; ist++) {
			unsigned long top = per_cpu(x86_tss, cpu).ist[ist];

			EXPECT(arch_stack_end(top) == ROUND_UP(top, PAGE_SIZE));
			EXPECT(probe_write((void *)(top - 8)));
			EXPECT(!probe_read((void *)(ROUND_UP(top, PAGE_SIZE) - 2 * PAGE_SIZE - 1)));
		}
	}
}

/* ENTRY points to a table of LEVEL, or, at level 0, to a page. */
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

/* Entries of upper levels allow everything, so a leaf alone decides. */
SELFTEST(mappings, nothing_is_writable_and_executable)
{
	const u64 *l4 = x86_master_l4();
	unsigned long found = 0;

	if (!x86_cpu.nx) {
		selftest_skip("this CPU has no NX");
		return;
	}
	for (unsigned int i = 0; i < PT_ENTRIES; i++) {
		bool ours =
			i >= HYPERVISOR_SLOT_FIRST && i < HYPERVISOR_SLOT_FIRST + HYPERVISOR_SLOTS;

		EXPECT(ours || l4[i] == 0);
		found += writable_and_executable(l4[i], 3);
	}
	EXPECT(found == 0);
}

SELFTEST(mappings, control_registers_as_cpuid_allows)
{
	EXPECT(!!(x86_read_cr4() & CR4_SMEP) == x86_cpu.smep);
	EXPECT(!!(x86_read_cr4() & CR4_SMAP) == x86_cpu.smap);
	EXPECT(!!(x86_rdmsr(MSR_EFER) & EFER_NXE) == x86_cpu.nx);
	EXPECT(x86_read_cr0() & CR0_WP);
}
