// SPDX-License-Identifier: GPL-2.0-or-later
/* Text to standard output, a line at a time, and the count of verdicts. */
#include "u32.h"
#include <stdarg.h>

static char line[256];
static u32 length;
static u32 failed;

static void put(char c)
{
	if (length < sizeof(line))
		line[length++] = c;
	if (c == '\n' || length == sizeof(line)) {
		(void)sys_write(1, line, length);
		length = 0;
	}
}

static void put_number(u32 value, u32 base)
{
	char digits[10];
	u32 count = 0;

	do {
		digits[count++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (count)
		put(digits[--count]);
}

static void put_argument(char kind, u32 value)
{
	const char *text = (const char *)value;

	if (kind == 's')
		while (*text)
			put(*text++);
	if (kind == 'd' && (int)value < 0) {
		put('-');
		value = -value;
	}
	if (kind != 's')
		put_number(value, kind == 'x' ? 16 : 10);
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	for (; *format; format++) {
		if (*format == '%')
			put_argument(*++format, va_arg(arguments, u32));
		else
			put(*format);
	}
	va_end(arguments);
}

bool same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

u32 number_of(const char *text)
{
	u32 value = 0;

	while (*text >= '0' && *text <= '9')
		value = value * 10 + (u32)(*text++ - '0');
	return value;
}

void check(bool good, const char *of, const char *what)
{
	say("user32: %s %s: %s\n", good ? "ok" : "FAILED", of, what);
	failed += !good;
}

u32 checks_failed(void)
{
	return failed;
}
