// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor's own address space: what must fault does, no page is both writable and executable, and a mapping that changes does so for all CPUs.
 */
#include "probe.h"
#include <asm/memory.h>
#include <asm/setup.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/string.h>

extern const char text_start[], rodata_start[], rodata_end[]; /* image.lds.S */

static u8 data[PROBE_CODE_SIZE] __aligned(PROBE_CODE_SIZE) = { 1 };

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
	return paddr_to_virt(probe_image_paddr(image));
}

SELFTEST(mappings, text_cannot_be_written)
{
	EXPECT(probe_read(text_start));
	EXPECT(!probe_write(writable(text_start)));
	EXPECT(!probe_write(last_byte_before(rodata_start)));
}

SELFTEST(mappings, constants_cannot_be_written)
{
	EXPECT(probe_read(probe_code));
	EXPECT(!probe_write(writable(probe_code)));
	EXPECT(!probe_write(last_byte_before(rodata_end)));
	EXPECT(probe_write(writable(rodata_end)));
}

SELFTEST(mappings, direct_map_gives_no_way_around)
{
	EXPECT(probe_read(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(probe_code)));
	EXPECT(probe_write(direct_map_of(data)));
}

SELFTEST(mappings, data_cannot_be_executed)
{
	u8 on_stack[PROBE_CODE_SIZE] __aligned(PROBE_CODE_SIZE);
	u8 *page = heap_alloc_pages(0, 0);

	if (!probe_exec_can_fail()) {
		selftest_skip("this CPU has no NX");
		return;
	}
	REQUIRE(page != NULL);
	memcpy(data, probe_code, PROBE_CODE_SIZE);
	memcpy(on_stack, probe_code, PROBE_CODE_SIZE);
	memcpy(page, probe_code, PROBE_CODE_SIZE);
	EXPECT(!probe_exec(data));
	EXPECT(!probe_exec(probe_code));
	EXPECT(!probe_exec(on_stack));
	EXPECT(!probe_exec(page));
	EXPECT(!probe_exec(direct_map_of(data)));
	EXPECT(!probe_exec(direct_map_of(text_start)));
	heap_free_pages(page, 0);
}

/* Regions are sorted and neighbours of one type merged, so the frame behind a RAM region is not RAM: reserved memory is not mapped. */
SELFTEST(mappings, direct_map_has_ram_only)
{
	unsigned int looked_at = 0;

	for (unsigned int i = 0; i < boot_info.nr_regions; i++) {
		const struct mem_region *r = &boot_info.regions[i];
		unsigned long first = ROUND_UP(paddr_x(r->start), PAGE_SIZE);
		unsigned long behind = ROUND_UP(paddr_x(r->end), PAGE_SIZE);

		if (r->type != MEM_RAM || behind <= first + PAGE_SIZE ||
		    behind >= paddr_x(mfn_to_paddr(arch_direct_map_limit())))
			continue;
		looked_at++;
		EXPECT(probe_is_mapped(paddr_to_virt(_paddr(first))));
		EXPECT(!probe_is_mapped(paddr_to_virt(_paddr(behind))));
	}
	EXPECT(looked_at > 0);
}

SELFTEST(mappings, nothing_is_writable_and_executable)
{
	if (!probe_exec_can_fail()) {
		selftest_skip("this CPU has no NX");
		return;
	}
	EXPECT(probe_writable_and_executable() == 0);
}

/* ---- Mappings that change ---- */

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
	REQUIRE(probe_map(va, virt_to_mfn(first)) == 0);
	EXPECT(all_read(0x1111));
	EXPECT(!probe_write(va));
	probe_unmap(va);
	EXPECT(all_read(CANNOT_READ));
	REQUIRE(probe_map(va, virt_to_mfn(second)) == 0);
	EXPECT(all_read(0x2222));
	probe_unmap(va);
	EXPECT(all_read(CANNOT_READ));
	heap_free_pages(first, 0);
	heap_free_pages(second, 0);
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
