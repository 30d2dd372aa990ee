/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printk and panic for host tests: what the code under test says is kept, so that a test can ask for it, and a panic can
 * be expected. HOST_LOG=1 in the environment also shows it.
 */
#ifndef HOST_LOG_H
#define HOST_LOG_H

#include <setjmp.h>
#include <stdbool.h>

void host_log_clear(void);
const char *host_log_text(void);               /* all that was said since, lines ended by '\n' */
bool host_log_has(const char *text);           /* is TEXT part of it? */
unsigned int host_log_count(const char *text); /* how many times */
unsigned int host_log_lines(void);             /* how many lines were said */

/* While SET, panic() jumps there instead of ending the process. */
extern jmp_buf host_panic_jump;
extern bool host_panic_expected;

/* Did STATEMENT panic? What it said is in the log. */
#define HOST_PANICS(statement)                                                                     \
	({                                                                                         \
		volatile bool panicked_ = true;                                                    \
		host_panic_expected = true;                                                        \
		if (setjmp(host_panic_jump) == 0) {                                                \
			statement;                                                                 \
			panicked_ = false;                                                         \
		}                                                                                  \
		host_panic_expected = false;                                                       \
		panicked_;                                                                         \
	})

/* What a cmocka test calls: the whole log is shown when TEXT is not in it. */
#define assert_log(text)                                                                           \
	do {                                                                                       \
		if (!host_log_has(text))                                                           \
			fail_msg("not said: \"%s\"\nsaid:\n%s", text, host_log_text());            \
	} while (0)
#define assert_log_lines(n)                                                                        \
	do {                                                                                       \
		if (host_log_lines() != (n))                                                       \
			fail_msg("%u lines instead of %u:\n%s", host_log_lines(), (unsigned)(n),   \
				 host_log_text());                                                 \
	} while (0)

#endif
