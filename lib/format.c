// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounded formatted output: the subset of C99's snprintf that include/tine/string.h names. Output goes through a sink that counts
 * everything and stores what fits, so no conversion needs to know the buffer's size.
 */
#include <tine/lib.h>
#include <tine/string.h>

struct sink {
	char *buf;
	size_t size, len;
};

struct spec {
	bool left, zero, alt, plus, space, upper;
	int width, precision; /* precision -1: none given */
	unsigned int base;
	int length; /* -2 hh, -1 h, 0, 1 l ll z t */
};

static void put(struct sink *s, char c)
{
	if (s->len + 1 < s->size)
		s->buf[s->len] = c;
	s->len++;
}

static void pad(struct sink *s, char c, int n)
{
	for (; n > 0; n--)
		put(s, c);
}

static void put_text(struct sink *s, const struct spec *spec, const char *text)
{
	size_t limit = spec->precision >= 0 ? (size_t)spec->precision : SIZE_MAX;
	int len, i;

	if (!text)
		text = "(null)";
	len = (int)strnlen(text, limit);
	if (!spec->left)
		pad(s, ' ', spec->width - len);
	for (i = 0; i < len; i++)
		put(s, text[i]);
	if (spec->left)
		pad(s, ' ', spec->width - len);
}

/* Writes sign or prefix, zeros and digits of VALUE, padded to the width. */
static void put_number(struct sink *s, const struct spec *spec, u64 value, const char *prefix)
{
	const char *set = spec->upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char digits[24];
	int n = 0, prefix_len = (int)strlen(prefix), zeros;

	while (value) {
		digits[n++] = set[value % spec->base];
		value /= spec->base;
	}
	if (n == 0 && spec->precision != 0)
		digits[n++] = '0';
	zeros = max(spec->precision - n, 0);
	if (spec->zero && !spec->left && spec->precision < 0)
		zeros = max(spec->width - prefix_len - n, 0);
	if (spec->alt && spec->base == 8 && zeros == 0 && (n == 0 || digits[n - 1] != '0'))
		zeros = 1; /* C99 7.19.6.1: "#" makes the first octal digit a zero */
	if (!spec->left)
		pad(s, ' ', spec->width - prefix_len - zeros - n);
	for (int i = 0; i < prefix_len; i++)
		put(s, prefix[i]);
	pad(s, '0', zeros);
	for (int i = n; i > 0; i--)
		put(s, digits[i - 1]);
	if (spec->left)
		pad(s, ' ', spec->width - prefix_len - zeros - n);
}

static const char *parse_flags(const char *fmt, struct spec *spec)
{
	for (;; fmt++) {
		switch (*fmt) {
		case '-':
			spec->left = true;
			break;
		case '0':
			spec->zero = true;
			break;
		case '#':
			spec->alt = true;
			break;
		case '+':
			spec->plus = true;
			break;
		case ' ':
			spec->space = true;
			break;
		default:
			return fmt;
		}
	}
}

static const char *parse_length(const char *fmt, struct spec *spec)
{
	for (;; fmt++) {
		if (*fmt == 'h')
			spec->length--;
		else if (*fmt == 'l' || *fmt == 'z' || *fmt == 't')
			spec->length = 1;
		else
			return fmt;
	}
}

static const char *parse_count(const char *fmt, int *out)
{
	int n = 0;

	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		n = min(n * 10 + (*fmt - '0'), 4096);
	*out = n;
	return fmt;
}

/* The argument list is passed as a pointer so that what one helper takes is taken for all. */
struct arguments {
	va_list list;
};

static void put_signed(struct sink *s, struct spec *spec, struct arguments *args)
{
	s64 v = spec->length > 0 ? va_arg(args->list, long) : va_arg(args->list, int);
	const char *sign;

	if (spec->length == -1)
		v = (s16)v;
	else if (spec->length <= -2)
		v = (s8)v;
	sign = v < 0 ? "-" : spec->plus ? "+" : spec->space ? " " : "";
	spec->base = 10;
	put_number(s, spec, v < 0 ? -(u64)v : (u64)v, sign);
}

static void put_unsigned(struct sink *s, struct spec *spec, struct arguments *args, char conv)
{
	u64 v = spec->length > 0 ? va_arg(args->list, unsigned long)
				 : va_arg(args->list, unsigned int);
	const char *prefix = "";

	if (spec->length == -1)
		v = (u16)v;
	else if (spec->length <= -2)
		v = (u8)v;
	spec->base = conv == 'u' ? 10 : conv == 'o' ? 8 : 16;
	spec->upper = conv == 'X';
	if (spec->alt && v && spec->base == 16)
		prefix = spec->upper ? "0X" : "0x";
	put_number(s, spec, v, prefix);
}

static void put_char(struct sink *s, const struct spec *spec, char c)
{
	if (!spec->left)
		pad(s, ' ', spec->width - 1);
	put(s, c);
	if (spec->left)
		pad(s, ' ', spec->width - 1);
}

static void put_conversion(struct sink *s, struct spec *spec, struct arguments *args, char conv)
{
	switch (conv) {
	case 'd':
	case 'i':
		put_signed(s, spec, args);
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		put_unsigned(s, spec, args, conv);
		break;
	case 'p':
		spec->base = 16;
		put_number(s, spec, (uintptr_t)va_arg(args->list, void *), "0x");
		break;
	case 'c':
		put_char(s, spec, (char)va_arg(args->list, int));
		break;
	case 's':
		put_text(s, spec, va_arg(args->list, const char *));
		break;
	default:
		put(s, conv);
	}
}

static const char *put_directive(struct sink *s, const char *fmt, struct arguments *args)
{
	struct spec spec = { .precision = -1 };

	fmt = parse_flags(fmt, &spec);
	if (*fmt == '*') {
		spec.width = va_arg(args->list, int);
		if (spec.width < 0) {
			spec.left = true;
			spec.width = -spec.width;
		}
		fmt++;
	} else {
		fmt = parse_count(fmt, &spec.width);
	}
	if (*fmt == '.') {
		fmt++;
		if (*fmt == '*') {
			spec.precision = va_arg(args->list, int);
			fmt++;
		} else {
			fmt = parse_count(fmt, &spec.precision);
		}
	}
	fmt = parse_length(fmt, &spec);
	if (!*fmt)
		return fmt;
	put_conversion(s, &spec, args, *fmt);
	return fmt + 1;
}

int tine_vsnprintf(char *buf, size_t size, const char *fmt, va_list list)
{
	struct sink s = { .buf = buf, .size = size };
	struct arguments args;

	va_copy(args.list, list);
	while (*fmt) {
		if (*fmt == '%')
			fmt = put_directive(&s, fmt + 1, &args);
		else
			put(&s, *fmt++);
	}
	va_end(args.list);
	if (size)
		buf[min(s.len, size - 1)] = '\0';
	return (int)s.len;
}

int tine_snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = tine_vsnprintf(buf, size, fmt, args);
	va_end(args);
	return n;
}
