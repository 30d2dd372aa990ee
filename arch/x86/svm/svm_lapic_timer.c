// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The timer of a PVH vCPU's local APIC (Intel SDM vol. 3, 10.5.4): a count that begins at the initial value and raises the vector of its table entry at
 * 0, once or again and again. One count of the undivided clock is a nanosecond. There is no mode with a TSC deadline, and CPUID offers none.
 *
 * It counts on whether its vCPU runs or not, as the system time does. The vCPU starts and stops it; its end comes from a timer of the CPU where the
 * vCPU was last.
 */
#include "internal.h"
#include <tine/arch.h>
#include <tine/time.h>

#define LVT_MASKED (1U << 16)
#define LVT_PERIODIC (1U << 17)
#define VECTOR_FIRST 16U
#define PERIOD_MIN (100 * NSEC_PER_USEC) /* a shorter one would keep the CPU from everybody else */

/* 2, 4, ... 128, 1, by bits 0, 1 and 3. */
static unsigned int divisor_shift(u32 divide)
{
	return ((divide & 3) + (divide & 8 ? 4 : 0) + 1) & 7;
}

static void count_ended(void *arg)
{
	struct vcpu *v = arg;
	struct svm_lapic *a = &v->arch.svm->lapic;
	u32 lvt = READ_ONCE(a->regs[LAPIC_LVT_TIMER]);
	u8 vector = (u8)lvt;

	if (!(lvt & LVT_MASKED) && vector >= VECTOR_FIRST)
		svm_lapic_raise(v, vector);
	if (!(lvt & LVT_PERIODIC)) {
		a->timer_end = 0;
		return;
	}
	a->timer_end = max(a->timer_end, system_time() - a->timer_period) + a->timer_period;
	timer_set(&v->arch.svm->lapic_timer, a->timer_end);
}

void svm_lapic_timer_start(struct vcpu *v)
{
	struct svm_lapic *a = &v->arch.svm->lapic;
	stime_t count = (stime_t)a->regs[LAPIC_TIMER_INITIAL]
			<< divisor_shift(a->regs[LAPIC_TIMER_DIVIDE]);

	timer_stop(&v->arch.svm->lapic_timer);
	a->timer_end = 0;
	if (!count)
		return;
	if (a->regs[LAPIC_LVT_TIMER] & LVT_PERIODIC)
		count = max(count, (stime_t)PERIOD_MIN);
	a->timer_period = count;
	a->timer_end = system_time() + count;
	timer_set(&v->arch.svm->lapic_timer, a->timer_end);
}

void svm_lapic_timer_resume(struct vcpu *v)
{
	stime_t end = v->arch.svm->lapic.timer_end;

	if (end)
		timer_set(&v->arch.svm->lapic_timer, end);
	else
		timer_stop(&v->arch.svm->lapic_timer);
}

u32 svm_lapic_timer_count(const struct vcpu *v)
{
	const struct svm_lapic *a = &v->arch.svm->lapic;
	stime_t left = READ_ONCE(a->timer_end) - system_time();

	return left > 0 ? (u32)(left >> divisor_shift(a->regs[LAPIC_TIMER_DIVIDE])) : 0;
}

void svm_lapic_timer_init(struct vcpu *v)
{
	timer_init(&v->arch.svm->lapic_timer, count_ended, v, 0);
}

void svm_lapic_timer_kill(struct vcpu *v)
{
	timer_kill(&v->arch.svm->lapic_timer);
}

void svm_lapic_timer_here(struct vcpu *v)
{
	timer_migrate(&v->arch.svm->lapic_timer, smp_processor_id());
}
