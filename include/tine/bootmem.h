/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The boot allocator: usable RAM as sorted, disjoint frame ranges, from which start of day takes whole aligned pieces
 * and never gives back. heap_init() takes what is left and closes it. Single CPU, no lock.
 */
#ifndef TINE_BOOTMEM_H
#define TINE_BOOTMEM_H

#include <tine/boot_info.h>
#include <tine/types.h>

/*
 * Fills the allocator from sanitized regions; whole frames only. Frames from LIMIT on are reported and left out, and so
 * are frame 0, badpage=, the image and the modules.
 */
void bootmem_init(const struct boot_info *bi, mfn_t limit);

/*
 * Takes [start, start + count) out: whatever else the caller names. Frames that are not there are no error. WHY is for
 * the log at debug level; NULL: not logged.
 */
void bootmem_reserve(mfn_t start, unsigned long count, const char *why);

/*
 * COUNT contiguous frames whose first is a multiple of ALIGN (a power of two, in frames), from the highest range that
 * has them, below LIMIT. The contents are undefined. Panics naming WHY when there are none.
 */
mfn_t bootmem_alloc(unsigned long count, unsigned long align, mfn_t limit, const char *why);

/* The same, from NODE if it has them, else from anywhere; INVALID_MFN when nobody has. */
mfn_t bootmem_try_alloc(unsigned long count, unsigned long align, mfn_t limit,
			nodeid_t node) __must_check;

/*
 * The ranges that are left, in ascending order: for the heap, the page-table builder and tests. Taking from a range
 * changes that one and moves those above it.
 */
struct mfn_range {
	mfn_t start, end; /* [start, end) */
};
unsigned int bootmem_ranges(const struct mfn_range **first);

/* The heap has taken over: from now on asking for memory here is a bug. */
void bootmem_close(void);

/* Highest RAM frame + 1, before reservations. */
mfn_t bootmem_end_of_ram(void);

#endif
