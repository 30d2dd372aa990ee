// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mca: the machine-check log, for the initial domain only. The hypervisor keeps none, as a machine check ends it, so
 * there is never anything to fetch; its kernel's driver wants to know the CPUs. No state, no lock.
 */
#include "internal.h"
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/hypercalls.h>
#include <tine/cpu.h>
#include <tine/string.h>
#include <xen/arch-x86/xen-mca.h>

/* A CPU as one core of one thread in a package of its own, as guests are told; none of its MSRs are. */
static void describe(unsigned int cpu, xen_mc_logical_cpu_t *info)
{
	memset(info, 0, sizeof(*info));
	info->mc_cpunr = cpu;
	info->mc_chipid = info->mc_apicid = per_cpu(apic_id_of, cpu);
	info->mc_ncores = info->mc_ncores_active = info->mc_nthreads = 1;
	info->mc_family = x86_cpu.family;
	info->mc_model = x86_cpu.model;
	info->mc_step = x86_cpu.stepping;
}

/* As many as there is room for; how many there are, if there is no place for them at all. */
static int cpu_info(struct xen_mc_physcpuinfo *op)
{
	unsigned long out = (unsigned long)op->info.p;
	u32 room = out ? op->ncpus : MAX_CPUS;
	unsigned int cpu;

	op->ncpus = 0;
	for_each_online_cpu (cpu) {
		xen_mc_logical_cpu_t info;

		if (op->ncpus == room)
			break;
		describe(cpu, &info);
		if (out && copy_to_guest(_gva(out + op->ncpus * sizeof(info)), &info, sizeof(info)))
			return -EFAULT;
		op->ncpus++;
	}
	return 0;
}

/* The machine-check log, for the initial domain only: always empty. */
long do_mca(unsigned long arg, unsigned long a2, unsigned long a3, unsigned long a4,
	    unsigned long a5)
{
	struct xen_mc op;
	int rc = 0;

	if (!current->domain->config.initial)
		return -EPERM;
	if (copy_from_guest(&op, _gva(arg), sizeof(op)))
		return -EFAULT;
	if (op.interface_version != XEN_MCA_INTERFACE_VERSION)
		return -EACCES;
	switch (op.cmd) {
	case XEN_MC_fetch:
		op.u.mc_fetch.flags = XEN_MC_NODATA;
		break;
	case XEN_MC_physcpuinfo:
		rc = cpu_info(&op.u.mc_physcpuinfo);
		break;
	default:
		return -ENOSYS;
	}
	if (!rc && copy_to_guest(_gva(arg), &op, sizeof(op)))
		rc = -EFAULT;
	return rc;
}
