// SPDX-License-Identifier: GPL-2.0-or-later
/* The hypervisor's own address space: what must fault does, and no page is both writable and executable. */
#include "arm64_probe.h"
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/stack.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/string.h>

extern const char text_start[]; /* image.lds.S */

static u32 code_in_data = PROBE_CODE;
static const u32 code_in_rodata = PROBE_CODE;

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
	return paddr_to_virt(arm64_image_paddr(image));
}

SELFTEST(mappings, text_cannot_be_written)
{
	EXPECT(probe_read(text_start));
	EXPECT(!probe_write(writable(text_start)));
	EXPECT(!probe_write(last_byte_before(rodata_start)));
}

SELFTEST(mappings, constants_cannot_be_written)
{
	EXPECT(probe_read(&code_in_rodata));
	EXPECT(!probe_write(writable(&code_in_rodata)));
	EXPECT(!probe_write(last_byte_before(rodata_end)));
	EXPECT(probe_write(writable(rodata_end)));
}

SELFTEST(mappings, direct_map_gives_no_way_around)
{
	EXPECT(probe_read(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(text_start)));
	EXPECT(!probe_write(direct_map_of(&code_in_rodata)));
	EXPECT(probe_write(direct_map_of(&code_in_data)));
}

SELFTEST(mappings, data_cannot_be_executed)
{
	u32 code_on_stack = PROBE_CODE;
	u32 *page = heap_alloc_pages(0, 0);

	EXPECT(!arm64_probe_exec(&code_in_data));
	EXPECT(!arm64_probe_exec(&code_in_rodata));
	EXPECT(!arm64_probe_exec(&code_on_stack));
	EXPECT(!arm64_probe_exec(direct_map_of(&code_in_data)));
	EXPECT(!arm64_probe_exec(direct_map_of(text_start)));
	REQUIRE(page != NULL);
	*page = PROBE_CODE;
	EXPECT(!arm64_probe_exec(page));
	heap_free_pages(page, 0);
}

/* All that is left of them is the page in which a CPU turns its MMU on. */
SELFTEST(mappings, boot_mappings_are_gone)
{
	const char *own = (const char *)(paddr_x(arm64_image_paddr(arm64_mmu_on)) & PAGE_MASK);

	EXPECT(!probe_read(NULL));
	EXPECT(probe_read(own));
	EXPECT(!probe_write(writable(own)));
	EXPECT(!probe_read(own - 1));
	EXPECT(!probe_read(own + PAGE_SIZE));
	EXPECT(!probe_read((const void *)0xffff000000000000UL)); /* beyond 48 bits */
}

/* Regions are sorted and neighbours of one type merged, so the frame behind a RAM region is not RAM: reserved memory is not mapped. */
SELFTEST(mappings, direct_map_has_ram_only)
{
	unsigned int looked_at = 0;

	for (unsigned int i = 0; i < boot_info.nr_regions; i++) {
		const struct mem_region *r = &boot_info.regions[i];
		unsigned long first = ROUND_UP(paddr_x(r->start), PAGE_SIZE);
		unsigned long behind = ROUND_UP(paddr_x(r->end), PAGE_SIZE), size;

		if (r->type != MEM_RAM || behind <= first + PAGE_SIZE ||
		    behind >= paddr_x(mfn_to_paddr(arch_direct_map_limit())))
			continue;
		looked_at++;
		EXPECT(arm64_walk(paddr_to_virt(_paddr(first)), &size) & PTE_VALID);
		EXPECT(arm64_walk(paddr_to_virt(_paddr(behind)), &size) == 0);
	}
	EXPECT(looked_at > 0);
}

SELFTEST(mappings, guards_below_all_stacks)
{
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		char *top = arm64_stack_top(cpu), *bottom = top - STACK_SIZE;

		EXPECT(arch_stack_end((unsigned long)top - 8) == (unsigned long)top);
		EXPECT(arch_stack_end((unsigned long)bottom) == (unsigned long)top);
		EXPECT(probe_read(bottom));
		EXPECT(!probe_read(bottom - 1));
		EXPECT(!probe_read(bottom - STACK_SIZE));
		EXPECT(arm64_stack_guards((unsigned long)bottom - 1));
		EXPECT(!arm64_stack_guards((unsigned long)bottom));
	}
}

/* ENTRY points to a table of LEVEL, or, at level 0, to a page. */
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

/* Tables restrict nothing here, so a leaf alone decides. */
SELFTEST(mappings, nothing_is_writable_and_executable)
{
	EXPECT(writable_and_executable(paddr_x(arm64_page_tables()) | PTE_TABLE | PTE_VALID, 4) ==
	       0);
	EXPECT(read_sysreg(sctlr_el2) & SCTLR_WXN);
	EXPECT(read_sysreg(ttbr0_el2) == paddr_x(arm64_page_tables()));
}

static void look_at_tables(void *bad)
{
	if (read_sysreg(sctlr_el2) != SCTLR_FINAL ||
	    read_sysreg(ttbr0_el2) != paddr_x(arm64_page_tables()))
		__atomic_fetch_add((unsigned int *)bad, 1, __ATOMIC_RELAXED);
}

SELFTEST(mappings, all_cpus_have_the_same)
{
	unsigned int bad = 0;

	smp_call(&cpu_online_map, look_at_tables, &bad);
	EXPECT(bad == 0);
}
