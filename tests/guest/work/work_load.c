// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words `spin` and `tick`, with `from=MS until=MS` of system time: load for tests of scheduling. The one works all the time, the
 * other sleeps 7 ms, works 50 us, and so on. From `from` on, until `until`, each takes its measures, goes on for a while so
 * that nobody's absence shows in others' figures, and then tells:
 *
 *   load: ran=NS waited=NS slept=NS of=NS        by the hypervisor's account of this vCPU
 *   load: ticks=N latest=NS                       tick: how long after its timer's time it ran, at most
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tiny_work.h"

#include <xen/vcpu.h>

#define MS 1000000UL
#define AFTERWARDS (300 * MS)
#define NAP (7 * MS)
#define STINT (50 * 1000UL)

struct account {
	uint64_t at;
	vcpu_runstate_info_t state;
};

static struct account take_account(void)
{
	struct account a;

	a.at = time_now();
	if (hv_vcpu_op(VCPUOP_get_runstate_info, 0, &a.state))
		tiny_fail("there is no account of this vCPU");
	return a;
}

static uint64_t milliseconds(const char *line, const char *key)
{
	return cmdline_number(line, key, 0) * MS;
}

/* Looks at the clock now and then only: it costs an emulator much. */
static void work_until(uint64_t end)
{
	while (time_now() < end)
		for (volatile unsigned int i = 0; i < 1000; i++)
			;
}

static uint64_t ticks, latest;

/* At the end of the nap if it is before END. */
static void tick_until(uint64_t end)
{
	for (;;) {
		uint64_t due = time_now() + NAP, late;

		if (due > end)
			break;
		timer_sleep(NAP);
		late = time_now() - due;
		ticks++;
		if (late > latest)
			latest = late;
		work_until(time_now() + STINT);
	}
}

static const char *load(const char *line, void (*pass)(uint64_t end))
{
	uint64_t from = milliseconds(line, "from"), until = milliseconds(line, "until");
	struct account a, b;

	if (!until || from >= until || time_now() > from)
		return "from and until are not both to come";
	printf("load: begins\n");
	pass(from);
	ticks = latest = 0;
	a = take_account();
	pass(until);
	b = take_account();
	if (ticks)
		printf("load: ticks=%lu latest=%lu\n", ticks, latest);
	work_until(until + AFTERWARDS);
	printf("load: ran=%lu waited=%lu slept=%lu of=%lu\n",
	       b.state.time[RUNSTATE_running] - a.state.time[RUNSTATE_running],
	       b.state.time[RUNSTATE_runnable] - a.state.time[RUNSTATE_runnable],
	       b.state.time[RUNSTATE_blocked] - a.state.time[RUNSTATE_blocked], b.at - a.at);
	return NULL;
}

const char *work_spin(const char *line)
{
	return load(line, work_until);
}

const char *work_tick(const char *line)
{
	return load(line, tick_until);
}
