// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What CPUs ask of one another: calls run once on each CPU named and on no other, also when all CPUs call all others
 * at the same time, and a CPU that is halted wakes for a timer that another one sets on it.
 */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <tine/time.h>

static unsigned int calls[MAX_CPUS];

static void note_call(void *arg)
{
	__atomic_fetch_add(&calls[smp_processor_id()], *(unsigned int *)arg, __ATOMIC_RELAXED);
}

/* One call of note_call(step) on MASK: did exactly those CPUs run it? */
static bool reaches(const cpumask_t *mask, unsigned int step)
{
	bool right = true;

	memset(calls, 0, sizeof(calls));
	smp_call(mask, note_call, &step);
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
		bool named = cpumask_test(mask, cpu) && cpu_online(cpu);

		right &= calls[cpu] == (named ? step : 0);
	}
	return right;
}

SELFTEST(ipi, calls_reach_each_cpu_alone)
{
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		cpumask_t mask = { 0 };

		cpumask_set(&mask, cpu);
		EXPECT(reaches(&mask, cpu + 1));
	}
}

SELFTEST(ipi, calls_reach_all_and_none)
{
	cpumask_t everyone, nobody = { 0 };

	memset(&everyone, 0xff, sizeof(everyone)); /* CPUs that do not exist are passed over */
	for (unsigned int i = 1; i <= 20; i++)
		EXPECT(reaches(&cpu_online_map, i));
	EXPECT(reaches(&everyone, 7));
	EXPECT(reaches(&nobody, 7));
}

/* ---- All CPUs call all CPUs. Calls are not made in interrupt context, so each does it from a timer ---- */

#define STORM_CALLS 15 /* each waits for all CPUs, which a loaded host runs one after the other */
#define PATIENCE (20 * NSEC_PER_SEC)

static struct timer timers[MAX_CPUS];
static unsigned int fired[MAX_CPUS];

static void call_everybody(void *arg)
{
	unsigned int one = 1, cpu = smp_processor_id();

	(void)arg;
	for (unsigned int i = 0; i < STORM_CALLS; i++)
		smp_call(&cpu_online_map, note_call, &one);
	WRITE_ONCE(fired[cpu], fired[cpu] + 1);
}

/* Self-tests run outside the main loop of CPU 0, which would look at softirqs: until all have fired the test does. */
static bool wait_for_timers(void)
{
	stime_t until = system_time() + PATIENCE;

	while (system_time() < until) {
		unsigned int cpu, missing = 0;

		softirq_process();
		for_each_online_cpu (cpu)
			missing += !READ_ONCE(fired[cpu]);
		if (!missing)
			return true;
		cpu_relax();
	}
	return false;
}

/* FN on every CPU by a timer that this CPU sets, all for one moment; then they have fired once each. */
static void by_timer_on_all(void (*fn)(void *arg))
{
	stime_t when = system_time() + 5 * NSEC_PER_MSEC;
	unsigned int cpu;

	memset(fired, 0, sizeof(fired));
	for_each_online_cpu (cpu) {
		timer_init(&timers[cpu], fn, (void *)(uintptr_t)cpu, cpu);
		timer_set(&timers[cpu], when);
	}
	EXPECT(wait_for_timers());
	for_each_online_cpu (cpu) {
		timer_kill(&timers[cpu]);
		EXPECT(fired[cpu] == 1);
	}
}

SELFTEST(ipi, all_cpus_call_all_cpus_at_once)
{
	unsigned int cpu, n = 0;

	memset(calls, 0, sizeof(calls));
	for_each_online_cpu (cpu)
		n++;
	by_timer_on_all(call_everybody);
	for_each_online_cpu (cpu)
		EXPECT(calls[cpu] == n * STORM_CALLS);
}

static void note_fired(void *arg)
{
	unsigned int cpu = (unsigned int)(uintptr_t)arg;

	EXPECT(cpu == smp_processor_id());
	EXPECT(system_time() >= timers[cpu].expires);
	WRITE_ONCE(fired[cpu], fired[cpu] + 1);
}

SELFTEST(ipi, a_timer_set_from_afar_wakes_its_cpu)
{
	for (unsigned int i = 0; i < 10; i++)
		by_timer_on_all(note_fired);
}

SELFTEST(ipi, a_timer_stopped_from_afar_stays_silent)
{
	unsigned int cpu;

	memset(fired, 0, sizeof(fired));
	for_each_online_cpu (cpu) {
		timer_init(&timers[cpu], note_fired, (void *)(uintptr_t)cpu, cpu);
		timer_set(&timers[cpu], system_time() + NSEC_PER_SEC / 5);
	}
	for_each_online_cpu (cpu)
		timer_stop(&timers[cpu]);
	for (stime_t until = system_time() + NSEC_PER_SEC / 4; system_time() < until;)
		softirq_process();
	for_each_online_cpu (cpu) {
		EXPECT(fired[cpu] == 0);
		timer_kill(&timers[cpu]);
	}
}
