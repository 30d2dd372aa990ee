// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which CPUs a PVH guest may use: those of its configuration, but on QEMU with several CPUs never the first.
 *
 * QEMU 7.2 emulates FERR#: whoever loads x87 state, on any CPU (FNINIT, FLDENV, FXRSTOR, XRSTOR), clears a bit of the first CPU's word of flags,
 * by a load and a store from its own thread (cpu_clear_ignne(); first_cpu's hflags2). The same word says whether that CPU is behind nested paging
 * and whether it takes interrupts, which VMRUN, #VMEXIT, CLGI and STGI change. What they do between that load and that store is undone: the
 * hypervisor runs behind the guest's nested tables, or the guest without, and cannot even fetch its own interrupt handlers, a triple fault; or interrupts stay
 * off for good. Nothing that a guest may do about its x87 state can be held back, but a CPU that never enters a guest by VMRUN has nothing to lose.
 *
 * Called once for each domain, before it has vCPUs. No lock.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <tine/arch.h>

#define QEMU_FIRST_CPU 0U

/* What is online of FROM but for that one; false: nothing. */
static bool without_first(const cpumask_t *from, cpumask_t *rest)
{
	unsigned int cpu;
	bool any = false;

	*rest = (cpumask_t){ { 0 } };
	for_each_online_cpu (cpu) {
		if (cpu == QEMU_FIRST_CPU || !cpumask_test(from, cpu))
			continue;
		cpumask_set(rest, cpu);
		any = true;
	}
	return any;
}

void svm_settle_affinity(struct domain *d)
{
	cpumask_t others, rest;
	static bool said;

	if (!x86_cpu.qemu_tcg || !without_first(&cpu_online_map, &others))
		return;
	if (!said)
		pr_info("PVH guests: not on CPU %u, whose state QEMU changes from other CPUs\n",
			QEMU_FIRST_CPU);
	said = true;
	if (!without_first(&d->config.affinity, &rest)) {
		pr_warn("Domain \"%s\": none of its CPUs is another one, it may use all others\n",
			d->config.name);
		rest = others;
	}
	d->config.affinity = rest;
}
