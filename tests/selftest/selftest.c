// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the self-tests that the command line asks for, in the linker's order, and prints KTAP. A
 * test is a function on CPU 0 with interrupts on; those that use other CPUs may note failures there
 * too.
 *
 * `selftest` alone runs all but those that must be named; `selftest=heap,time` groups;
 * `selftest=heap-price` one test.
 */
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/selftest.h>
#include <tine/string.h>

#define REPORTED_FAILURES 5 /* of one test; the others are counted */

extern const struct selftest __start_selftests[], __stop_selftests[];

static bool wanted;
static char names[256]; /* "": all */
static unsigned int failures;
static const char *skipped;

static int parse_selftest(const char *value)
{
	wanted = true;
	str_copy(names, value, sizeof(names));
	return 0;
}
CMDLINE_CUSTOM_OPTION("selftest", selftest, parse_selftest);

bool selftest_wanted(void)
{
	return wanted;
}

static bool is_word(const char *word, size_t len, const char *first, const char *second)
{
	size_t first_len = strlen(first);

	if (len < first_len || strncmp(word, first, first_len))
		return false;
	if (len == first_len)
		return second == NULL;
	return second && word[first_len] == '-' && len == first_len + 1 + strlen(second) &&
	       !strncmp(word + first_len + 1, second, strlen(second));
}

static bool selected(const struct selftest *t)
{
	if (!names[0])
		return !t->by_name_only;
	for (const char *word = names; word; word = strchr(word, ',')) {
		size_t len;

		word += *word == ',';
		len = strchr(word, ',') ? (size_t)(strchr(word, ',') - word) : strlen(word);
		if (is_word(word, len, t->group, t->name) ||
		    (!t->by_name_only && is_word(word, len, t->group, NULL)))
			return true;
	}
	return false;
}

void selftest_fail(const char *file, int line, const char *fmt, ...)
{
	char text[256];
	va_list args;

	if (__atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST) > REPORTED_FAILURES)
		return;
	va_start(args, fmt);
	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	printk_raw("# %s:%d: CPU %u: %s", file, line, smp_processor_id(), text);
}

void selftest_skip(const char *why)
{
	skipped = why;
}

/* Returns whether it went well; skipped ones do. */
static bool run_one(const struct selftest *t, unsigned int number)
{
	failures = 0;
	skipped = NULL;
	t->fn();
	if (failures > REPORTED_FAILURES)
		printk_raw("# and %u failures more", failures - REPORTED_FAILURES);
	if (skipped && !failures)
		printk_raw("ok %u %s: %s # SKIP %s", number, t->group, t->name, skipped);
	else
		printk_raw("%sok %u %s: %s", failures ? "not " : "", number, t->group, t->name);
	return !failures;
}

void selftest_run(void)
{
	unsigned int planned = 0, number = 0, bad = 0;

	for (const struct selftest *t = __start_selftests; t < __stop_selftests; t++)
		planned += selected(t);
	printk_raw("KTAP version 1");
	printk_raw("1..%u", planned);
	for (const struct selftest *t = __start_selftests; t < __stop_selftests; t++)
		if (selected(t))
			bad += !run_one(t, ++number);
	printk_always("Self-tests: %u run, %u failed%s", planned, bad,
		      planned ? "" : ": no test has that name");
	arch_poweroff(planned && !bad);
}
