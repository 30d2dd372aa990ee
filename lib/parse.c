// SPDX-License-Identifier: GPL-2.0-or-later
/* Text to values, and bounded copies: the pieces that the command line and configuration parsers are made of. */
#include <tine/errno.h>
#include <tine/string.h>

size_t str_copy(char *dst, const char *src, size_t size)
{
	size_t len = strlen(src);
	size_t n = len < size ? len : size - 1;

	memcpy(dst, src, n);
	dst[n] = '\0';
	return len;
}

static unsigned int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'z')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'Z')
		return (unsigned int)(c - 'A') + 10;
	return 99;
}

int str_to_ulong(const char **text, unsigned int base, unsigned long *out)
{
	const char *s = *text;
	unsigned long value = 0;
	bool overflow = false;

	if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 0x20) == 'x' &&
	    digit_value(s[2]) < 16) {
		s += 2;
		base = 16;
	} else if (base == 0) {
		base = s[0] == '0' && digit_value(s[1]) < 8 ? 8 : 10;
	}
	if (digit_value(*s) >= base)
		return -EINVAL;
	for (; digit_value(*s) < base; s++)
		overflow |= __builtin_mul_overflow(value, base, &value) ||
			    __builtin_add_overflow(value, digit_value(*s), &value);
	*text = s;
	if (overflow)
		return -ERANGE;
	*out = value;
	return 0;
}

int str_to_size(const char **text, unsigned long unit, unsigned long *out)
{
	static const char suffixes[] = "KMGT";
	unsigned long value;
	const char *found;
	int rc = str_to_ulong(text, 0, &value);

	if (rc)
		return rc;
	found = **text ? strchr(suffixes, **text & ~0x20) : NULL;
	if (found) {
		unit = 1UL << (10 * (found - suffixes + 1));
		(*text)++;
	}
	if (__builtin_mul_overflow(value, unit, out))
		return -ERANGE;
	return 0;
}
