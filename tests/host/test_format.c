// SPDX-License-Identifier: GPL-2.0-or-later
/* tine_snprintf() against the C library's snprintf(): chosen cases, then random flags, widths, precisions and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

/* Both, into buffers of every size up to one more than it takes. */
#define SAME(...)                                                                                  \
	do {                                                                                       \
		char ours_[512], theirs_[512];                                                     \
		int want_ = snprintf(theirs_, sizeof(theirs_), __VA_ARGS__);                       \
		for (size_t size_ = 0; size_ <= (size_t)want_ + 2 && size_ < sizeof(ours_);        \
		     size_++) {                                                                    \
			memset(ours_, 'Z', sizeof(ours_));                                         \
			if (tine_snprintf(ours_, size_, __VA_ARGS__) != want_)                     \
				fail_msg("length of \"%s\"", theirs_);                             \
			snprintf(theirs_, size_ ? size_ : 1, __VA_ARGS__);                         \
			if (size_ && strcmp(ours_, theirs_) != 0)                                  \
				fail_msg("\"%s\" instead of \"%s\"", ours_, theirs_);              \
			if (ours_[size_] != 'Z')                                                   \
				fail_msg("wrote beyond %zu", size_);                               \
		}                                                                                  \
	} while (0)

static void plain(void **state)
{
	(void)state;
	SAME("%s", "");
	SAME("nothing to do");
	SAME("100%%");
	SAME("%d %i %u %x %X %o %c %s", -5, 5, 7U, 0xbeefU, 0xBEEFU, 8U, 'x', "text");
	SAME("%hhd %hd %ld %lld %zu %td", (signed char)-1, (short)-2, -3L, -4LL, (size_t)5,
	     (ptrdiff_t)-6);
	SAME("%hhx %hx %lx %llx", 0x1ffU, 0x1ffffU, ~0UL, ~0ULL);
	SAME("%d %ld", (int)0x80000000, (long)(1UL << 63));
	SAME("%#x %#lx %#o %#x %#o", 0x12U, 0x34UL, 8U, 0U, 0U);
	SAME("%.3s|%.0s|%.10s|%*s|%-*s|", "abcdef", "gone", "short", 8, "right", 8, "left");
	SAME("%.*s|%*d|%-*d|", 2, "abc", -6, 42, 6, 42);
	SAME("%016lx %08x %-8x| %+d % d %+d", 0xabcUL, 0xdU, 0xeU, 1, 1, -1);
	SAME("%.5d %.0d %8.3d %-8.3d| %08d", 42, 0, 7, 7, -42);
	SAME("[%c]", '\0');
}

static void random_integers(void **state)
{
	static const char flags[] = "-0#+ ", conversions[] = "diuxXo";
	static const char *const lengths[] = { "hh", "h", "", "l", "ll", "z", "t" };

	(void)state;
	srand(1);
	for (unsigned int i = 0; i < 20000; i++) {
		char fmt[64] = "%";
		unsigned long value = (unsigned long)rand() << 33 ^ (unsigned long)rand();
		const char *length = lengths[(unsigned int)rand() % ARRAY_SIZE(lengths)];
		size_t n = 1;

		value >>= (unsigned int)rand() % 64;
		if (rand() % 4 == 0)
			value = -value;
		for (unsigned int f = 0; f < 5; f++)
			if (rand() % 4 == 0)
				fmt[n++] = flags[f];
		if (rand() % 2)
			n += (size_t)sprintf(fmt + n, "%d", 1 + rand() % 30);
		if (rand() % 3 == 0)
			n += (size_t)sprintf(fmt + n, ".%d", rand() % 30);
		n += (size_t)sprintf(fmt + n, "%s", length);
		fmt[n++] = conversions[(unsigned int)rand() % 6];
		fmt[n] = '\0';
		SAME(fmt, value);
	}
}

static const char *at;
static unsigned long out;

static int to_ulong(const char *text, unsigned int base)
{
	at = text;
	out = 4711;
	return str_to_ulong(&at, base, &out);
}

static void numbers_from_text(void **state)
{
	(void)state;
	assert_int_equal(to_ulong("18446744073709551615,", 0), 0);
	assert_true(out == ~0UL && *at == ',');
	assert_int_equal(to_ulong("18446744073709551616,", 0), -ERANGE);
	assert_true(out == 4711 && *at == ',');
	assert_int_equal(to_ulong("0xfG", 0), 0);
	assert_true(out == 15 && *at == 'G');
	assert_int_equal(to_ulong("0x", 0), 0); /* a zero, and then an x */
	assert_true(out == 0 && *at == 'x');
	assert_int_equal(to_ulong("ff", 16), 0);
	assert_int_equal(out, 255);
	assert_int_equal(to_ulong("", 0), -EINVAL);
	assert_int_equal(to_ulong(" 1", 0), -EINVAL);
	assert_int_equal(to_ulong("-1", 0), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(random_integers),
		cmocka_unit_test(numbers_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
