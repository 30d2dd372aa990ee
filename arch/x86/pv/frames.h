/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a domain under construction, as runs of machine frames in order of pseudo-physical
 * number.
 */
#ifndef PV_FRAMES_H
#define PV_FRAMES_H

#include <tine/domain.h>

struct pv_run {
	mfn_t mfn;
	unsigned long pfn, count;
};

struct pv_frames {
	struct domain *d;
	unsigned long nr_pages;
	struct pv_run *runs;
	unsigned int nr_runs, last; /* last: where the previous look-up ended */
};

/*
 * Gives D its NR_PAGES frames, in the largest blocks there are. -ENOMEM. Ends with
 * pv_frames_forget() in any case.
 */
int pv_frames_allocate(struct pv_frames *f, struct domain *d, unsigned long nr_pages) __must_check;
void pv_frames_forget(struct pv_frames *f);

mfn_t pv_frame(struct pv_frames *f, unsigned long pfn); /* PFN below nr_pages */

/*
 * Copies SIZE bytes to pseudo-physical byte address AT, which has frames; zeros when SRC is NULL.
 */
void pv_frames_write(struct pv_frames *f, u64 at, const void *src, size_t size);

/* Writes the machine numbers of all frames, a word each, to pseudo-physical byte address AT, a multiple of the page size. */
void pv_frames_list(struct pv_frames *f, u64 at);

/* Writes the guest's first page tables (initial_tables.c). */
struct pv_layout;
void pv_initial_tables(const struct pv_layout *l, struct pv_frames *frames);

#endif
