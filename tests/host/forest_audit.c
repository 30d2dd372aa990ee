// SPDX-License-Identifier: GPL-2.0-or-later
/* The forest as a whole: what all its tables name is counted anew and compared with what frames and tables count of it, and with who owns what. */
#include "host_machine.h"
#include "forest.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include "forest_frames.h"
#include "../../mm/mapcount.h"

static u32 refs[FOREST_FRAMES], maps[3][FOREST_FRAMES];

static void count_table(const struct p2m *p2m, mfn_t table, unsigned int level)
{
	if (refs[mfn_x(table)]++)
		return;
	for (unsigned int i = 0; i < 512; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);

		if (e.table)
			count_table(p2m, e.mfn, level - 1);
		else if (p2m_is_counted(e))
			maps[level - 1][mfn_x(e.mfn)]++;
	}
}

/* Entries of each size for itself: one that is counted as another's could stand in for it. Their sum. */
static u32 check_counts(unsigned long i)
{
	u32 sum = 0;

	for (unsigned int level = 1; level <= 3; level++) {
		unsigned int order = 9 * (level - 1);
		u32 count = maps[level - 1][i & ~(BIT(order) - 1)];
		unsigned int counted = mapcount_of_order(_mfn(i), order);

		if (counted != count)
			fail_msg("frame %lx: mapped %u times at level %u, counts %u", i, count,
				 level, counted);
		sum += count;
	}
	assert_int_equal(mapcount_of(_mfn(i)), sum);
	return sum;
}

static void check_frame(unsigned long i)
{
	const struct page *pg = mfn_to_page(_mfn(i));
	u32 count;

	if (refs[i]) {
		if (pg->stamp != refs[i])
			fail_msg("table %lx: %u references, %u are there", i, pg->stamp, refs[i]);
		return;
	}
	if (forest_owner[i] == OWNER_NONE) {
		assert_int_equal(maps[0][i] + maps[1][i & ~511UL] + maps[2][i & ~(BIT(18) - 1)], 0);
		return;
	}
	count = check_counts(i);
	assert_int_equal(!!(pg->count_info & PAGE_MAPPED), !!count);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, !!count);
}

void forest_audit(void)
{
	unsigned long owned = 0, cow = 0, total = 0;
	struct p2m_share_stats share;
	struct p2m_stats stats;

	memset(refs, 0, sizeof(refs));
	memset(maps, 0, sizeof(maps));
	for (struct tree *t = trees; t < trees + TREES; t++) {
		if (!t->alive)
			continue;
		assert_int_equal(p2m_check(&t->p2m, &stats), 0);
		p2m_share_count(&t->p2m, &share);
		assert_int_equal(share.own_tables + share.shared_tables, stats.tables);
		count_table(&t->p2m, t->p2m.root, forest_codec->levels);
		if (!mfn_eq(t->p2m.origin, INVALID_MFN))
			count_table(&t->p2m, t->p2m.origin, forest_codec->levels);
		owned += t->nr_pages;
		total += t->p2m.log.pages;
	}
	for (unsigned long i = 1; i < FOREST_FRAMES; i++) {
		check_frame(i);
		total += refs[i] || forest_owner[i] != OWNER_NONE;
		cow += forest_owner[i] == OWNER_COW;
		owned -= forest_owner[i] != OWNER_NONE && forest_owner[i] != OWNER_COW;
	}
	assert_int_equal(owned, 0);
	assert_int_equal(cow, forest_nr_cow);
	assert_int_equal(total, forest_used());
}

void forest_check(void)
{
	for (struct tree *t = trees; t < trees + TREES; t++) {
		for (unsigned int i = 0; t->alive && i < MARKS; i++)
			assert_int_equal(guest_read(t, i), 0);
	}
}
