/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PV guest that does all it can to its page tables, for tests of arch/x86/pv/page_type.c and
 * page_table.c: it pins and unpins, changes entries, fills pages with would-be tables, asks for
 * descriptor pages, at random. A checker then recomputes every count from the tables themselves.
 */
#ifndef PV_TABLES_H
#define PV_TABLES_H

#include <tine/types.h>

void pv_tables_start(unsigned int nr_frames); /* a machine and a domain with so many frames */
void pv_tables_stop(void); /* everything is given back; fails when something is left */

/* One guest CPU: what it holds, and its own sequence of random numbers. */
struct pv_guest {
	u64 random;
	unsigned int nr_holds;
	struct {
		unsigned int frame;
		bool writable; /* else as descriptors */
	} holds[8];
};

void pv_guest_step(struct pv_guest *g); /* one random act */
void pv_guest_release(struct pv_guest *g);

/*
 * With no step going on, and all guests that hold something in GUESTS: how many things are wrong,
 * each said on stderr. No two uses of a frame disagree; every count is what the tables, pins and
 * holds add up to; present entries of live tables are adjusted; the hypervisor's slots are in live
 * top-level tables and in no other page.
 */
unsigned long pv_tables_check(const struct pv_guest *guests, unsigned int nr);

/* How often each came about, so that a test can tell that it tested something. */
struct pv_tables_seen {
	unsigned long pinned[5], pin_refused, updated[5], update_refused, held, hold_refused,
		flushes, paused, reap_paused, linear;
};
extern struct pv_tables_seen pv_tables_seen;

#endif
