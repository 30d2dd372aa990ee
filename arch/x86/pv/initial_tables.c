// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page tables that a PV guest starts on, written as a guest would write them: the initial
 * mapping of pseudo-physical memory from frame 0 on, itself mapped read-only, and the frame list
 * where the kernel wants it. Nobody uses them yet; validation comes after.
 */
#include "frames.h"
#include "internal.h"
#include "layout.h"

#define TABLE_FLAGS (PTE_P | PTE_RW | PTE_US | PTE_A | PTE_D)

/* Pseudo-physical address of the first table of LEVEL. */
static u64 first_table(const struct pv_tables *t, unsigned int level)
{
	u64 at = t->at;

	for (unsigned int above = 3; above > level; above--)
		at += t->of[above] * PAGE_SIZE;
	return at;
}

/* And that of the table of LEVEL which maps VA. */
static u64 table_for(const struct pv_layout *l, const struct pv_tables *t, unsigned int level,
		     u64 va)
{
	unsigned int shift = PAGE_SHIFT + 9 * level;

	if (level == 4)
		return l->tables - l->base;
	return first_table(t, level) + ((va >> shift) - (t->start >> shift)) * PAGE_SIZE;
}

static u64 *table_at(struct pv_frames *frames, u64 at)
{
	return mfn_to_virt(pv_frame(frames, at >> PAGE_SHIFT));
}

/*
 * Entries of LEVEL, one for each table of the level below. Counted, as the last address may be the
 * end of all.
 */
static void link_tables(const struct pv_layout *l, struct pv_frames *frames,
			const struct pv_tables *t, unsigned int level)
{
	unsigned int shift = PAGE_SHIFT + 9 * (level - 1);
	u64 lower = first_table(t, level - 1);

	for (unsigned int i = 0; i < t->of[level - 1]; i++) {
		u64 va = ROUND_DOWN(t->start, 1UL << shift) + ((u64)i << shift);
		u64 *table = table_at(frames, table_for(l, t, level, va));

		table[pt_index(va, level)] =
			pte_make(pv_frame(frames, (lower >> PAGE_SHIFT) + i), TABLE_FLAGS);
	}
}

/*
 * T's range is what is in the frames from pseudo-physical address AT on, writable but for the
 * tables in [ro, ro_end).
 */
static void map(const struct pv_layout *l, struct pv_frames *frames, const struct pv_tables *t,
		u64 at, u64 ro, u64 ro_end)
{
	u64 pages = DIV_ROUND_UP(t->end - t->start, PAGE_SIZE);
	unsigned int level;

	for (u64 i = 0; i < pages; i++, at += PAGE_SIZE) {
		u64 va = t->start + i * PAGE_SIZE;
		u64 *table = table_at(frames, table_for(l, t, 1, va));

		table[pt_index(va, 1)] =
			pte_make(pv_frame(frames, at >> PAGE_SHIFT),
				 PTE_P | PTE_A | (at < ro || at >= ro_end ? PTE_RW : 0));
	}
	for (level = 2; level <= 4; level++)
		link_tables(l, frames, t, level);
}

void pv_initial_tables(const struct pv_layout *l, struct pv_frames *frames)
{
	const struct pv_tables *p2m = &l->p2m_mapping;
	u64 tables = l->tables - l->base, tables_end = tables + l->nr_tables * PAGE_SIZE;

	pv_frames_write(frames, tables, NULL, tables_end - tables);
	map(l, frames, &l->mapping, 0, tables, tables_end);
	if (!p2m->at)
		return;
	pv_frames_write(frames, p2m->at, NULL, l->bytes - p2m->at);
	map(l, frames, p2m, l->p2m_at, 0, 0);
}
