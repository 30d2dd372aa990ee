/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grants: a domain lets another use one of its frames, by an entry in a table that it shares with
 * the hypervisor (public/grant_table.h, ABI page 6.5). A use pins the frame: while it lasts the
 * frame is not freed, and does not become a page table if the use is for writing.
 *
 * Each domain has a table of what it grants (sched/grant_table.c) and a list of what it has mapped
 * of others' (sched/grant_map.c). Both are bounded. Where an answer is an int without more words,
 * it is a GNTST_* status.
 */
#ifndef TINE_GRANT_H
#define TINE_GRANT_H

#include <tine/compiler.h>
#include <tine/types.h>
#include <xen/grant_table.h>

#define GRANT_FRAMES_MAX 64
#define GRANT_STATUS_FRAMES_MAX 8
#define GRANT_MAPPINGS_MAX 8192

struct domain;
struct page;

int grant_domain_init(struct domain *d) __must_check; /* -ENOMEM */
/*
 * Its vCPUs are stopped and its page tables gone: ends up to BATCH of its mappings. True: none is
 * left.
 */
bool grant_domain_reap(struct domain *d, unsigned int batch); /* also of a fork that is reset */
void grant_domain_free(struct domain *d);

/* ---- The table ---- */

/* At least NR frames; 0, -EINVAL (more than may be), -ENOMEM. */
int grant_table_grow(struct domain *d, unsigned int nr) __must_check;
unsigned int grant_table_frames(struct domain *d, unsigned int *status_frames);
unsigned long grant_table_uses(struct domain *d); /* by others, of what it grants */
mfn_t grant_table_frame(struct domain *d,
			unsigned int i); /* below the counts that grant_table_frames() tells */
mfn_t grant_status_frame(struct domain *d, unsigned int i);
u32 grant_table_version(struct domain *d);
/* Their contents change places. GNTST_eagain: one of them is in use. */
int grant_table_swap(struct domain *d, u32 a, u32 b) __must_check;
/* Drops all entries but the reserved ones. 0, -EINVAL, -ENOMEM; -EBUSY: something is in use. */
int grant_table_set_version(struct domain *d, u32 version) __must_check;

/*
 * Until it is open again whoever wants to use anything of D's has to try later (GNTST_eagain). For who has claimed D to fork or reset it. -EBUSY:
 * something is in use.
 */
int grant_table_close(struct domain *d) __must_check;
void grant_table_open(struct domain *d);

/* ---- Uses ---- */

struct grant_use {
	struct page *page;
	u16 offset, length; /* what of it may be used; all but for entries of version 2 */
	bool write;
	domid_t next_domid; /* GRANT_PASSED_ON: whose grant is meant, and which; no page */
	u32 next_ref;
};

/*
 * USER begins to use entry REF of GRANTER's table. WHOLE: it needs all of the page. The caller has
 * a reference on GRANTER; once begun the use keeps it from going away (but with GRANT_PASSED_ON, where
 * there is no frame of GRANTER's: the caller keeps its reference). GRANT_LATER: the same again, later.
 */
#define GRANT_PASSED_ON 1 /* has begun, of a transitive entry; not when WHOLE */
#define GRANT_LATER 2
int grant_begin(struct domain *granter, domid_t user, u32 ref, bool write, bool whole,
		struct grant_use *use) __must_check;
void grant_end(struct domain *granter, u32 ref, const struct grant_use *use);

/*
 * For the check of references. The frames of D's that others use now, once a use; D is paused or
 * has ended. And how often frame MFN is used in that way, *WRITERS of these for writing: others'
 * page tables may hold as many references more.
 */
void grant_for_each_use(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			void *arg);
unsigned int grant_uses_of(struct domain *d, mfn_t mfn, unsigned int *writers);

/* ---- Mappings of the running domain ---- */

int grant_map(gnttab_map_grant_ref_t *op) __must_check;

/*
 * A mapping on its way out: the first step withdraws it, then arch_grant_flush(), then the second
 * gives the frame back.
 */
struct grant_unmapping {
	struct domain *granter;
	struct grant_use use;
	u32 ref, handle;
};
/*
 * FRESH: what took the mapping's place (GNTTABOP_unmap_and_replace: the address whose entry moves there),
 * or 0. U's granter is NULL when a part of the mapping is left.
 */
int grant_unmap_begin(const gnttab_unmap_grant_ref_t *op, u64 fresh,
		      struct grant_unmapping *u) __must_check;
bool grant_is_mapped(struct domain *d, const struct page *pg); /* by D */
void grant_unmap_end(const struct grant_unmapping *u);

unsigned int grant_mappings(struct domain *d); /* how many it has */

#endif
