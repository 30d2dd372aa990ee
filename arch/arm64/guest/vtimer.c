// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's virtual timer: the CPU's own while the vCPU is on it (DDI 0487, D11.2). Its physical interrupt, taken by us, becomes the guest's PPI 27 and
 * stays active until the guest has ended that, so it does not come again meanwhile; that it is active belongs to the vCPU and goes with it from CPU to CPU.
 * Off the CPU an alarm of the hypervisor's wakes the vCPU when the timer is due, which then fires as soon as it is loaded.
 */
#include "internal.h"
#include <asm/gic.h>
#include <asm/platform.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/domain.h>

#define CTL_ENABLE 1UL
#define CTL_MASKED 2UL
#define CTL_FIRES 4UL
#define FAR_SECONDS (10UL * 365 * 86400)

static u32 intid(void)
{
	return arm64_platform.timer_virtual;
}

/* Only a vCPU that is loaded has the timer on. */
static bool fires(u32 irq)
{
	struct vcpu *v = current;

	if (vcpu_is_idle(v))
		return true;
	v->arch.guest.timer_active = true;
	(void)__atomic_fetch_or(&v->arch.guest.gic.pending, BIT(GUEST_PPI_TIMER), __ATOMIC_SEQ_CST);
	return false;
}

void vtimer_init(void)
{
	if (!intid())
		panic("The device tree names no interrupt for the virtual timer");
	gic_handle(intid(), fires);
}

void vtimer_cpu_init(void)
{
	write_sysreg(cntv_ctl_el0, 0);
	isb();
	gic_enable(intid(), true);
}

/* ---- While it is loaded ---- */

static bool asks(u64 ctl)
{
	return (ctl & (CTL_ENABLE | CTL_MASKED | CTL_FIRES)) == (CTL_ENABLE | CTL_FIRES);
}

bool vtimer_due(const struct vcpu *v)
{
	return v->arch.guest.gic.enabled & BIT(GUEST_PPI_TIMER) &&
	       !(v->arch.guest.gic.listed & BIT(GUEST_PPI_TIMER)) &&
	       asks(read_sysreg(cntv_ctl_el0));
}

/* Taken, not yet given to the guest, and not wanted any more: as if it had not been. */
static void withdraw(struct guest_vcpu *g)
{
	g->timer_active = false;
	(void)__atomic_fetch_and(&g->gic.pending, ~BIT(GUEST_PPI_TIMER), __ATOMIC_SEQ_CST);
	gic_deactivate(intid());
}

void vtimer_enter(struct vcpu *v)
{
	struct guest_vcpu *g = &v->arch.guest;

	if (g->timer_active && !(g->gic.listed & BIT(GUEST_PPI_TIMER)) &&
	    !asks(read_sysreg(cntv_ctl_el0)))
		withdraw(g);
}

/* With a GICv3 the CPU has seen to the physical one. */
void vtimer_ended(struct vcpu *v)
{
	v->arch.guest.timer_active = false;
	if (!gic_is_v3())
		gic_deactivate(intid());
}

/* ---- Off the CPU ---- */

static void alarm(void *arg)
{
	vcpu_unblock(arg);
}

void vtimer_vcpu_create(struct vcpu *v)
{
	timer_init(&v->arch.guest.alarm, alarm, v, v->cpu);
}

/* One that is years away is never. */
static void set_alarm(struct vcpu *v)
{
	const struct guest_sysregs *s = &v->arch.guest.sys;
	u64 when = s->cntv_cval + v->domain->arch.count_offset;
	s64 left = (s64)(when - arm64_count());

	if ((s->cntv_ctl & (CTL_ENABLE | CTL_MASKED)) != CTL_ENABLE ||
	    left > (s64)(arm64_timer_hz * FAR_SECONDS))
		return;
	timer_set(&v->arch.guest.alarm, left <= 0 ? 0 : clock_scale_ns(&arm64_clock_scale, when));
}

void vtimer_rearm(struct vcpu *v)
{
	timer_stop(&v->arch.guest.alarm);
	set_alarm(v);
}

void vtimer_save(struct vcpu *v)
{
	struct guest_vcpu *g = &v->arch.guest;

	g->sys.cntv_ctl = read_sysreg(cntv_ctl_el0);
	g->sys.cntv_cval = read_sysreg(cntv_cval_el0);
	write_sysreg(cntv_ctl_el0, 0);
	isb();
	if (g->timer_active)
		gic_deactivate(intid());
	if (!vcpu_runnable(v))
		set_alarm(v);
}

void vtimer_load(struct vcpu *v)
{
	struct guest_vcpu *g = &v->arch.guest;

	timer_stop(&g->alarm);
	timer_migrate(&g->alarm, smp_processor_id());
	if (g->timer_active)
		gic_activate(intid());
	write_sysreg(cntvoff_el2, v->domain->arch.count_offset);
	write_sysreg(cntv_cval_el0, g->sys.cntv_cval);
	write_sysreg(cntv_ctl_el0, g->sys.cntv_ctl);
	isb();
}
