/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What grant_table.c and grant_map.c know of each other: struct grant_table. */
#ifndef SCHED_GRANT_INTERNAL_H
#define SCHED_GRANT_INTERNAL_H

#include <tine/domain.h>
#include <tine/grant.h>

/*
 * An entry in use. The frame is the one that it named when its use began, whatever the guest writes
 * there since.
 */
struct grant_active {
	u32 readers, writers; /* uses; 0 and 0: none */
	u32 mfn;
	domid_t user;
};

struct grant_mapping {
	struct domain *granter;
	struct page *page;      /* NULL: free, or on its way in or out */
	u32 ref;                /* free: the next free one */
	u16 flags;              /* GNTMAP_* */
} __attribute__((aligned(32))); /* a page holds a power of two of them */

#define GRANT_MAPPINGS_A_PAGE (PAGE_SIZE / sizeof(struct grant_mapping))
#define GRANT_MAPPING_PAGES (GRANT_MAPPINGS_MAX / GRANT_MAPPINGS_A_PAGE)
_Static_assert(GRANT_MAPPINGS_MAX % GRANT_MAPPINGS_A_PAGE == 0, "whole pages of handles");
#define GRANT_NO_HANDLE 0xffffffffU

struct grant_table {
	struct spinlock lock; /* LOCK_GRANT: entries in use, frames, version */
	u32 version;
	unsigned int nr_frames, nr_status;
	unsigned long uses;
	bool closed; /* nobody may begin to use anything: its domain is being forked or reset */
	void *frames[GRANT_FRAMES_MAX];
	grant_status_t *status[GRANT_STATUS_FRAMES_MAX];
	struct grant_active *active[GRANT_FRAMES_MAX]; /* for each entry of the frame */

	struct spinlock map_lock; /* LOCK_GRANT: which mappings are free; never with the other */
	struct grant_mapping *mappings[GRANT_MAPPING_PAGES];
	unsigned int nr_handles, nr_mappings; /* given room; in use */
	u32 free_handle;
};

void grant_mappings_init(struct grant_table *t);
void grant_mappings_free(struct grant_table *t);

#endif
