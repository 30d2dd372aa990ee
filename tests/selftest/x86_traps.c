// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exceptions and interrupts taken in the hypervisor, per-CPU data, and what CPUs ask of one
 * another.
 */
#include "x86_probe.h"
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/selftest.h>
#include <tine/string.h>

SELFTEST(traps, fault_keeps_all_registers)
{
	EXPECT(x86_probe_registers() == 0);
}

static bool ud2_returns(void)
{
	u64 ok = 0;

	__asm__ volatile("1: ud2\n\t"
			 "jmp 3f\n\t"
			 "2: mov $1, %0\n\t"
			 "3:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok));
	return ok;
}

SELFTEST(traps, exception_table_also_serves_invalid_opcodes)
{
	for (unsigned int i = 0; i < 1000; i++)
		EXPECT(ud2_returns());
}

SELFTEST(traps, nmi_leaves_everything_as_it_was)
{
	unsigned int cpu = smp_processor_id();

	__asm__ volatile("int $2"); /* through the gate with its own stack, like the real one */
	EXPECT(cpu == smp_processor_id());
	EXPECT(local_irqs_enabled());
}

static u64 watched;

/* A guest may have a breakpoint on memory that the hypervisor then writes on its behalf. */
SELFTEST(traps, breakpoints_and_steps_in_the_hypervisor_are_survived)
{
	unsigned int cpu = smp_processor_id(), before = this_cpu(x86_debug_traps);

	__asm__ volatile("mov %0, %%db0" : : "r"(&watched));
	__asm__ volatile("mov %0, %%db7" : : "r"(0xd0402UL)); /* slot 0, writes of 8 bytes */
	WRITE_ONCE(watched, 1);
	__asm__ volatile("mov %0, %%db7" : : "r"(0x400UL));
	__asm__ volatile("pushf; orl $0x100, (%%rsp); popf; nop; nop" : : : "memory", "cc");
	EXPECT((local_irq_flags() & 0x100) == 0);
	EXPECT(watched == 1);
	EXPECT(this_cpu(x86_debug_traps) == before + 2);
	EXPECT(cpu == smp_processor_id());
}

struct seen {
	unsigned int number;
	const void *area, *stack;
	u64 nmi_base;
};
static struct seen seen[MAX_CPUS];

static void look(void *arg)
{
	unsigned int cpu = smp_processor_id();
	u64 *ist_top = (u64 *)this_cpu(x86_tss).ist[IST_NMI - 1];

	(void)arg;
	seen[cpu].number = this_cpu(cpu_number);
	seen[cpu].area = &per_cpu(cpu_number, cpu);
	seen[cpu].stack = __builtin_frame_address(0);
	seen[cpu].nmi_base = *ist_top;
}

SELFTEST(traps, each_cpu_has_its_own_data_and_stack)
{
	unsigned int cpu, other;

	memset(seen, 0xff, sizeof(seen));
	smp_call(&cpu_online_map, look, NULL);
	for_each_online_cpu (cpu) {
		EXPECT(seen[cpu].number == cpu);
		EXPECT(seen[cpu].nmi_base == percpu_offset[cpu]);
		for_each_online_cpu (other) {
			EXPECT(other == cpu || seen[cpu].area != seen[other].area);
			EXPECT(other == cpu || seen[cpu].stack != seen[other].stack);
		}
	}
}

static void flush_everyone(void *rounds)
{
	for (unsigned long i = 0; i < *(unsigned long *)rounds; i++)
		arch_tlb_flush(&cpu_online_map);
}

/* Interrupts are off in each of them, so each must serve the others while it waits. */
SELFTEST(tlb, all_cpus_flush_each_other_at_once)
{
	unsigned long rounds = 40; /* slow where a host has fewer CPUs than we */

	smp_call(&cpu_online_map, flush_everyone, &rounds);
}

static volatile u64 *const window = (volatile u64 *)(DEVICE_VIRT_START + GiB(1) - PAGE_SIZE);
static u64 read_by[MAX_CPUS];

static void read_window(void *arg)
{
	(void)arg;
	read_by[smp_processor_id()] = *window;
}

static bool all_read(u64 want)
{
	unsigned int cpu;
	bool same = true;

	memset(read_by, 0, sizeof(read_by));
	smp_call(&cpu_online_map, read_window, NULL);
	for_each_online_cpu (cpu)
		same = same && read_by[cpu] == want;
	return same;
}

SELFTEST(tlb, a_changed_mapping_is_seen_by_all_after_the_flush)
{
	u64 *first = heap_alloc_pages(0, 0), *second = heap_alloc_pages(0, 0);
	void *va = (void *)(uintptr_t)window;

	REQUIRE(first && second);
	*first = 0x1111;
	*second = 0x2222;
	REQUIRE(x86_map_pages(va, virt_to_mfn(first), 1, PAGE_HYP_RO) == 0);
	EXPECT(all_read(0x1111));
	REQUIRE(x86_map_pages(va, virt_to_mfn(second), 1, PAGE_HYP_RO) == 0);
	arch_tlb_flush_page(&cpu_online_map, va);
	EXPECT(all_read(0x2222));
	EXPECT(!probe_write(va));
	x86_unmap_pages(va, 1);
	arch_tlb_flush(&cpu_online_map);
	EXPECT(!probe_read(va));
	heap_free_pages(first, 0);
	heap_free_pages(second, 0);
}
