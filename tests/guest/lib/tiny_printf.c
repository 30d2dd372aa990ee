// SPDX-License-Identifier: GPL-2.0-or-later
/* Formatted text into a buffer of given size: never writes beyond it, always ends it. No state. */
#include "tiny_lib.h"

struct output {
	char *to;
	size_t size;
	size_t length; /* of the whole text, also what did not fit */
};

struct conversion {
	char kind;
	bool zero, left, wide;
	int width;
};

static void put(struct output *out, char c)
{
	if (out->length + 1 < out->size)
		out->to[out->length] = c;
	out->length++;
}

static void put_padded(struct output *out, const struct conversion *conv, const char *text,
		       int length)
{
	int pad = conv->width - length;

	if (!conv->left)
		while (pad-- > 0)
			put(out, ' ');
	while (length-- > 0)
		put(out, *text++);
	if (conv->left)
		while (pad-- > 0)
			put(out, ' ');
}

static void put_number(struct output *out, const struct conversion *conv, uint64_t value,
		       bool negative)
{
	unsigned int base = conv->kind == 'x' || conv->kind == 'p' ? 16 : 10;
	char digits[32];
	int at = sizeof(digits), zeros;

	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	for (zeros = conv->zero ? conv->width - negative : 0;
	     (int)sizeof(digits) - at < zeros && at > 1;)
		digits[--at] = '0';
	if (negative)
		digits[--at] = '-';
	put_padded(out, conv, &digits[at], sizeof(digits) - at);
}

static const char *parse(const char *format, struct conversion *conv)
{
	*conv = (struct conversion){ 0 };
	for (; *format == '0' || *format == '-'; format++) {
		conv->zero |= *format == '0';
		conv->left |= *format == '-';
	}
	for (; *format >= '0' && *format <= '9'; format++)
		conv->width = conv->width * 10 + (*format - '0');
	for (; *format == 'l' || *format == 'z'; format++)
		conv->wide = true;
	conv->kind = *format;
	return *format ? format + 1 : format;
}

int vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	struct output out = { to, size, 0 };
	struct conversion conv;
	const char *text;
	int64_t value;
	char c;

	while (*format) {
		if (*format != '%') {
			put(&out, *format++);
			continue;
		}
		format = parse(format + 1, &conv);
		switch (conv.kind) {
		case 'd':
		case 'i':
			value = conv.wide ? va_arg(args, long) : va_arg(args, int);
			put_number(&out, &conv, value < 0 ? -(uint64_t)value : (uint64_t)value,
				   value < 0);
			break;
		case 'u':
		case 'x':
			put_number(&out, &conv,
				   conv.wide ? va_arg(args, unsigned long)
					     : va_arg(args, unsigned int),
				   false);
			break;
		case 'p':
			put_number(&out, &conv, (uint64_t)va_arg(args, void *), false);
			break;
		case 's':
			text = va_arg(args, const char *);
			put_padded(&out, &conv, text, strlen(text));
			break;
		case 'c':
			c = va_arg(args, int);
			put_padded(&out, &conv, &c, 1);
			break;
		default:
			put(&out, '%');
			if (conv.kind && conv.kind != '%')
				put(&out, conv.kind);
		}
	}
	if (size)
		to[out.length < size ? out.length : size - 1] = '\0';
	return out.length;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(to, size, format, args);
	va_end(args);
	return length;
}
