// SPDX-License-Identifier: GPL-2.0-or-later
/* What x86-64's own address space has besides mappings_tests.c. */
#include "probe.h"
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/selftest.h>

SELFTEST(mappings, boot_mappings_are_gone)
{
	EXPECT(!probe_read(NULL));
	EXPECT(!probe_read((const void *)0x7c00UL));
	EXPECT(!probe_read((const void *)0x200000UL));
	EXPECT(!probe_read((const void *)0x8000000000000000UL)); /* not canonical: #GP, not #PF */
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

SELFTEST(mappings, guests_slots_are_empty)
{
	const u64 *l4 = x86_master_l4();

	for (unsigned int i = 0; i < PT_ENTRIES; i++)
		EXPECT(l4[i] == 0 || (i >= HYPERVISOR_SLOT_FIRST &&
				      i < HYPERVISOR_SLOT_FIRST + HYPERVISOR_SLOTS));
}

SELFTEST(mappings, control_registers_as_cpuid_allows)
{
	EXPECT(!!(x86_read_cr4() & CR4_SMEP) == x86_cpu.smep);
	EXPECT(!!(x86_read_cr4() & CR4_SMAP) == x86_cpu.smap);
	EXPECT(!!(x86_rdmsr(MSR_EFER) & EFER_NXE) == x86_cpu.nx);
	EXPECT(x86_read_cr0() & CR0_WP);
}

static volatile u64 *const window = (volatile u64 *)(DEVICE_VIRT_START + GiB(1) - PAGE_SIZE);

static void read_window(void *wrong)
{
	if (*window != 0x2222)
		__atomic_fetch_add((unsigned int *)wrong, 1, __ATOMIC_RELAXED);
}

/* Without taking the mapping away in between, and by the flush of that page alone. */
SELFTEST(tlb, a_mapping_that_is_replaced_is_seen_by_all_after_its_flush)
{
	u64 *first = heap_alloc_pages(0, 0), *second = heap_alloc_pages(0, 0);
	void *va = (void *)(uintptr_t)window;
	unsigned int wrong = 0;

	REQUIRE(first && second);
	*first = 0x1111;
	*second = 0x2222;
	REQUIRE(x86_map_pages(va, virt_to_mfn(first), 1, PAGE_HYP_RO) == 0);
	smp_call(&cpu_online_map, read_window, &wrong);
	EXPECT(wrong != 0);
	REQUIRE(x86_map_pages(va, virt_to_mfn(second), 1, PAGE_HYP_RO) == 0);
	arch_tlb_flush_page(&cpu_online_map, va);
	wrong = 0;
	smp_call(&cpu_online_map, read_window, &wrong);
	EXPECT(wrong == 0);
	probe_unmap(va);
	heap_free_pages(first, 0);
	heap_free_pages(second, 0);
}
