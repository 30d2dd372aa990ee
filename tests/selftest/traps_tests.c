// SPDX-License-Identifier: GPL-2.0-or-later
/* Exceptions taken in the hypervisor, and what each CPU has of its own. */
#include "probe.h"
#include <tine/arch.h>
#include <tine/selftest.h>
#include <tine/string.h>

SELFTEST(traps, fault_keeps_all_registers)
{
	EXPECT(probe_registers() == 0);
}

SELFTEST(traps, exception_table_also_serves_undefined_instructions)
{
	for (unsigned int i = 0; i < 1000; i++)
		EXPECT(probe_undefined());
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
	unsigned int cpu, other;

	memset(seen, 0xff, sizeof(seen));
	smp_call(&cpu_online_map, look, NULL);
	for_each_online_cpu (cpu) {
		EXPECT(seen[cpu].number == cpu);
		EXPECT(seen[cpu].area == (char *)&per_cpu(cpu_number, 0) + percpu_offset[cpu]);
		for_each_online_cpu (other)
			EXPECT(other == cpu ||
			       arch_stack_end((unsigned long)seen[cpu].stack) !=
				       arch_stack_end((unsigned long)seen[other].stack));
	}
}
