/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In-hypervisor self-tests: `selftest` runs all groups, `selftest=heap,traps` the named ones, on the real machine after all CPUs are
 * up and before any domain. They print KTAP and end the machine with a verdict.
 */
#ifndef TINE_SELFTEST_H
#define TINE_SELFTEST_H

#include <tine/compiler.h>
#include <tine/types.h>

struct selftest {
	const char *group, *name;
	void (*fn)(void);
	bool by_name_only; /* not part of a bare `selftest` */
};

#define SELFTEST(grp, id, ...)                                                                     \
	static void selftest_##grp##_##id(void);                                                   \
	static const struct selftest selftest_entry_##grp##_##id __used __section("selftests")     \
		__aligned(8) = {                                                                   \
			.group = #grp, .name = #id, .fn = selftest_##grp##_##id, ##__VA_ARGS__     \
		};                                                                                 \
	static void selftest_##grp##_##id(void)

/* In a test: notes a failure with its place and goes on / returns from the function. */
void selftest_fail(const char *file, int line, const char *fmt, ...) __printf(3, 4);
#define EXPECT(cond)                                                                               \
	do {                                                                                       \
		if (!(cond))                                                                       \
			selftest_fail(__FILE__, __LINE__, "%s", #cond);                            \
	} while (0)
#define REQUIRE(cond)                                                                              \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			selftest_fail(__FILE__, __LINE__, "%s", #cond);                            \
			return;                                                                    \
		}                                                                                  \
	} while (0)
void selftest_skip(const char *why); /* the machine lacks what the test is about */

bool selftest_wanted(void);
void selftest_run(void) __noreturn;

#endif
