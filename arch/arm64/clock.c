// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System time: the generic timer's physical count, whose frequency firmware has left in CNTFRQ_EL0 or the device tree says. All CPUs count alike
 * (DDI 0487, D11.1). And each CPU's one-shot timer: the EL2 physical timer, which no guest sees. Written at start of day only.
 */
#include <asm/efi.h>
#include <asm/gic.h>
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/platform.h>
#include <asm/sysreg.h>
#include <asm/time.h>
#include <asm/timer.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/time.h>
#include <xen/xen.h>

#define CTL_ENABLE 1
#define PL031_DATA 0
#define FAR_AWAY (86400 * NSEC_PER_SEC)

struct clock_scale arm64_clock_scale;
u64 arm64_timer_hz;
u64 arm64_boot_count;
static u64 wallclock_sec;

u64 arm64_stime_to_count(stime_t ns)
{
	u64 n = ns <= 0 ? 0 : (u64)min(ns, (stime_t)FAR_AWAY);

	return n / NSEC_PER_SEC * arm64_timer_hz +
	       DIV_ROUND_UP(n % NSEC_PER_SEC * arm64_timer_hz, (u64)NSEC_PER_SEC);
}

u64 arch_cycles(void)
{
	return arm64_count();
}

u64 arch_boot_cycles(void)
{
	return arm64_boot_count;
}

/* Level-triggered: it must not be asked for any more when it is deactivated. */
static bool timer_fires(u32 intid)
{
	write_sysreg(cnthp_ctl_el2, 0);
	isb();
	timer_interrupt();
	return true;
}

void arch_timer_program(stime_t when)
{
	if (when == STIME_MAX) {
		write_sysreg(cnthp_ctl_el2, 0);
	} else {
		write_sysreg(cnthp_cval_el2,
			     arm64_count() + arm64_stime_to_count(when - system_time()));
		write_sysreg(cnthp_ctl_el2, CTL_ENABLE);
	}
	isb();
}

void arm64_timer_cpu_init(void)
{
	write_sysreg(cnthp_ctl_el2, 0);
	isb();
	gic_enable(arm64_platform.timer_hyp, true);
}

void arch_time_record(struct vcpu_time_info *rec)
{
	u64 count = arm64_count();

	rec->tsc_timestamp = count;
	rec->system_time = (u64)clock_scale_ns(&arm64_clock_scale, count);
	rec->tsc_to_system_mul = arm64_clock_scale.mul;
	rec->tsc_shift = arm64_clock_scale.shift;
}

/* The clock of the day: what UEFI said, or a PL031 (DDI 0224), which counts seconds since 1970. Without one, the day begins with the machine. */
static void read_wallclock(void)
{
	volatile void *rtc = NULL;

	wallclock_sec = arm64_efi_map.seconds;
	if (wallclock_sec)
		return;
	if (arm64_platform.rtc.size)
		rtc = arm64_map_device(arm64_platform.rtc.start, PAGE_SIZE);
	if (!rtc) {
		pr_warn("No clock of the day: it begins with 1970");
		return;
	}
	wallclock_sec = read32(rtc, PL031_DATA) - (u64)(system_time() / NSEC_PER_SEC);
}

void wallclock_at_boot(u64 *sec, u32 *nsec)
{
	*sec = wallclock_sec;
	*nsec = 0;
}

void arch_time_init(void)
{
	arm64_timer_hz = read_sysreg(cntfrq_el0);
	if (arm64_platform.timer_hz)
		arm64_timer_hz = arm64_platform.timer_hz;
	if (!arm64_timer_hz)
		panic("Neither CNTFRQ_EL0 nor the device tree says how fast the generic timer "
		      "counts");
	if (!arm64_platform.timer_hyp)
		panic("The device tree names no interrupt for the EL2 physical timer");
	clock_scale_set(&arm64_clock_scale, arm64_boot_count, arm64_timer_hz);
	gic_handle(arm64_platform.timer_hyp, timer_fires);
	arm64_timer_cpu_init();
	pr_info("Timer: generic timer, %lu.%03lu MHz, one tick is %lu ns, interrupt %u",
		arm64_timer_hz / 1000000, arm64_timer_hz / 1000 % 1000,
		(u64)NSEC_PER_SEC / arm64_timer_hz, arm64_platform.timer_hyp);
	read_wallclock();
}
