// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the tests that the linker collected between tiny_tests_start and tiny_tests_end and prints
 * KTAP. Owns the verdict of the one test that runs; nothing else writes it.
 */
#include "tiny_ktap.h"
#include "tiny_lib.h"

extern const struct tiny_test tiny_tests_start[], tiny_tests_end[];

static struct {
	bool failed;
	const char *skipped;
} verdict;

bool ktap_expect(bool good, const char *file, int line, const char *text)
{
	if (!good) {
		verdict.failed = true;
		printf("# %s:%d: expected %s\n", file, line, text);
	}
	return good;
}

bool ktap_expect_equal(long got, long wanted, const char *file, int line, const char *text)
{
	if (got == wanted)
		return true;
	verdict.failed = true;
	printf("# %s:%d: expected %s, got %ld (0x%lx), wanted %ld (0x%lx)\n", file, line, text, got,
	       (unsigned long)got, wanted, (unsigned long)wanted);
	return false;
}

void ktap_skip(const char *why)
{
	verdict.skipped = why;
}

static bool run_one(const struct tiny_test *test, unsigned int number)
{
	verdict.failed = false;
	verdict.skipped = NULL;
	test->run();

	if (verdict.failed) {
		printf("# %s is there because: %s\n", test->name, test->why);
		printf("not ok %u %s\n", number, test->name);
	} else if (verdict.skipped) {
		printf("ok %u %s # SKIP %s\n", number, test->name, verdict.skipped);
	} else {
		printf("ok %u %s\n", number, test->name);
	}
	return !verdict.failed;
}

static bool wanted(const struct tiny_test *test, const char *only)
{
	const char *name;

	for (; only && *only && *only != ' '; only++) {
		for (name = test->name; *name && *name == *only; name++, only++)
			;
		if (!*only || *only == ' ' || *only == ',')
			return true;
		while (*only && *only != ' ' && *only != ',')
			only++;
		if (*only != ',')
			return false;
	}
	return !only;
}

unsigned int ktap_run(const char *only)
{
	unsigned int count = 0, failed = 0, number = 0;
	const struct tiny_test *test;

	for (test = tiny_tests_start; test < tiny_tests_end; test++)
		count += wanted(test, only);
	printf("KTAP version 1\n1..%u\n", count);
	for (test = tiny_tests_start; test < tiny_tests_end; test++)
		if (wanted(test, only))
			failed += !run_one(test, ++number);
	printf("# %u of %u tests failed\n", failed, count);
	return count ? failed : 1;
}
