// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System time: the TSC, whose frequency is measured once against the ACPI power-management timer
 * (3.579545 MHz), else against channel 2 of the 8254. Written at start of day only. The wait is
 * some milliseconds and no more, because where instructions are the clock it is paid in
 * instructions.
 */
#include <asm/acpi.h>
#include <asm/clock.h>
#include <asm/cpufeature.h>
#include <asm/io.h>
#include <asm/setup.h>
#include <asm/time.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define PM_TIMER_HZ 3579545UL
#define PM_TIMER_MASK 0xffffffU /* all have 24 bits */
#define PIT_HZ 1193182UL
#define MEASURE_MS 4
#define EDGES 8
#define MAX_READS 2000000 /* of a clock that stands still */

#define PIT_CHANNEL2 0x42
#define PIT_COMMAND 0x43
#define PIT_MODE0_CHANNEL2 0xb0
#define PORT_B 0x61
#define PORT_B_GATE2 0x01
#define PORT_B_SPEAKER 0x02
#define PORT_B_OUT2 0x20

struct clock_scale tsc_scale;
u64 tsc_khz;

stime_t tsc_to_stime(u64 tsc)
{
	return clock_scale_ns(&tsc_scale, tsc);
}

u64 stime_to_tsc_delta(stime_t ns)
{
	u64 n;

	if (ns <= 0)
		return 0;
	n = (u64)min(ns, (stime_t)(86400 * NSEC_PER_SEC));
	return n / 1000000 * tsc_khz + n % 1000000 * tsc_khz / 1000000;
}

u64 arch_cycles(void)
{
	return rdtsc();
}

static u32 pm_timer(void)
{
	return inl(x86_acpi.pm_timer_port) & PM_TIMER_MASK;
}

/*
 * One step of the PM timer and when it was seen: some time in the WINDOW of TSC ticks before TSC.
 */
struct pm_edge {
	u32 count;
	u64 tsc, window;
};

/* False when the timer stands still. */
static bool next_edge(struct pm_edge *e)
{
	u32 start = pm_timer();
	u64 before = rdtsc();

	for (unsigned int i = 0; i < MAX_READS; i++) {
		u64 now;

		e->count = pm_timer();
		now = rdtsc();
		if (e->count != start) {
			e->tsc = now;
			e->window = now - before;
			return true;
		}
		before = now;
	}
	return false;
}

/* The sharpest of a few: an SMI or a busy host between the two readings shows in the window. */
static bool sharp_edge(struct pm_edge *best)
{
	struct pm_edge e;

	if (!next_edge(best))
		return false;
	for (unsigned int i = 1; i < EDGES; i++) {
		if (!next_edge(&e))
			return false;
		if (e.window < best->window)
			*best = e;
	}
	return true;
}

static u32 pm_ticks(const struct pm_edge *from, const struct pm_edge *to)
{
	return (to->count - from->count) & PM_TIMER_MASK;
}

static u64 measure_by_pm_timer(void)
{
	struct pm_edge from, to;

	if (!x86_acpi.pm_timer_port || !sharp_edge(&from))
		return 0;
	do {
		if (!next_edge(&to))
			return 0;
	} while (pm_ticks(&from, &to) < MEASURE_MS * PM_TIMER_HZ / 1000);
	if (!sharp_edge(&to))
		return 0;
	return (to.tsc - from.tsc) * PM_TIMER_HZ / pm_ticks(&from, &to);
}

static u64 measure_by_pit(void)
{
	u16 count = MEASURE_MS * PIT_HZ / 1000;
	u64 start;

	outb(PORT_B, (inb(PORT_B) & (u8)~PORT_B_SPEAKER) | PORT_B_GATE2);
	outb(PIT_COMMAND, PIT_MODE0_CHANNEL2);
	outb(PIT_CHANNEL2, (u8)count);
	outb(PIT_CHANNEL2, (u8)(count >> 8));
	start = rdtsc();
	for (unsigned int i = 0; i < MAX_READS; i++)
		if (inb(PORT_B) & PORT_B_OUT2)
			return (rdtsc() - start) * PIT_HZ / count;
	return 0;
}

void arch_time_init(void)
{
	const char *by = "ACPI PM timer";
	u64 hz = measure_by_pm_timer();

	if (!hz) {
		by = "8254";
		hz = measure_by_pit();
	}
	if (!hz)
		panic("Neither an ACPI PM timer nor an 8254 counts: the TSC cannot be calibrated");
	tsc_khz = hz / 1000;
	clock_scale_set(&tsc_scale, x86_boot_tsc, hz);
	pr_info("TSC: %lu.%03lu MHz by the %s%s", tsc_khz / 1000, tsc_khz % 1000, by,
		x86_cpu.invariant_tsc ? ", invariant" : "");
	x86_timer_init();
	x86_wallclock_init();
}

void x86_delay_us(unsigned int us)
{
	u64 until = rdtsc() + stime_to_tsc_delta(us * NSEC_PER_USEC);

	while (rdtsc() < until)
		cpu_relax();
}
