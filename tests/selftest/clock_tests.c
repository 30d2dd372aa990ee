// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clocks on all CPUs: system time agrees between them, one-shot timers come on time, the wall clock
 * makes sense.
 */
#include <tine/arch.h>
#include <tine/selftest.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <tine/time.h>

static stime_t read_at[MAX_CPUS];

static void read_clock(void *arg)
{
	(void)arg;
	read_at[smp_processor_id()] = system_time();
}

SELFTEST(time, cpus_agree_on_system_time)
{
	for (unsigned int round = 0; round < 100; round++) {
		stime_t before = system_time(), after;
		unsigned int cpu;

		smp_call(&cpu_online_map, read_clock, NULL);
		after = system_time();
		for_each_online_cpu (cpu)
			EXPECT(read_at[cpu] >= before && read_at[cpu] <= after);
	}
}

SELFTEST(time, system_time_does_not_step_back)
{
	stime_t last = system_time();

	for (unsigned int i = 0; i < 100000; i++) {
		stime_t now = system_time();

		REQUIRE(now >= last);
		last = now;
	}
}

SELFTEST(time, wall_clock_is_of_this_century)
{
	u64 sec;
	u32 nsec;

	wallclock_at_boot(&sec, &nsec);
	EXPECT(sec > 1577836800 && sec < 4102444800); /* 2020 .. 2100 */
	EXPECT(nsec < NSEC_PER_SEC);
}

#define TIMER_ROUNDS 5
#define TIMER_STEP (2 * NSEC_PER_MSEC)

struct timer_run {
	struct timer timer;
	unsigned int fired, early, on_wrong_cpu;
};
static struct timer_run runs[MAX_CPUS];

static void fire(void *arg)
{
	struct timer_run *run = arg;
	stime_t now = system_time();

	run->early += now < run->timer.expires;
	run->on_wrong_cpu += run != &runs[smp_processor_id()];
	if (++run->fired < TIMER_ROUNDS)
		timer_set(&run->timer, now + TIMER_STEP);
}

static void start_run(void *arg)
{
	unsigned int cpu = smp_processor_id();

	(void)arg;
	timer_init(&runs[cpu].timer, fire, &runs[cpu], cpu);
	timer_set(&runs[cpu].timer, system_time() + TIMER_STEP);
}

/*
 * Self-tests run on CPU 0 outside the main loop, which would process its softirqs: here the test
 * does.
 */
static bool wait_for_all(stime_t until)
{
	while (system_time() < until) {
		unsigned int cpu, done = 1;

		softirq_process();
		for_each_online_cpu (cpu)
			done &= READ_ONCE(runs[cpu].fired) == TIMER_ROUNDS;
		if (done)
			return true;
		cpu_relax();
	}
	return false;
}

SELFTEST(time, timers_come_on_every_cpu_and_never_early)
{
	unsigned int cpu;

	memset(runs, 0, sizeof(runs));
	smp_call(&cpu_online_map, start_run, NULL);
	EXPECT(wait_for_all(system_time() + 20 * NSEC_PER_SEC));
	for_each_online_cpu (cpu) {
		EXPECT(runs[cpu].fired == TIMER_ROUNDS);
		EXPECT(runs[cpu].early == 0);
		EXPECT(runs[cpu].on_wrong_cpu == 0);
		timer_kill(&runs[cpu].timer);
	}
}
