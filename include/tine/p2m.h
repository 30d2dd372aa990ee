/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A translated guest's physical memory: a radix tree of 512-entry tables in the CPU's own format (AMD nested paging, Arm
 * stage 2), walked by mm/p2m.c and encoded by one small codec an architecture (struct p2m_codec). Leaves are 4 KiB, 2 MiB
 * and 1 GiB. Tables are reference-counted, so that trees can share subtrees.
 *
 * p2m->lock (LOCK_P2M) guards structure and entries. Hardware reads entries at any time, so each change is one store, and
 * what it cuts off (frames, tables) is given up only after the CPUs have forgotten it: that is what a batch is for.
 */
#ifndef TINE_P2M_H
#define TINE_P2M_H

#include <tine/compiler.h>
#include <tine/spinlock.h>
#include <tine/types.h>

struct domain;

enum p2m_type {
	P2M_HOLE,   /* nothing: an access faults to the hypervisor */
	P2M_RAM,    /* the guest's own frames, read, write and execute */
	P2M_SHARED, /* RAM, for now read only: others may map it, too, and a write makes a private copy (p2m_lookup()'s word) */
	P2M_RO,     /* readable only; a write is the guest's mistake */
	/* What is not counted: who maps it sees to it that it stays. */
	P2M_IO, /* device memory, uncached; forks may have it as their parent does, and all write to it */
	P2M_GRANT,    /* a frame of another domain's, by a grant; a tree with any is not forked */
	P2M_GRANT_RO, /* the same, readable only */
};

/* One entry, decoded. At level 1 a leaf maps 4 KiB, at level 2 2 MiB, at level 3 1 GiB. */
struct p2m_entry {
	enum p2m_type type; /* of a leaf; P2M_HOLE when nothing is there */
	bool table;         /* names the table of the level below */
	bool writable; /* lets writes through; table entry without: what is below may be shared (no hierarchical_write: and is not reached before it is woken) */
	mfn_t mfn;     /* leaf's first frame, or the table's */
};

/* How an architecture writes entries. Pure functions: no state, host tests drive them. A hole is encoded as 0. */
struct p2m_codec {
	unsigned int levels;     /* of the tree: 4 (48 bits) on AMD */
	bool hierarchical_write; /* permissions are ANDed on the way down */
	bool break_before_make; /* a valid entry becomes another valid one only by way of a hole and a flush (Arm) */
	u64 (*encode)(struct p2m_entry entry, unsigned int level);
	struct p2m_entry (*decode)(u64 raw, unsigned int level);
};

/*
 * Frames of a domain's. Domains are of a floor above this one, so whoever makes a p2m says how: sched/domain_p2m.c. ORDER is 0, 9 or 18.
 * A frame that trees map, however often, has one general reference for that and PAGE_MAPPED (mm/mapcount.h).
 */
struct p2m_frames {
	/*
	 * A block for D, clean unless it will be OVERWRITTEN, with the trees' reference and PAGE_MAPPED beside what makes it D's. 0, or -ENOMEM or another
	 * error of D's. May be called with p2m->lock held.
	 */
	int (*alloc)(struct domain *d, unsigned int order, bool overwritten, mfn_t *out);
	/*
	 * No tree maps the frames any more: drops the trees' reference. Frames of DOMID_COW go with it. D's CPUs have forgotten them. Without p2m->lock.
	 */
	void (*put)(struct domain *d, mfn_t mfn, unsigned int order);
	/* The same, and the frames that are D's are D's no more. */
	void (*free)(struct domain *d, mfn_t mfn, unsigned int order);
	/* D maps this one no more, others do: if it is D's, it becomes DOMID_COW's. With p2m_frame_lock() held. */
	void (*leave)(struct domain *d, mfn_t mfn);
	bool (*owns)(const struct domain *d, mfn_t mfn);
	/*
	 * D alone maps MFN: it is D's from now on. 0 if it was already. -EPERM: another domain's; -EACCES: another's page of the hypervisor's; -E2BIG: D
	 * has as many as it may; -EINVAL: D is dying. With p2m_frame_lock() held.
	 */
	int (*adopt)(struct domain *d, mfn_t mfn);
	/* MFN is a page that D goes on with when it is shared, however often: somebody beside D writes to it by its number. */
	bool (*keeps)(const struct domain *d, mfn_t mfn);
	/* The trees of D's family of forks have N tables more, or less. False: there is no memory for them. NULL: nobody counts. */
	bool (*tables)(struct domain *d, long n);
	/* Should long work stop here? NULL: never. */
	bool (*interrupted)(void);
};

/* How often trees map a frame changes under this lock, and so does who owns one that they map (LOCK_MAPCOUNT; the same for all of one 1 GiB). */
struct spinlock *p2m_frame_lock(mfn_t mfn);

