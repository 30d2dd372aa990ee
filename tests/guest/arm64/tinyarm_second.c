// SPDX-License-Identifier: GPL-2.0-or-later
/* A second CPU for tests: one at a time, on a stack of its own. */
#include "tinyarm_second.h"
#include "tiny_event.h"
#include "tiny_hypercall.h"

#define SECOND 1               /* its affinity */
#define PATIENCE 60000000000ul /* ns; a host may be slow */

extern const char tinyarm_secondary[];

static struct {
	uint64_t unused[2046];
	void (*begin)(void); /* where tinyarm_secondary looks, x0 being its end */
	uint64_t pad;
} stack __attribute__((aligned(16)));

static void (*runs)(void);

static void begin(void)
{
	runs();
	firmware_call(PSCI_CPU_OFF, 0, 0, 0);
}

bool second_cpu_run(void (*run)(void))
{
	runs = run;
	stack.begin = begin;
	return !firmware_call(PSCI_CPU_ON, SECOND, (uint64_t)tinyarm_secondary,
			      (uint64_t)(&stack + 1));
}

static bool is_on(void)
{
	return firmware_call(PSCI_AFFINITY_INFO, SECOND, 0, 0) == PSCI_CPU_IS_ON;
}

bool second_cpu_is_off(void)
{
	uint64_t until = time_now() + PATIENCE;

	while (is_on() && time_now() < until)
		hv_sched_op(SCHEDOP_yield, NULL);
	return !is_on();
}
