// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vcpu_op: starting and stopping a domain's vCPUs, their timers, and the areas that they share with
 * the hypervisor (ABI pages 6.2 and 12.2). The target is often not the caller: Linux prepares a
 * vCPU from another one.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <tine/vcpu.h>
#include <xen/sched.h>
#include "internal.h"

#define PERIOD_MIN NSEC_PER_MSEC
#define PERIOD_MAX (3600 * NSEC_PER_SEC)

static long initialise(struct vcpu *v, gva_t arg)
{
	struct domain *d = v->domain;
	long ret;

	spin_lock(&d->lock);
	ret = v->initialised ? -EEXIST : arch_vcpu_set_context(v, arg);
	if (!ret)
		v->initialised = true;
	spin_unlock(&d->lock);
	if (ret == -ERESTART)
		return hypercall_continue(__HYPERVISOR_vcpu_op, VCPUOP_initialise, v->id,
					  gva_x(arg), 0, 0);
	return ret;
}

static long up(struct vcpu *v)
{
	if (!READ_ONCE(v->initialised))
		return -EINVAL;
	vcpu_wake(v, VCPU_DOWN);
	return 0;
}

static long get_runstate(struct vcpu *v, gva_t arg)
{
	vcpu_runstate_info_t rec;

	vcpu_get_runstate(v, &rec);
	return copy_to_guest(arg, &rec, sizeof(rec)) ? -EFAULT : 0;
}

/* The address is one in the page tables that V will run on; the caller's need not have it. */
static long register_runstate(struct vcpu *v, gva_t arg)
{
	vcpu_register_runstate_memory_area_t area;

	if (copy_from_guest(&area, arg, sizeof(area)))
		return -EFAULT;
	v->runstate_guest = _gva(area.addr.p);
	if (!area.addr.p)
		return 0;
	if (v == current)
		vcpu_publish_runstate(v);
	else
		(void)get_runstate(v, v->runstate_guest);
	return 0;
}

static long register_time(struct vcpu *v, gva_t arg)
{
	vcpu_register_time_memory_area_t area;

	if (copy_from_guest(&area, arg, sizeof(area)))
		return -EFAULT;
	v->time_guest = _gva(area.addr.p);
	if (v == current)
		vcpu_update_time(v);
	return 0;
}

static long set_periodic(struct vcpu *v, gva_t arg)
{
	vcpu_set_periodic_timer_t set;

	if (copy_from_guest(&set, arg, sizeof(set)))
		return -EFAULT;
	if (set.period_ns < PERIOD_MIN || set.period_ns > PERIOD_MAX)
		return -EINVAL;
	vcpu_set_periodic(v, (stime_t)set.period_ns);
	return 0;
}

static long set_singleshot(struct vcpu *v, gva_t arg)
{
	vcpu_set_singleshot_timer_t set;

	if (v != current)
		return -EINVAL;
	if (copy_from_guest(&set, arg, sizeof(set)))
		return -EFAULT;
	if ((set.flags & VCPU_SSHOTTMR_future) &&
	    guest_deadline(set.timeout_abs_ns) < system_time())
		return -ETIME;
	timer_set(&v->singleshot, guest_deadline(set.timeout_abs_ns));
	return 0;
}

static long stop_singleshot(struct vcpu *v)
{
	if (v != current)
		return -EINVAL;
	timer_stop(&v->singleshot);
	return 0;
}

static long register_info(struct vcpu *v, gva_t arg)
{
	vcpu_register_vcpu_info_t reg;
	struct page *pg;
	void *va;
	long ret;

	if (copy_from_guest(&reg, arg, sizeof(reg)))
		return -EFAULT;
	if (reg.offset > PAGE_SIZE - sizeof(vcpu_info_t))
		return -ENXIO;
	/* Its words are changed by locked instructions, which must not cross a cache line. */
	if (reg.offset % __alignof__(vcpu_info_t))
		return -ENXIO;
	if (v != current && !(READ_ONCE(v->pause_flags) & BIT(VCPU_DOWN)))
		return -EINVAL;
	ret = arch_map_guest_frame(v->domain, reg.mfn, &pg, &va);
	if (ret == -ERESTART)
		return hypercall_continue(__HYPERVISOR_vcpu_op, VCPUOP_register_vcpu_info, v->id,
					  gva_x(arg), 0, 0);
	if (ret)
		return ret;
	spin_lock(&v->domain->evtchn.lock);
	ret = vcpu_move_info(v, (vcpu_info_t *)((char *)va + reg.offset), pg);
	if (!ret)
		v->info_frame = reg.mfn;
	spin_unlock(&v->domain->evtchn.lock);
	if (ret)
		arch_unmap_guest_frame(pg, va);
	return ret;
}

long do_vcpu_op(unsigned long cmd, unsigned long id, unsigned long arg, unsigned long a4,
		unsigned long a5)
{
	struct vcpu *v = domain_vcpu(current->domain, (u32)id);

	if (!v)
		return -ENOENT;
	switch ((u32)cmd) {
	case VCPUOP_initialise:
		return initialise(v, _gva(arg));
	case VCPUOP_up:
		return up(v);
	case VCPUOP_down:
		vcpu_go_down(v);
		return 0;
	case VCPUOP_is_up:
		return !(READ_ONCE(v->pause_flags) & BIT(VCPU_DOWN));
	case VCPUOP_get_runstate_info:
		return get_runstate(v, _gva(arg));
	case VCPUOP_register_runstate_memory_area:
		return register_runstate(v, _gva(arg));
	case VCPUOP_register_vcpu_time_memory_area:
		return register_time(v, _gva(arg));
	case VCPUOP_set_periodic_timer:
		return set_periodic(v, _gva(arg));
	case VCPUOP_stop_periodic_timer:
		vcpu_set_periodic(v, 0);
		return 0;
	case VCPUOP_set_singleshot_timer:
		return set_singleshot(v, _gva(arg));
	case VCPUOP_stop_singleshot_timer:
		return stop_singleshot(v);
	case VCPUOP_register_vcpu_info:
		return register_info(v, _gva(arg));
	case VCPUOP_get_physid:
		return -EINVAL; /* no vCPU is pinned to a CPU for good */
	case VCPUOP_send_nmi:
		if (arg)
			return -EINVAL;
		arch_vcpu_send_nmi(v);
		return 0;
	default:
		return hypercall_unknown();
	}
}
