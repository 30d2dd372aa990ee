/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sharing of single frames on request: for toolstacks that find equal pages (XENMEM_sharing_op, ABI page 9). A frame is nominated, which makes it
 * DOMID_COW's and read-only where it is, and gets a handle; with two handles, one place's frame takes the other's place, and is freed if nothing else maps it. It is
 * no matter whether the contents are equal: that is for the caller to know. A write ends it for the writer (p2m_unshare.c), and with the last one the
 * handle is void.
 *
 * All frames are of 4 KiB here: larger leaves are split. Both domains may run.
 */
#ifndef TINE_SHARE_H
#define TINE_SHARE_H

#include <tine/p2m.h>

/* What Xen answers where a handle is not, or not any more, the frame's. */
#define SHARE_BAD_CLIENT (-9)
#define SHARE_BAD_SOURCE (-10)

/* *HANDLE, never 0, for the frame at GFN; the same as before if it has one. -EINVAL: no RAM of the guest's own. -E2BIG: somebody holds it. -ENOMEM. */
int share_nominate(struct p2m *p2m, gfn_t gfn, u64 *handle) __must_check;

struct share_place {
	struct p2m *p2m;
	gfn_t gfn;
	u64 handle;
};

/*
 * CLIENT's place gets SOURCE's frame. Other places that map the client's frame keep it (on Xen they follow). 0, also if it is the same frame already; SHARE_BAD_*;
 * -ENOMEM.
 */
int share_frames(const struct share_place *source, const struct share_place *client) __must_check;

/* The same where CLIENT, whose handle does not count, has a hole; -EINVAL where it has none. */
int share_add(const struct share_place *source, const struct share_place *client) __must_check;

/*
 * Each of FIRST to LAST of SOURCE is shared with the same of CLIENT, as far as both can be nominated; the others are passed over. *DONE, 0 at first, counts
 * those that were looked at. -EINVAL: they are not in order, or beyond what can be. -ENOMEM. -ERESTART: to be called again with the same *DONE.
 */
int share_range(struct p2m *source, struct p2m *client, gfn_t first, gfn_t last,
		unsigned long *done) __must_check;

/* How many entries map the frame at GFN, if it was nominated; 0: it was not. */
unsigned int share_count(struct p2m *p2m, gfn_t gfn);

#endif
