// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Firmware as a guest finds it, by HVC #0 or SMC: PSCI 1.1 (DEN 0022) and what SMCCC 1.1 (DEN 0028) asks for. A CPU that is off has VCPU_DOWN; who
 * turns it on takes that back, under the domain's lock, so of two only one does.
 */
#include "internal.h"
#include <tine/arch.h>
#include <tine/domain.h>
#include <xen/sched.h>

#define PSCI_VERSION 0x84000000U
#define PSCI_CPU_OFF 0x84000002U
#define PSCI_CPU_SUSPEND 0x84000001U
#define PSCI_CPU_ON 0x84000003U
#define PSCI_AFFINITY_INFO 0x84000004U
#define PSCI_MIGRATE_INFO_TYPE 0x84000006U
#define PSCI_SYSTEM_OFF 0x84000008U
#define PSCI_SYSTEM_RESET 0x84000009U
#define PSCI_FEATURES 0x8400000aU
#define SMCCC_VERSION 0x80000000U
#define SMCCC_ARCH_FEATURES 0x80000001U
#define FUNCTION_64BIT 0x40000000U

#define PSCI_IS_1_1 0x10001
#define SMCCC_IS_1_1 0x10001
#define NO_TRUSTED_OS 2

#define SUCCESS 0L
#define NOT_SUPPORTED -1L
#define INVALID_PARAMETERS -2L
#define ALREADY_ON -4L
#define INTERNAL_FAILURE -6L

#define MPIDR_AFFINITY 0xff00ffffffUL
#define AFFINITY_ON 0
#define AFFINITY_OFF 1

static struct vcpu *vcpu_of(const struct domain *d, u64 affinity)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i)
		if ((arm64_vcpu_mpidr(v) & MPIDR_AFFINITY) == affinity)
			return v;
	return NULL;
}

static bool is_off(const struct vcpu *v)
{
	return READ_ONCE(v->pause_flags) & BIT(VCPU_DOWN);
}

static long cpu_on(struct domain *d, u64 affinity, u64 entry, u64 context)
{
	struct vcpu *v = vcpu_of(d, affinity);
	long rc = ALREADY_ON;

	if (!v)
		return INVALID_PARAMETERS;
	if (is_off(v))
		vcpu_stop_wait(v); /* it may be on its way off */
	spin_lock(&d->lock);
	if (is_off(v)) {
		arm64_vcpu_reset(v, entry, context);
		v->initialised = true;
		vcpu_wake(v, VCPU_DOWN);
		rc = SUCCESS;
	}
	spin_unlock(&d->lock);
	return rc;
}

static long affinity_info(const struct domain *d, u64 affinity, u64 level)
{
	const struct vcpu *v = vcpu_of(d, affinity);

	if (!v || level)
		return INVALID_PARAMETERS;
	return is_off(v) ? AFFINITY_OFF : AFFINITY_ON;
}

/* The state that it may lose is kept: a suspended CPU is one that waits, as in WFI. */
static long cpu_suspend(struct vcpu *v)
{
	vcpu_block();
	if (vgic_waits(v))
		vcpu_unblock(v);
	return SUCCESS;
}

/* Should the domain be run again, the call has failed. */
static long end(struct domain *d, u32 reason)
{
	domain_shutdown(d, reason);
	return INTERNAL_FAILURE;
}

static long features(u32 function)
{
	switch (function & ~FUNCTION_64BIT) {
	case PSCI_CPU_SUSPEND:
	case PSCI_CPU_ON:
	case PSCI_AFFINITY_INFO:
		return SUCCESS;
	default:
		break;
	}
	switch (function) {
	case PSCI_VERSION:
	case PSCI_CPU_OFF:
	case PSCI_MIGRATE_INFO_TYPE:
	case PSCI_SYSTEM_OFF:
	case PSCI_SYSTEM_RESET:
	case PSCI_FEATURES:
	case SMCCC_VERSION:
		return SUCCESS;
	default:
		return NOT_SUPPORTED;
	}
}

static long call(struct vcpu *v, u32 function, u64 a1, u64 a2, u64 a3)
{
	struct domain *d = v->domain;

	switch (function) {
	case PSCI_VERSION:
		return PSCI_IS_1_1;
	case PSCI_CPU_OFF:
		vcpu_go_down(v);
		return SUCCESS;
	case PSCI_CPU_SUSPEND:
	case PSCI_CPU_SUSPEND | FUNCTION_64BIT:
		return cpu_suspend(v);
	case PSCI_CPU_ON:
		return cpu_on(d, (u32)a1, (u32)a2, (u32)a3);
	case PSCI_CPU_ON | FUNCTION_64BIT:
		return cpu_on(d, a1, a2, a3);
	case PSCI_AFFINITY_INFO:
		return affinity_info(d, (u32)a1, (u32)a2);
	case PSCI_AFFINITY_INFO | FUNCTION_64BIT:
		return affinity_info(d, a1, a2);
	case PSCI_MIGRATE_INFO_TYPE:
		return NO_TRUSTED_OS;
	case PSCI_SYSTEM_OFF:
		return end(d, SHUTDOWN_poweroff);
	case PSCI_SYSTEM_RESET:
		return end(d, SHUTDOWN_reboot);
	case PSCI_FEATURES:
		return features((u32)a1);
	case SMCCC_VERSION:
		return SMCCC_IS_1_1;
	case SMCCC_ARCH_FEATURES:
		return (u32)a1 == SMCCC_VERSION ? SUCCESS : NOT_SUPPORTED;
	default:
		return NOT_SUPPORTED;
	}
}

void arm64_guest_psci(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;

	r->x[0] = (u64)call(v, (u32)r->x[0], r->x[1], r->x[2], r->x[3]);
}
