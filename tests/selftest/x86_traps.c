// SPDX-License-Identifier: GPL-2.0-or-later
/* What x86-64's exceptions have besides traps_tests.c. */
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/selftest.h>

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

static void look_at_nmi_stack(void *wrong)
{
	u64 *ist_top = (u64 *)this_cpu(x86_tss).ist[IST_NMI - 1];

	if (*ist_top != percpu_offset[smp_processor_id()])
		__atomic_fetch_add((unsigned int *)wrong, 1, __ATOMIC_RELAXED);
}

/* An NMI finds its CPU's data by what lies on top of its own stack. */
SELFTEST(traps, each_nmi_stack_knows_its_cpu)
{
	unsigned int wrong = 0;

	smp_call(&cpu_online_map, look_at_nmi_stack, &wrong);
	EXPECT(wrong == 0);
}
