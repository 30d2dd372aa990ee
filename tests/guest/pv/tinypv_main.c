// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PV kernel from its first C function to its end, read downwards: take over from the builder,
 * do what the command line says, report. The words it knows are in `works`; with none of them it
 * tests and runs a short tls.
 */
#include "tiny_event.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tiny_work.h"
#include "tinypv.h"
#include "tinypv_trap.h"

extern const uint64_t tiny_first_tsc; /* tinypv_entry.S: the clock at the first instruction */

void __noreturn tinypv_start(const start_info_t *info);

static const struct work {
	const char *word;
	const char *(*run)(const char *line);
} works[] = {
	{ "test", work_test },
	{ "descriptors", work_descriptors },
	{ "tls", work_tls },
	{ "bench", work_bench },
	{ "linger", work_linger },
	{ "fail", work_fail },
	{ "oops", work_oops },
	{ "wait", work_wait },
	{ "attack", work_attack },
	{ "hog", work_hog },
	{ "latency", work_latency },
	{ "share", work_share },
	{ "spin", work_spin },
	{ "tick", work_tick },
	{ "foreign-lends", work_foreign_lends },
	{ "foreign-maps", work_foreign_maps },
	{ "sharing", work_sharing },
	{ "exhaust", work_exhaust },
};

static void run_one(const char *(*run)(const char *line), const char *line)
{
	const char *failure = run(line);

	if (failure)
		tiny_fail("%s", failure);
}

void tinypv_start(const start_info_t *info)
{
	const char *line = (const char *)info->cmd_line;
	unsigned int i, done = 0;

	printf("tiny: %s, %lu pages, flags 0x%x, command line \"%s\"\n", info->magic,
	       info->nr_pages, info->flags, line);
	printf("tiny: first instruction at tsc %lu\n", tiny_first_tsc);
	mem_init(info);
	event_init(tiny_shared);
	trap_init();
	timer_init();
	events_on();

	for (i = 0; i < ARRAY_SIZE(works); i++)
		if (cmdline_has_word(line, works[i].word)) {
			run_one(works[i].run, line);
			done++;
		}
	if (!done) {
		run_one(work_test, line);
		run_one(work_tls_short, line);
	}
	tiny_succeed();
}