struct p2m {
	const struct p2m_codec *codec;
	const struct p2m_frames *frames;
	struct spinlock lock;
	struct domain *domain;
	mfn_t root;
	mfn_t origin; /* the root of p2m_checkpoint()'s tree, or INVALID_MFN; mm/p2m_reset.c */
	struct p2m_changes {
		mfn_t top; /* frame of the newest page of the log; mm/p2m_log.h */
		unsigned int pages, max_pages;
		bool lost; /* something is not in it */
	} log;             /* since the checkpoint */
	mfn_t dying[2];    /* roots that are being taken apart */
	unsigned int
		largest_order; /* of leaves: 18; arch may lower it before there are any, for CPUs without 1 GiB pages */
	struct p2m *
		parent; /* while a fork of it is not complete: holes are filled from there (mm/fork_frames.c) */
	bool has_grants;           /* maps or has mapped frames by grants: it cannot be forked */
	bool origin_has_grants;    /* the same of the checkpoint */
	unsigned long resume;      /* where fork or reset goes on, a gfn; 0: at the start */
	unsigned long resume_left; /* the same of what a reset gives up to others there */
	struct p2m_audit {
		gfn_t from; /* all below was checked, ... */
		unsigned int
			level; /* ... and the tables above this level that begin there; 0: nothing */
		bool origin;   /* the tree that runs was checked, this is the checkpoint's */
		unsigned long wrong;
	} audit;
};

int p2m_init(struct p2m *p2m, struct domain *d, const struct p2m_codec *codec,
	     const struct p2m_frames *frames) __must_check; /* -ENOMEM */
/* Drops all references on tables and frames; the domain does not run any more. -ERESTART: call it again. */
int p2m_destroy(struct p2m *p2m) __must_check;

/*
 * Maps 2^ORDER frames (ORDER 0, 9, 18; both numbers aligned) at GFN. What was there before is replaced, its references dropped. The caller's
 * reference on the frames passes to the tree. -ENOMEM leaves the tree as it was; -EINVAL: numbers that cannot be.
 */
int p2m_set(struct p2m *p2m, gfn_t gfn, mfn_t mfn, unsigned int order,
	    enum p2m_type type) __must_check;
/* The same with a hole. Needs memory where it makes a hole in a larger leaf. */
int p2m_clear(struct p2m *p2m, gfn_t gfn, unsigned int order) __must_check;

/*
 * Many changes with one flush. p2m_begin() takes the lock, p2m_end() drops it, flushes, and gives up what was replaced. A batch that is
 * full does the same in between: the lock is not held throughout. No lock of a level above LOCK_P2M's may be held at either.
 */
#define P2M_BATCH 32
struct p2m_batch {
	struct p2m *p2m;
	bool flush; /* translations were taken away */
	unsigned int count;
	struct p2m_cut {
		struct p2m_entry entry;
		unsigned int level;
		bool give_up; /* frames leave their domain as well */
	} cut[P2M_BATCH];
};
void p2m_begin(struct p2m_batch *b, struct p2m *p2m);
int p2m_batch_set(struct p2m_batch *b, gfn_t gfn, mfn_t mfn, unsigned int order,
		  enum p2m_type type) __must_check;
int p2m_batch_clear(struct p2m_batch *b, gfn_t gfn, unsigned int order) __must_check;
void p2m_end(struct p2m_batch *b);

/*
 * The leaf that maps GFN: its type, frame of GFN itself, and *ORDER of the leaf, or of the hole (either may be NULL: not wanted).
 * INVALID_MFN for a hole. No reference is taken: the answer holds as long as the caller knows that nobody changes the entry.
 */
mfn_t p2m_lookup(struct p2m *p2m, gfn_t gfn, enum p2m_type *type, unsigned int *order);

/*
 * Allocates RAM for [GFN, GFN + COUNT) with the largest leaves that alignment and the heap allow. -EEXIST: something is there already; -ENOMEM
 * and what frames->alloc answers. In all cases what was done stays.
 */
int p2m_populate(struct p2m *p2m, gfn_t gfn, unsigned long count) __must_check;

/*
 * The guest's access at GFN faulted. 0: the entry allows it now, run on. -ENOENT: a hole. -EACCES: may not be written. -ENOMEM. The door through
 * which architecture code enters: unsharing, copying and waking of tables happen behind it.
 */
int p2m_fault(struct p2m *p2m, gfn_t gfn, bool write) __must_check;

/*
 * Counts what the tree has (nothing: it was not made, or is gone), and compares the counts that its tables keep with it. The number of
 * differences, each reported in a line. For tests and the consistency check.
 */
struct p2m_stats {
	unsigned long tables;
	unsigned long leaves[3]; /* of 4 KiB, 2 MiB, 1 GiB */
};
unsigned long p2m_check(struct p2m *p2m, struct p2m_stats *stats);
/* The same without the counts, in steps. -ERESTART: other work waits, call it again; two that do so at the same time share the work, and the answer. */
int p2m_audit(struct p2m *p2m, unsigned long *wrong) __must_check;

/* Of all p2ms together; with no p2m left, none. */
unsigned long p2m_tables_in_use(void);

/*
 * Implemented by the architecture: the CPUs that run the domain have forgotten all its translations when this returns. Called without
 * p2m->lock, except for a codec with break_before_make.
 */
void arch_p2m_flush(struct p2m *p2m);

/*
 * Implemented by the architecture, for guests that run with caches off, and for what other caches remember of a frame. No tree names the frames yet: what
 * memory holds becomes what they contain, so that nothing older shows and nothing is written over the guest's later.
 */
void arch_p2m_clean(mfn_t mfn, unsigned int order);
/* The frame TO becomes, as that, what a guest sees in FROM, data or instructions. */
void arch_p2m_copy(mfn_t to, mfn_t from);

#endif
