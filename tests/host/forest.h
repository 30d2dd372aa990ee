/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many p2ms that share frames and tables, for tests of fork: domains reduced to what they own, a CPU for each that walks the tables as hardware does and
 * remembers translations until it is told to forget them, and what each guest must read, kept apart from it all.
 *
 * A guest has MARKS pages that are looked at, scattered over leaves of all sizes; each holds one word that counts.
 */
#ifndef HOST_FOREST_H
#define HOST_FOREST_H

#include <tine/fork.h>

#define FOREST_FRAMES (3UL << 18) /* of the machine */
#define TREES 128
#define MARKS 400
#define TLB 16

struct tree {
	struct p2m p2m;
	bool alive, checkpointed, running;
	u64 marks[MARKS];  /* what the guest must read; 0: a hole */
	u64 origin[MARKS]; /* the same at the checkpoint */
	unsigned long nr_pages;
	struct {
		bool valid, writable;
		u32 mark;
		mfn_t mfn;
	} tlb[TLB];
};

extern struct tree trees[TREES];
extern const struct p2m_codec *forest_codec;

/* Other work always waits, not just now and then. How often that was asked; and the most frames that were given up between two times. */
extern bool forest_impatient;
extern unsigned long forest_asked, forest_most_at_once;

/* A machine with memory; once a program. */
void forest_boot(void);
/* No trees, all memory free. */
void forest_start(const struct p2m_codec *codec);
/* Ends all trees and checks that every frame is back. */
void forest_stop(void);

gfn_t mark_gfn(unsigned int mark);

/*
 * The first tree: a 1 GiB leaf (or, where the strategy looks at each frame, what makes do with less: forest_small), some 2 MiB and some pages, all marks
 * written.
 */
struct tree *forest_seed(void);
extern bool forest_small;
/* NULL: -ENOMEM, after which nothing has changed; or no tree left. CHECKPOINT: as a fuzzer has it. */
struct tree *forest_fork(struct tree *parent, bool checkpoint);
void forest_destroy(struct tree *t);
int forest_reset(struct tree *t);

/* As the guest does. -ENOMEM when the fault found none; the contents are checked at every access. */
int guest_write(struct tree *t, unsigned int mark, u64 value);
int guest_read(struct tree *t, unsigned int mark);
/* The page of a mark leaves the guest, or comes (new, and 0 but for the mark). */
int guest_balloon_out(struct tree *t, unsigned int mark);
/* All of the aligned 2 MiB around it, so that a table becomes empty. */
int guest_balloon_out_2m(struct tree *t, unsigned int mark);
int guest_balloon_in(struct tree *t, unsigned int mark, u64 value);

/* All marks of all guests, all counts, all owners. */
void forest_check(void);
void forest_audit(void);

/* All free memory is taken; some of that or all of it is given back. */
void forest_starve(void);
void forest_give(unsigned long count);
void forest_feed(void);

#endif
