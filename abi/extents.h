/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extents: the blocks of 2^order frames that memory_op's lists are made of. A list is in guest memory,
 * an item of it is one frame number.
 */
#ifndef ABI_EXTENTS_H
#define ABI_EXTENTS_H

#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/guest_access.h>
#include <tine/vcpu.h>
#include <xen/memory.h>

unsigned int extent_max_order(const struct domain *d);
bool extent_is_self(const struct domain *d, domid_t id);

bool extent_read_item(const struct xen_memory_reservation *r, unsigned long i,
		      xen_pfn_t *frame) __must_check;
bool extent_read_items(const struct xen_memory_reservation *r, unsigned long i, xen_pfn_t *frames,
		       unsigned int count) __must_check;
bool extent_write_item(const struct xen_memory_reservation *r, unsigned long i,
		       mfn_t mfn) __must_check;

/* Up to EXTENT_BLOCK neighbours as items from I on. Single frames are had from the heap in such blocks. */
#define EXTENT_BLOCK_ORDER 5
#define EXTENT_BLOCK (1U << EXTENT_BLOCK_ORDER)
bool extent_write_items(const struct xen_memory_reservation *r, unsigned long i, mfn_t mfn,
			unsigned int count) __must_check;

/* A block as R asks for it: from the heap only, and given to D as well. */
mfn_t extent_alloc_unowned(const struct xen_memory_reservation *r) __must_check;
bool extent_get(struct domain *d, const struct xen_memory_reservation *r, mfn_t *mfn) __must_check;

/* Frames of D on their way out: its CPUs forget all of them at once. Ends with leaving_end(). */
#define LEAVING_AT_ONCE 128

struct leaving {
	struct domain *d;
	unsigned int count;
	struct page *pages[LEAVING_AT_ONCE];
	/* items of the list that were read ahead */
	unsigned long first_item;
	unsigned int items;
	xen_pfn_t item[32];
};

/* Item I of R's list goes. False: it is not the domain's to give; a first part of it may have gone. */
bool extent_give_up(struct leaving *l, const struct xen_memory_reservation *r,
		    unsigned long i) __must_check;
void leaving_end(struct leaving *l);

#endif
