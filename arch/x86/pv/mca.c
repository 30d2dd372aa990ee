// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine checks, as the initial domain asks for them (public arch-x86/xen-mca.h). Tine keeps no records:
 * a machine check ends the machine. So a log daemon finds the CPUs that there are, and never any news.
 * Answers are those of Xen 4.17, but for injecting errors, which is not offered.
 */
#include "internal.h"
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/hypercalls.h>
#include <tine/boot_info.h>
#include <tine/string.h>
#include <xen/arch-x86/xen-mca.h>

/* All CPUs are taken to be of the kind that this one is. */
static void describe(xen_mc_logical_cpu_t *info, unsigned int cpu)
{
	struct cpuid_regs vendor = cpuid(0, 0), version = cpuid(1, 0);

	*info = (xen_mc_logical_cpu_t){
		.mc_cpunr = cpu,
		.mc_chipid = cpu,
		.mc_apicid = per_cpu(apic_id_of, cpu),
		.mc_ncores = 1,
		.mc_ncores_active = 1,
		.mc_nthreads = 1,
		.mc_cpuid_level = (s32)vendor.eax,
		.mc_family = x86_cpu.family,
		.mc_model = x86_cpu.model,
		.mc_step = x86_cpu.stepping,
	};
	memcpy(&info->mc_vendorid[0], &vendor.ebx, 4);
	memcpy(&info->mc_vendorid[4], &vendor.edx, 4);
	memcpy(&info->mc_vendorid[8], &vendor.ecx, 4);
	info->mc_cpu_caps[MC_CAPS_STD_EDX] = version.edx;
	info->mc_cpu_caps[MC_CAPS_STD_ECX] = version.ecx;
}

/* Without room for them, the number of CPUs; else as many as there is room for. */
static int physical_cpus(struct xen_mc_physcpuinfo *op)
{
	gva_t list = _gva((unsigned long)op->info.p);
	xen_mc_logical_cpu_t info;
	u32 room = op->ncpus, n = 0;
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		if (op->info.p && n == room)
			break;
		describe(&info, cpu);
		if (op->info.p &&
		    copy_to_guest(gva_add(list, n * sizeof(info)), &info, sizeof(info)))
			return -EFAULT;
		n++;
	}
	op->ncpus = n;
	return 0;
}

static int fetch(struct xen_mc_fetch *op)
{
	if (op->flags & ~(u32)(XEN_MC_NONURGENT | XEN_MC_URGENT | XEN_MC_ACK))
		return -EINVAL;
	if (op->flags & XEN_MC_ACK)
		return 0;
	if (!op->data.p)
		return -EINVAL;
	op->flags = XEN_MC_NODATA;
	op->fetch_id = 0;
	return 0;
}

/* Machine checks: for the initial domain, which finds that there are none. */
long do_mca(unsigned long arg, unsigned long a2, unsigned long a3, unsigned long a4,
	    unsigned long a5)
{
	struct xen_mc op;
	int rc;

	if (!current->domain->config.initial)
		return -EPERM;
	if (copy_from_guest(&op, _gva(arg), sizeof(op)))
		return -EFAULT;
	if (op.interface_version != XEN_MCA_INTERFACE_VERSION)
		return -EACCES;
	switch (op.cmd) {
	case XEN_MC_fetch:
		rc = fetch(&op.u.mc_fetch);
		break;
	case XEN_MC_physcpuinfo:
		rc = physical_cpus(&op.u.mc_physcpuinfo);
		break;
	case XEN_MC_msrinject:
	case XEN_MC_mceinject:
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
	if (!rc && copy_to_guest(_gva(arg), &op, sizeof(op)))
		rc = -EFAULT;
	return rc;
}
