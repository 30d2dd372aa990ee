// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each CPU's one-shot timer: its local APIC's, by TSC deadline where the CPU has that, else by a
 * 32-bit countdown. A deadline that is further away than the countdown reaches is approached in
 * steps. Own CPU, interrupts off.
 */
#include <asm/apic.h>
#include <asm/clock.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/time.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/time.h>

#define MEASURE_US 500
#define ATTEMPTS 8

static DEFINE_PERCPU(stime_t, timer_deadline) = STIME_MAX;
static u64 timer_khz; /* of the countdown */

/* Both clocks at one moment, as closely as a few attempts get. */
static void read_both(u32 *count, u64 *tsc)
{
	u64 best = ~0UL;

	for (unsigned int i = 0; i < ATTEMPTS; i++) {
		u64 before = rdtsc(), after;
		u32 now = apic_timer_count();

		after = rdtsc();
		if (after - before >= best)
			continue;
		best = after - before;
		*count = now;
		*tsc = before + best / 2;
	}
}

static void measure_countdown(void)
{
	u32 from = 0, to = 0;
	u64 tsc_from = 0, tsc_to = 0;

	apic_timer_set_count(~0U);
	read_both(&from, &tsc_from);
	x86_delay_us(MEASURE_US);
	read_both(&to, &tsc_to);
	apic_timer_set_count(0);
	timer_khz = (from - to) * tsc_khz / (tsc_to - tsc_from);
	if (!timer_khz)
		panic("The local APIC's timer does not count");
}

void x86_timer_init(void)
{
	x86_timer_cpu_init();
	if (x86_cpu.tsc_deadline) {
		pr_info("Timer: local APIC, TSC deadline");
		return;
	}
	measure_countdown();
	pr_info("Timer: local APIC, countdown at %lu.%03lu MHz", timer_khz / 1000,
		timer_khz % 1000);
}

void x86_timer_cpu_init(void)
{
	apic_timer_setup(x86_cpu.tsc_deadline);
	this_cpu(timer_deadline) = STIME_MAX;
}

static void set_countdown(stime_t ns)
{
	u64 n = (u64)min(ns, (stime_t)(3600 * NSEC_PER_SEC));
	u64 count = n / 1000000 * timer_khz + n % 1000000 * timer_khz / 1000000 + 1;

	apic_timer_set_count((u32)min(count, (u64)~0U));
}

void arch_timer_program(stime_t when)
{
	stime_t left = when - system_time();

	this_cpu(timer_deadline) = when;
	if (left < 0)
		left = 0;
	if (x86_cpu.tsc_deadline)
		x86_wrmsr(MSR_TSC_DEADLINE,
			  when == STIME_MAX ? 0 : rdtsc() + stime_to_tsc_delta(left));
	else if (when == STIME_MAX)
		apic_timer_set_count(0);
	else
		set_countdown(left);
}

void x86_timer_tick(void)
{
	stime_t when = this_cpu(timer_deadline);

	if (when == STIME_MAX)
		return; /* stopped while it was on its way */
	if (system_time() < when) {
		arch_timer_program(when);
		return;
	}
	this_cpu(timer_deadline) = STIME_MAX;
	timer_interrupt();
}
