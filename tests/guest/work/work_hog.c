// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line words `hog` and `latency`, for two domains on one CPU. The first is always in the
 * longest operations there are: a tree of page tables as large as its memory allows is pinned and
 * unpinned, and every operation that takes a list gets a long one (hog_lists.c). The second sleeps again and again, and says how late it
 * was woken at most, in microseconds; with `limit=N` more than N is a failure.
 */
#include "tiny_work.h"
#include "tiny_event.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define ENTRIES 512
#define SPARE_PAGES 16
#define NAPS 800
#define NAP 500000ul /* nanoseconds */
#define TURNS 3

static uint64_t *top;
static unsigned long nr_tables;

/* A page that maps those of PAGES, COUNT of them, as tables or as plain pages. */
static uint64_t *table_of(uint64_t *const *pages, unsigned int count)
{
	uint64_t *table = page_alloc();
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		table[i] = i < count ? make_pte(virt_to_mfn(pages[i]), PTE_PRESENT | PTE_USER) : 0;
	if (page_set_readonly(table))
		tiny_fail("hog: a table cannot be made read-only");
	nr_tables++;
	return table;
}

/* Two levels: as many level-1 tables of the same page as there is room for. */
static uint64_t *subtree(uint64_t *page)
{
	static uint64_t *lower[ENTRIES], *same[ENTRIES];
	unsigned int i, n = 0;

	for (i = 0; i < ENTRIES; i++)
		same[i] = page;
	while (n < ENTRIES && page_free_count() > SPARE_PAGES)
		lower[n++] = table_of(same, ENTRIES);
	return table_of(lower, n);
}

static void build_tree(void)
{
	static uint64_t *seconds[ENTRIES];
	uint64_t *page = page_alloc(), *third;
	unsigned int n = 0;

	while (page_free_count() > SPARE_PAGES && n < ENTRIES)
		seconds[n++] = subtree(page);
	third = table_of(seconds, n);
	top = table_of(&third, 1);
}

static void extended(unsigned int command)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = virt_to_mfn(top).n };
	unsigned int done = 0;
	long rc = hv_mmuext_op(&op, 1, &done);

	if (rc || done != 1)
		tiny_fail("hog: mmuext_op %u: %ld after %u", command, rc, done);
}

const char *work_hog(const char *line)
{
	unsigned int turn;

	(void)line;
	hog_lists_prepare();
	build_tree();
	printf("hog: tables=%lu\n", nr_tables);
	for (turn = 0; turn < TURNS; turn++) {
		uint64_t before = time_now(), between;

		extended(MMUEXT_PIN_L4_TABLE);
		extended(MMUEXT_UNPIN_TABLE);
		between = time_now();
		hog_lists();
		printf("hog: turn=%u pin_us=%lu lists_us=%lu\n", turn, (between - before) / 1000,
		       (time_now() - between) / 1000);
	}
	extended(MMUEXT_PIN_L4_TABLE); /* for the domain's end to take down */
	return NULL;
}

const char *work_latency(const char *line)
{
	uint64_t most = 0, at = 0, allowed = cmdline_number(line, "limit", 0);
	unsigned int nap;

	for (nap = 0; nap < NAPS; nap++) {
		uint64_t due = time_now() + NAP, woken;

		if (timer_sleep(NAP))
			return "the timer cannot be set";
		woken = time_now();
		if (woken - due > most) {
			most = woken - due;
			at = woken;
		}
	}
	printf("latency: naps=%u latest_us=%lu at_us=%lu\n", NAPS, most / 1000, at / 1000);
	return allowed && most / 1000 > allowed ? "woken too late" : NULL;
}
