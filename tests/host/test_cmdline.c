// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line: each kind of option, quoting, and one line for whatever cannot be taken. */
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/lib.h>

static bool flag;
static unsigned int number;
static unsigned long bytes;
static char name[8], words[64];
static unsigned int custom_calls;

static int custom(const char *value)
{
	custom_calls++;
	strncat(words, value, sizeof(words) - strlen(words) - 2);
	strcat(words, ";");
	return strcmp(value, "bad") == 0 ? -EINVAL : 0;
}

CMDLINE_BOOL_OPTION("flag", flag, flag);
CMDLINE_UINT_OPTION("number", number, number);
CMDLINE_SIZE_OPTION("mem", bytes, bytes);
CMDLINE_STRING_OPTION("name", name, name);
CMDLINE_CUSTOM_OPTION("custom", custom, custom);

static int setup(void **state)
{
	(void)state;
	host_log_clear();
	flag = false;
	number = 77;
	bytes = 77;
	strcpy(name, "before");
	words[0] = '\0';
	custom_calls = 0;
	return 0;
}

static void all_kinds_at_once(void **state)
{
	(void)state;
	assert_int_equal(cmdline_parse_all(
				 "  flag number=0x10\tmem=1G name=tine custom custom=a,b\n"),
			 0);
	assert_true(flag);
	assert_int_equal(number, 16);
	assert_int_equal(bytes, GiB(1));
	assert_string_equal(name, "tine");
	assert_string_equal(words, ";a,b;");
	assert_log_lines(0);
}

static void nothing_is_fine(void **state)
{
	(void)state;
	assert_int_equal(cmdline_parse_all(""), 0);
	assert_int_equal(cmdline_parse_all("   "), 0);
	assert_log_lines(0);
}

static void booleans(void **state)
{
	static const struct {
		const char *text;
		bool before, after;
		unsigned int refused;
	} cases[] = {
		{ "flag", false, true, 0 },       { "no-flag", true, false, 0 },
		{ "flag=yes", false, true, 0 },   { "flag=no", true, false, 0 },
		{ "flag=on", false, true, 0 },    { "flag=off", true, false, 0 },
		{ "flag=true", false, true, 0 },  { "flag=false", true, false, 0 },
		{ "flag=1", false, true, 0 },     { "flag=0", true, false, 0 },
		{ "flag=2", true, true, 1 },      { "flag=", true, true, 1 },
		{ "no-flag=yes", true, true, 1 }, { "flag no-flag", true, false, 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		setup(state);
		flag = cases[i].before;
		if (cmdline_parse_all(cases[i].text) != cases[i].refused || flag != cases[i].after)
			fail_msg("%s: flag is %d", cases[i].text, flag);
		assert_log_lines(cases[i].refused);
	}
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		unsigned int value;
		unsigned int refused;
		const char *says;
	} cases[] = {
		{ "number=0", 0, 0, "" },
		{ "number=010", 8, 0, "" },
		{ "number=0xffffffff", 0xffffffff, 0, "" },
		{ "number=4294967296", 77, 1,
		  "number=4294967296' ignored: the number is too large" },
		{ "number=99999999999999999999999", 77, 1, "ignored: the number is too large" },
		{ "number=-1", 77, 1, "'number=-1' ignored: the value is not understood" },
		{ "number=1x", 77, 1, "'number=1x' ignored: the value is not understood" },
		{ "number=08", 8, 0, "" }, /* no octal number: decimal */
		{ "number=", 77, 1, "'number=' ignored" },
		{ "number", 77, 1, "'number=' ignored" },
		{ "no-number", 77, 1, "unknown option 'no-number' ignored" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		setup(state);
		if (cmdline_parse_all(cases[i].text) != cases[i].refused ||
		    number != cases[i].value)
			fail_msg("%s: number is %u", cases[i].text, number);
		assert_log(cases[i].says);
		assert_log_lines(cases[i].refused);
	}
}

static void sizes(void **state)
{
	static const struct {
		const char *text;
		unsigned long value;
		unsigned int refused;
	} cases[] = {
		{ "mem=4", KiB(4), 0 },
		{ "mem=4k", KiB(4), 0 },
		{ "mem=0x10M", MiB(16), 0 },
		{ "mem=2g", GiB(2), 0 },
		{ "mem=3T", GiB(3072), 0 },
		{ "mem=4KB", 77, 1 },
		{ "mem=k", 77, 1 },
		{ "mem=99999999T", 77, 1 },
		{ "mem=18014398509481984", 77, 1 }, /* 2^54 KiB */
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		setup(state);
		if (cmdline_parse_all(cases[i].text) != cases[i].refused || bytes != cases[i].value)
			fail_msg("%s: size is %lu", cases[i].text, bytes);
		assert_log_lines(cases[i].refused);
	}
}

static void strings(void **state)
{
	(void)state;
	assert_int_equal(cmdline_parse_all("name=1234567"), 0);
	assert_string_equal(name, "1234567");
	assert_int_equal(cmdline_parse_all("name=12345678"), 1);
	assert_string_equal(name, "1234567");
	assert_log("option 'name=12345678' ignored: the value is too long");
	assert_int_equal(cmdline_parse_all("name="), 0);
	assert_string_equal(name, "");
	assert_int_equal(cmdline_parse_all("name=a=b"), 0);
	assert_string_equal(name, "a=b");
	assert_log_lines(1);
}

static void quotes_keep_spaces(void **state)
{
	(void)state;
	assert_int_equal(cmdline_parse_all("name=\"a b\" \"custom=c d\" custom=\"\" \"\""), 0);
	assert_string_equal(name, "a b");
	assert_string_equal(words, "c d;;");
	assert_int_equal(cmdline_parse_all("name=\"open"), 0); /* the end of the line closes it */
	assert_string_equal(name, "open");
}

static void unknown_options(void **state)
{
	(void)state;
	assert_int_equal(cmdline_parse_all("flags flag Flag= =x no- custom=bad"), 5);
	assert_true(flag);
	assert_log("Command line: unknown option 'flags' ignored");
	assert_log("Command line: unknown option 'Flag' ignored");
	assert_log("Command line: unknown option 'no-' ignored");
	assert_log("Command line: option 'custom=bad' ignored: the value is not understood");
	assert_log_lines(5);
}

static void a_word_too_long(void **state)
{
	char line[1024] = "name=";

	(void)state;
	memset(line + 5, 'x', 600);
	strcat(line, " flag");
	assert_int_equal(cmdline_parse_all(line), 1);
	assert_true(flag);
	assert_string_equal(name, "before");
	assert_log("' ignored: longer than 511 bytes");
	assert_log_lines(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_kinds_at_once, setup),
		cmocka_unit_test_setup(nothing_is_fine, setup),
		cmocka_unit_test_setup(booleans, setup),
		cmocka_unit_test_setup(numbers, setup),
		cmocka_unit_test_setup(sizes, setup),
		cmocka_unit_test_setup(strings, setup),
		cmocka_unit_test_setup(quotes_keep_spaces, setup),
		cmocka_unit_test_setup(unknown_options, setup),
		cmocka_unit_test_setup(a_word_too_long, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
