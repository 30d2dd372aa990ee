/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a PV guest finds at its start, in order of address from the start of its virtual space,
 * where pseudo-physical frame 0 is: kernel, ramdisk, frame list (P2M), start_info, ring pages, page
 * tables, stack. Every part begins on a page. Arithmetic only.
 *
 * A kernel may say that it takes the ramdisk unmapped, and the frame list at another address. Then
 * they are in the frames behind the initial mapping, the list followed by the tables that map it.
 */
#ifndef PV_LAYOUT_H
#define PV_LAYOUT_H

#include "image.h"

/* Page tables of levels 3 to 1 for [start, end): consecutive frames, the higher levels first. */
struct pv_tables {
	u64 start, end;
	u64 at;             /* pseudo-physical address of the first; 0: there are none */
	unsigned int of[4]; /* how many, by level; of[0] is not used */
};

struct pv_layout {
	u64 base;                  /* virtual address of pseudo-physical frame 0 */
	u64 kernel_end;            /* rounded up */
	u64 ramdisk, ramdisk_size; /* address 0: none, or not mapped */
	u64 ramdisk_at;            /* pseudo-physical */
	u64 p2m, nr_pages;
	u64 p2m_at; /* pseudo-physical */
	u64 start_info;
	u64 store, console;    /* ring pages; address 0: the domain has none */
	u64 tables, nr_tables; /* the top-level table is the first, then MAPPING's */
	u64 stack_top;
	u64 end; /* of the initial mapping */
	struct pv_tables mapping;
	struct pv_tables p2m_mapping; /* of a list that is elsewhere */
	u64 bytes;                    /* all that is in use at first */
};

/* Frames of the list that is elsewhere, with its tables; 0: there is no such. */
static inline u64 pv_layout_p2m_frames(const struct pv_layout *l)
{
	const struct pv_tables *t = &l->p2m_mapping;

	return t->at ? ((t->at - l->p2m_at) >> PAGE_SHIFT) + t->of[3] + t->of[2] + t->of[1] : 0;
}

/* -EINVAL after a line: does not fit into the address space, or into NR_PAGES frames. */
int pv_layout_make(struct pv_layout *l, const struct pv_image *image, u64 ramdisk_size,
		   u64 nr_pages, bool rings) __must_check;

#endif
