// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * platform_op: the machine as a whole, for the initial domain only. It may know the CPUs, and switch
 * itself off, which it takes for the machine. All else that would change something, or belongs to
 * firmware, is the hypervisor's and is not there.
 */
#include "internal.h"
#include <asm/apic.h>
#include <asm/hypercalls.h>
#include <tine/boot_info.h>
#include <tine/domain.h>
#include <xen/platform.h>
#include <xen/sched.h>

#define ACPI_STATE_S5 5

static u32 acpi_id_of(u32 apic_id)
{
	for (unsigned int i = 0; i < boot_info.nr_cpus; i++) {
		if (boot_info.cpus[i].hw_id == apic_id)
			return boot_info.cpus[i].acpi_uid;
	}
	return ~0U;
}

static int cpu_info(struct xenpf_pcpuinfo *info)
{
	u32 cpu = info->xen_cpuid;

	info->max_present = nr_cpus - 1;
	if (!cpu_online(cpu)) {
		info->flags = XEN_PCPU_FLAGS_INVALID;
		return 0;
	}
	info->flags = XEN_PCPU_FLAGS_ONLINE;
	info->apic_id = per_cpu(apic_id_of, cpu);
	info->acpi_id = acpi_id_of(info->apic_id);
	return 0;
}

static int sleep(const struct xenpf_enter_acpi_sleep *op)
{
	if (op->sleep_state != ACPI_STATE_S5)
		return -EINVAL;
	domain_shutdown(current->domain, SHUTDOWN_poweroff);
	return 0;
}

long do_platform_op(unsigned long arg, unsigned long a2, unsigned long a3, unsigned long a4,
		    unsigned long a5)
{
	struct xen_platform_op op;
	long rc;

	if (!current->domain->config.initial)
		return -EPERM;
	if (copy_from_guest(&op, _gva(arg), sizeof(op)))
		return -EFAULT;
	if (op.interface_version != XENPF_INTERFACE_VERSION)
		return -EACCES;
	if (op.cmd == XENPF_get_cpuinfo)
		rc = cpu_info(&op.u.pcpu_info);
	else if (op.cmd == XENPF_enter_acpi_sleep)
		rc = sleep(&op.u.enter_acpi_sleep);
	else
		return hypercall_unknown();
	if (!rc && copy_to_guest(_gva(arg), &op, sizeof(op)))
		rc = -EFAULT;
	return rc;
}
