/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many entries of p2ms name each frame. A 2 MiB or 1 GiB entry counts once for its whole block, so that copying a table costs one count an
 * entry whatever its size. A frame is mapped as often as it is named by 4 KiB entries, plus its 2 MiB block by 2 MiB entries, plus its 1 GiB block
 * by such.
 *
 *   4 KiB entries   PAGE_MAPS_MASK in count_info
 *   2 MiB entries   `aux` of the block's first frame
 *   1 GiB entries   `aux` of the block's second frame (the first counts for the 2 MiB block that begins there)
 *
 * `aux` is that only in a frame with PAGE_MAPPED_LARGE: else it is somebody else's. Sixteen bits are
 * enough for forks: a tree names a frame once, a domain has two trees at most, and of domains there are less than 2^15. Where frames are shared on request a tree
 * may name one often; a count that reaches MAPCOUNT_STUCK stays there for good, and the frame with it, read-only.
 *
 * All trees together have one general reference on a frame, PAGE_MAPPED says that it is there: it comes with the first entry and goes with the last,
 * as p2m_frame_lock() is held for every change from or to 0. Who has an entry may count another one for the same without the lock.
 */
#ifndef MM_MAPCOUNT_H
#define MM_MAPCOUNT_H

#include "p2m_internal.h"

/* A block that p2m_frames.alloc gave, or that has no trees' reference yet (the caller's becomes that), is named by one entry. */
void mapcount_new(mfn_t mfn, unsigned int order);
void mapcount_take(mfn_t mfn, unsigned int order);

/* As many more as there are CPUs may add one after each has looked. */
#define MAPCOUNT_STUCK 0xff00U

static inline bool mapcount_is_stuck(const struct page *pg)
{
	return unlikely((READ_ONCE(pg->count_info) & PAGE_MAPS_MASK) >= (u64)MAPCOUNT_STUCK
										<< PAGE_MAPS_SHIFT);
}

/* Another entry for what the caller has an entry of. */
static inline void mapcount_get(mfn_t mfn, unsigned int order)
{
	struct page *pg = mfn_to_page(mfn);

	if (!order && mapcount_is_stuck(pg))
		return;
	if (!order)
		(void)__atomic_fetch_add(&pg->count_info, PAGE_MAPS_ONE, __ATOMIC_RELAXED);
	else
		(void)__atomic_fetch_add(&pg[order != P2M_TABLE_ORDER].aux, 1, __ATOMIC_RELAXED);
}

/* Another entry, of a size that perhaps none has yet, for frames of a larger entry that the caller knows of. */
void mapcount_get_piece(mfn_t mfn, unsigned int order);

/* One entry becomes 512 of the next size. */
void mapcount_split(mfn_t mfn, unsigned int order);

/*
 * An entry of P2M's has gone, CPUs have forgotten it. Of frames that nothing maps any more the trees' reference is dropped, and with GIVE_UP
 * their owner's; of those that others map, P2M's domain gives up the ownership. Not under p2m->lock.
 */
void mapcount_put(const struct p2m *p2m, mfn_t mfn, unsigned int order, bool give_up);

/* P2M's entry of ORDER 0 or 9 is about to go with a table that others have: its domain gives up the ownership of the block's frames. */
void mapcount_leave(const struct p2m *p2m, mfn_t mfn, unsigned int order);

/*
 * If the only entry that names the block is the caller's, the frames become P2M's domain's: 0. -EBUSY: others have some. Else as p2m_frames.adopt says.
 * ORDER 0 or 9.
 */
int mapcount_claim(const struct p2m *p2m, mfn_t mfn, unsigned int order) __must_check;

/* For checks: as often as MFN is mapped. */
unsigned int mapcount_of(mfn_t mfn);
/* Of these by entries of ORDER 0, 9, or 18. */
unsigned int mapcount_of_order(mfn_t mfn, unsigned int order);

#endif
