/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A translated guest's physical memory: a radix tree of 512-entry tables in the CPU's own format (AMD nested paging, Arm
 * stage 2), walked by mm/p2m.c and encoded by one small codec an architecture (struct p2m_codec). Leaves are 4 KiB, 2 MiB
 * and 1 GiB. Tables are reference-counted, so that trees can share subtrees.
 *
 * p2m->lock (LOCK_P2M) guards structure and entries; hardware reads entries at any time, so each changes by one store.
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
	P2M_SHARED, /* RAM that others read, too: a write makes a private copy */
	P2M_RO,     /* readable only; a write is the guest's mistake */
	P2M_IO,     /* device memory, uncached */
};

/* One entry, decoded. At level 1 a leaf maps 4 KiB, at level 2 2 MiB, at level 3 1 GiB. */
struct p2m_entry {
	enum p2m_type type; /* of a leaf; P2M_HOLE when nothing is there */
	bool table;         /* names the table of the level below */
	bool writable; /* this entry lets writes through; withdrawn on a table entry: the whole subtree is shared */
	mfn_t mfn; /* leaf's first frame, or the table's */
};

/* How an architecture writes entries. Pure functions: no state, host tests drive both codecs. */
struct p2m_codec {
	unsigned int levels;     /* of the tree: 4 (48 bits) on AMD */
	bool hierarchical_write; /* permissions are ANDed on the way down */
	u64 (*encode)(struct p2m_entry entry, unsigned int level);
	struct p2m_entry (*decode)(u64 raw, unsigned int level);
};

struct p2m {
	const struct p2m_codec *codec;
	struct spinlock lock;
	struct domain *domain;
	mfn_t root;
	unsigned long nr_tables;
	bool flush_wanted; /* entries were taken away since the last flush: p2m_flush() before the lock is dropped */
};

int p2m_init(struct p2m *p2m, struct domain *d,
	     const struct p2m_codec *codec) __must_check; /* -ENOMEM */
void p2m_destroy(
	struct p2m *p2m); /* drops all references on tables and frames; the domain does not run */

/*
 * Maps 2^ORDER frames (ORDER 0, 9, 18; both numbers aligned) at GFN. What was there before is replaced, its references dropped. The caller's
 * reference on the frames passes to the tree. -ENOMEM leaves the tree as it was.
 */
int p2m_set(struct p2m *p2m, gfn_t gfn, mfn_t mfn, unsigned int order,
	    enum p2m_type type) __must_check;
int p2m_clear(struct p2m *p2m, gfn_t gfn, unsigned int order) __must_check;

/* The leaf that maps GFN: its type, frame of GFN itself, and *ORDER of the leaf (NULL: not wanted). INVALID_MFN for a hole. */
mfn_t p2m_lookup(struct p2m *p2m, gfn_t gfn, enum p2m_type *type, unsigned int *order);

/* Allocates RAM for [GFN, GFN + COUNT) with the largest leaves that alignment and the heap allow. -ENOMEM: what was done stays. */
int p2m_populate(struct p2m *p2m, gfn_t gfn, unsigned long count) __must_check;

/*
 * The guest's access at GFN faulted. 0: the entry allows it now, run on. -ENOENT: a hole. -EACCES: may not be written. -ENOMEM. The door through
 * which architecture code enters: unsharing, copying and waking of tables happen behind it.
 */
int p2m_fault(struct p2m *p2m, gfn_t gfn, bool write) __must_check;

void p2m_flush(struct p2m *p2m); /* arch: the CPUs that run the domain forget its translations */

#endif
