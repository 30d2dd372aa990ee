// SPDX-License-Identifier: GPL-2.0-or-later
/* What arm64's own address space has besides mappings_tests.c. */
#include "probe.h"
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/stack.h>
#include <tine/arch.h>
#include <tine/selftest.h>

/* All that is left of them is the page in which a CPU turns its MMU on. */
SELFTEST(mappings, boot_mappings_are_gone)
{
	const char *own = (const char *)(paddr_x(arm64_image_paddr(arm64_mmu_on)) & PAGE_MASK);

	EXPECT(!probe_read(NULL));
	EXPECT(probe_read(own));
	EXPECT(!probe_write((void *)(uintptr_t)own));
	EXPECT(!probe_read(own - 1));
	EXPECT(!probe_read(own + PAGE_SIZE));
	EXPECT(!probe_read((const void *)0xffff000000000000UL)); /* beyond 48 bits */
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

static void look_at_tables(void *bad)
{
	if (read_sysreg(sctlr_el2) != SCTLR_FINAL || !(SCTLR_FINAL & SCTLR_WXN) ||
	    read_sysreg(ttbr0_el2) != paddr_x(arm64_page_tables()))
		__atomic_fetch_add((unsigned int *)bad, 1, __ATOMIC_RELAXED);
}

SELFTEST(mappings, all_cpus_have_the_same)
{
	unsigned int bad = 0;

	smp_call(&cpu_online_map, look_at_tables, &bad);
	EXPECT(bad == 0);
}
