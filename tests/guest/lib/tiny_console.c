// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output on the hypervisor's console, and the guest's end. Text goes out as soon as it is
 * formatted, so the last line before a crash is always seen. No state: safe in a trap handler.
 */
#include "tiny_lib.h"
#include "tiny_hypercall.h"

#define LINE_MAX 400

static void write_formatted(const char *format, va_list args)
{
	char line[LINE_MAX];
	size_t length = vsnprintf(line, sizeof(line), format, args);

	hv_console_write(line, length < sizeof(line) ? length : sizeof(line) - 1);
}

void printf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_formatted(format, args);
	va_end(args);
}

static void __noreturn shut_down(unsigned int reason)
{
	struct sched_shutdown shutdown = { .reason = reason };

	for (;;)
		hv_sched_op(SCHEDOP_shutdown, &shutdown);
}

void tiny_succeed(void)
{
	printf("tiny: RESULT success\n");
	shut_down(SHUTDOWN_poweroff);
}

void tiny_fail(const char *why, ...)
{
	va_list args;

	printf("tiny: RESULT failure ");
	va_start(args, why);
	write_formatted(why, args);
	va_end(args);
	printf("\n");
	shut_down(SHUTDOWN_crash);
}
