// SPDX-License-Identifier: GPL-2.0-or-later
/* The host's printk and panic: a buffer that tests read back. What does not fit any more is not kept. One thread. */
#include "host_log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tine/lib.h>
#include <tine/printk.h>

static char text[1 << 20];
static size_t used;

jmp_buf host_panic_jump;
bool host_panic_expected;
bool opt_noreboot; /* lib/panic.c's, which this file stands in for */

void host_log_clear(void)
{
	used = 0;
	text[0] = '\0';
}

const char *host_log_text(void)
{
	return text;
}

bool host_log_has(const char *part)
{
	return strstr(text, part);
}

unsigned int host_log_count(const char *part)
{
	unsigned int n = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		n++;
	return n;
}

unsigned int host_log_lines(void)
{
	return host_log_count("\n");
}

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER; /* CPUs may be threads */

void vprintk(enum log_level level, const char *fmt, va_list args)
{
	char line[8192];
	size_t len;

	(void)level;
	vsnprintf(line, sizeof(line) - 1, fmt, args);
	len = strlen(line);
	if (len == 0 || line[len - 1] != '\n')
		line[len++] = '\n';
	line[len] = '\0';

	if (getenv("HOST_LOG"))
		fputs(line, stderr);
	pthread_mutex_lock(&writing);
	if (used + len < sizeof(text)) {
		memcpy(text + used, line, len + 1);
		used += len;
	}
	pthread_mutex_unlock(&writing);
}

#define PRINT(level)                                                                               \
	do {                                                                                       \
		va_list args;                                                                      \
		va_start(args, fmt);                                                               \
		vprintk(level, fmt, args);                                                         \
		va_end(args);                                                                      \
	} while (0)

void printk(enum log_level level, const char *fmt, ...)
{
	PRINT(level);
}

void printk_always(const char *fmt, ...)
{
	PRINT(LOG_ERR);
}

void printk_raw(const char *fmt, ...)
{
	PRINT(LOG_ERR);
}

void panic(const char *fmt, ...)
{
	PRINT(LOG_ERR);
	if (host_panic_expected)
		longjmp(host_panic_jump, 1);
	fprintf(stderr, "panic: %s", text);
	abort();
}
