// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `wait`: does nothing until the store says how to end. Shows what it is asked: `wait:
 * control/shutdown = reboot`.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tiny_store.h"
#include "tiny_work.h"
#include "tinypv.h"

static bool told;

static void store_told(unsigned int port)
{
	(void)port;
	told = true;
}

static void sleep_until_told(void)
{
	events_off();
	while (!told) {
		hv_sched_op(SCHEDOP_block, NULL);
		events_off();
	}
	told = false;
	events_on();
}

static void __noreturn reboot(void)
{
	sched_shutdown_t shutdown = { .reason = SHUTDOWN_reboot };

	for (;;)
		hv_sched_op(SCHEDOP_shutdown, &shutdown);
}

/* What the watched node holds now; true: go on to the end, with whatever else was asked for. */
static bool look(const char *path)
{
	if (!store_call(XS_READ, 0, path, NULL) || !*store_answer)
		return false;
	printf("wait: %s = %s\n", path, store_answer);
	if (!strcmp(store_answer, "reboot"))
		reboot();
	return !strcmp(store_answer, "poweroff");
}

const char *work_wait(const char *line)
{
	char path[64];

	(void)line;
	if (!tiny_start_info->store_mfn || tiny_start_info->flags & SIF_INITDOMAIN)
		return "there is no store to wait for";
	event_bind(tiny_start_info->store_evtchn, store_told);
	if (!store_call(XS_WATCH, 0, "control/shutdown", "t") ||
	    !store_call(XS_WATCH, 0, "memory/target", "t"))
		return "watches are refused";
	printf("wait: ready\n");
	for (;;) {
		while (store_next_event()) {
			snprintf(path, sizeof(path), "%s", store_answer);
			if (look(path))
				return NULL;
		}
		sleep_until_told();
	}
}
