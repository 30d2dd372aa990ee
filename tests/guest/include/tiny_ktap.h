/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests and their verdicts in KTAP. TINY_TEST puts a test into a linker section; the runner takes
 * them in link order. A test fails if any expectation in it fails; it goes on after EXPECT and
 * returns after REQUIRE. SKIP is for what the hypervisor says it does not offer, and always says
 * why.
 */
#ifndef TINY_KTAP_H
#define TINY_KTAP_H

#include "tiny_types.h"

struct tiny_test {
	const char *name;
	const char *why; /* what would go unnoticed without this test; printed when it fails */
	void (*run)(void);
};

#define TINY_TEST(id, test_name, test_why)                                                         \
	static void id(void);                                                                      \
	static const struct tiny_test test_entry_##id                                              \
		__attribute__((used, section(".tiny_tests"), aligned(8))) = { .name = (test_name), \
									      .why = (test_why),   \
									      .run = (id) };       \
	static void id(void)

/*
 * Runs every test whose name starts with a word of `only` (words separated by commas, ended by a
 * blank; NULL for all of them); returns how many failed. A selection that fits nothing counts as a
 * failure.
 */
unsigned int ktap_run(const char *only);

bool ktap_expect(bool good, const char *file, int line, const char *text);
bool ktap_expect_equal(long got, long wanted, const char *file, int line, const char *text);
void ktap_skip(const char *why);

#define EXPECT(condition) ktap_expect((condition), __FILE__, __LINE__, #condition)
#define EXPECT_EQ(got, wanted)                                                                     \
	ktap_expect_equal((long)(got), (long)(wanted), __FILE__, __LINE__, #got " == " #wanted)

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!EXPECT(condition))                                                            \
			return;                                                                    \
	} while (0)
#define REQUIRE_EQ(got, wanted)                                                                    \
	do {                                                                                       \
		if (!EXPECT_EQ(got, wanted))                                                       \
			return;                                                                    \
	} while (0)
#define SKIP_IF(condition, why)                                                                    \
	do {                                                                                       \
		if (condition) {                                                                   \
			ktap_skip(why);                                                            \
			return;                                                                    \
		}                                                                                  \
	} while (0)

#endif
