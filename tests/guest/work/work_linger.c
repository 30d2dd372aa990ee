// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line words `linger`, `fail` and `oops`. The first sleeps, repeats each line typed on its console, and does what some say:
 * `quit` succeeds, `reboot`, `crash` and `suspend` end the domain for that reason, `watchdog` waits for its own to
 * do so, `spin` works for ever.
 * The others fail, and meet an exception that nobody expects. For tests of the hypervisor's console and of what it does with domains that end.
 */
#include "tiny_work.h"
#include "tiny_event.h"
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

static char line_typed[80];
static unsigned int line_length;

static void on_input(unsigned int port)
{
	(void)port; /* being woken is all */
}

static void end_for(unsigned int reason)
{
	sched_shutdown_t shutdown = { .reason = reason };

	hv_sched_op(SCHEDOP_shutdown, &shutdown);
}

static void neglect_watchdog(void)
{
	sched_watchdog_t watchdog = { .timeout = 1 };

	if (hv_sched_op(SCHEDOP_watchdog, &watchdog) > 0)
		for (;;)
			cpu_relax();
}

/* True when the domain may go on to its end. */
static bool obey(const char *command)
{
	printf("tiny: read \"%s\"\n", command);
	if (!strcmp(command, "reboot"))
		end_for(SHUTDOWN_reboot);
	else if (!strcmp(command, "crash"))
		end_for(SHUTDOWN_crash);
	else if (!strcmp(command, "suspend"))
		end_for(SHUTDOWN_suspend);
	else if (!strcmp(command, "watchdog"))
		neglect_watchdog();
	else if (!strcmp(command, "spin"))
		for (;;)
			cpu_relax();
	return !strcmp(command, "quit");
}

static bool take(char c)
{
	if (c != '\n' && c != '\r') {
		if (line_length < sizeof(line_typed) - 1)
			line_typed[line_length++] = c;
		return false;
	}
	line_typed[line_length] = 0;
	line_length = 0;
	return obey(line_typed);
}

const char *work_linger(const char *line)
{
	evtchn_bind_virq_t bind = { .virq = VIRQ_CONSOLE, .vcpu = 0 };
	char typed[32];

	(void)line;
	if (hv_event_channel_op(EVTCHNOP_bind_virq, &bind))
		return "VIRQ_CONSOLE could not be bound";
	event_bind(bind.port, on_input);
	printf("tiny: waiting\n");
	for (;;) {
		long n, i;

		events_off();
		n = hypercall3(__HYPERVISOR_console_io, CONSOLEIO_read, sizeof(typed),
			       (uint64_t)typed);
		if (n < 0)
			return "the console cannot be read";
		if (n == 0)
			hv_sched_op(SCHEDOP_block, NULL); /* also opens the event mask */
		else
			events_on();
		for (i = 0; i < n; i++)
			if (take(typed[i]))
				return NULL;
	}
}

const char *work_fail(const char *line)
{
	(void)line;
	return "asked for";
}

const char *work_oops(const char *line)
{
	(void)line;
	__builtin_trap();
}
