// SPDX-License-Identifier: GPL-2.0-or-later
/* Exceptions taken in the hypervisor, per-CPU data, mappings that change, and registers that libraries may use. */
#include "arm64_probe.h"
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/string.h>

SELFTEST(traps, fault_keeps_all_registers)
{
	EXPECT(arm64_probe_registers() == 0);
}

static bool udf_returns(void)
{
	u64 ok = 0;

	__asm__ volatile("1: .inst 0\n\t" /* UDF #0 */
			 "b 3f\n\t"
			 "2: mov %0, #1\n\t"
			 "3:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok));
	return ok;
}

SELFTEST(traps, exception_table_also_serves_undefined_instructions)
{
	for (unsigned int i = 0; i < 1000; i++)
		EXPECT(udf_returns());
}

struct seen {
	unsigned int number;
	const void *area, *stack;
};
static struct seen seen[MAX_CPUS];

static void look(void *arg)
{
	unsigned int cpu = smp_processor_id();

	(void)arg;
	seen[cpu].number = this_cpu(cpu_number);
	seen[cpu].area = &per_cpu(cpu_number, cpu);
	seen[cpu].stack = __builtin_frame_address(0);
}

SELFTEST(traps, each_cpu_has_its_own_data_and_stack)
{
	unsigned int cpu;

	memset(seen, 0xff, sizeof(seen));
	smp_call(&cpu_online_map, look, NULL);
	for_each_online_cpu (cpu) {
		EXPECT(seen[cpu].number == cpu);
		EXPECT(seen[cpu].area == (char *)&per_cpu(cpu_number, 0) + percpu_offset[cpu]);
		EXPECT(arch_stack_end((unsigned long)seen[cpu].stack) ==
		       (unsigned long)arm64_stack_top(cpu));
	}
}

static __noinline unsigned long deeper(unsigned long n)
{
	volatile char room[256];

	room[0] = (char)n;
	return n ? deeper(n - 1) + (unsigned long)room[0] : 0;
}

/* Ends the machine, with "Stack overflow" and where it happened: tests/qemu/test_arm64.py looks. */
SELFTEST(traps, overflow, .by_name_only = true)
{
	EXPECT(deeper(1000000) == 1);
}

static volatile u64 *const window = (volatile u64 *)(DEVICE_VIRT_START + GiB(1) - PAGE_SIZE);
static u64 read_by[MAX_CPUS];

#define CANNOT_READ ~0UL

static void read_window(void *arg)
{
	const void *va = (const void *)(uintptr_t)window;

	(void)arg;
	read_by[smp_processor_id()] = probe_read(va) ? *window : CANNOT_READ;
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

SELFTEST(tlb, a_changed_mapping_is_seen_by_all)
{
	u64 *first = heap_alloc_pages(0, 0), *second = heap_alloc_pages(0, 0);
	void *va = (void *)(uintptr_t)window;

	REQUIRE(first && second);
	*first = 0x1111;
	*second = 0x2222;
	REQUIRE(arm64_map_pages(va, virt_to_mfn(first), 1, PAGE_HYP_RO) == 0);
	EXPECT(all_read(0x1111));
	EXPECT(!probe_write(va));
	arm64_unmap_pages(va, 1);
	EXPECT(all_read(CANNOT_READ));
	REQUIRE(arm64_map_pages(va, virt_to_mfn(second), 1, PAGE_HYP_RO) == 0);
	EXPECT(all_read(0x2222));
	arm64_unmap_pages(va, 1);
	EXPECT(all_read(CANNOT_READ));
	heap_free_pages(first, 0);
	heap_free_pages(second, 0);
}

static void flush_everyone(void *rounds)
{
	for (unsigned long i = 0; i < *(unsigned long *)rounds; i++)
		arch_tlb_flush(&cpu_online_map);
}

SELFTEST(tlb, all_cpus_flush_each_other_at_once)
{
	unsigned long rounds = 40;

	smp_call(&cpu_online_map, flush_everyone, &rounds);
}

/* A guest's floating-point registers are in the CPU while the hypervisor runs. */
SELFTEST(library, floating_point_registers_come_back)
{
	u64 want = 0x123456789abcdef0, got;
	unsigned long flags;

	__asm__ volatile(".arch_extension fp\n\tfmov d0, %0\n\tfmov d31, %0" : : "r"(want));
	flags = arch_library_begin();
	__asm__ volatile(".arch_extension fp\n\tfmov d0, xzr\n\tfmov d31, xzr" : :);
	arch_library_end(flags);
	__asm__ volatile(".arch_extension fp\n\tfmov %0, d0" : "=r"(got));
	EXPECT(got == want);
	__asm__ volatile(".arch_extension fp\n\tfmov %0, d31" : "=r"(got));
	EXPECT(got == want);
}

/* memcpy and its kin are C here: sizes and distances around what they do at once. */
SELFTEST(library, memory_functions)
{
	static u8 a[1200], b[1200];

	for (unsigned int size = 0; size < 600; size += size < 80 ? 1 : 13) {
		for (unsigned int at = 0; at < 17; at += 3) {
			for (unsigned int i = 0; i < sizeof(a); i++)
				a[i] = b[i] = (u8)(i * 7 + 1);
			memset(a + at, 0, size);
			for (unsigned int i = 0; i < sizeof(a); i++)
				EXPECT(a[i] == (i >= at && i < at + size ? 0 : b[i]));
			memcpy(a, b, sizeof(a));
			memmove(a + at, a + 8, size);
			for (unsigned int i = 0; i < size; i++)
				EXPECT(a[at + i] == b[8 + i]);
			EXPECT(a[at + size] == b[at + size]);
		}
	}
}
