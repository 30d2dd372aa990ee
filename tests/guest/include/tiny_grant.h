/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's grant table (version 1) and the calls that use others' grants. */
#ifndef TINY_GRANT_H
#define TINY_GRANT_H

#include "tiny_hypercall.h"

#include <xen/grant_table.h>

/* Entries below are the toolstack's. */
#define GRANT_FIRST_FREE GNTTAB_NR_RESERVED_ENTRIES

/* The first frame of the table, mapped on the first call; ends the guest if there is none. */
volatile grant_entry_v1_t *grant_entries(void);

/* For tests: a page to grant, whose first word is GRANT_SHOWN, and addresses for a mapping. */
#define GRANT_SHOWN 0x1234
extern uint64_t *grant_shared, *grant_window;
void grant_pages_take(void);
void grant_pages_give(void);

/*
 * Entry `ref` offers the page's frame to `domain`; flags 0 or GTF_readonly. And its withdrawal:
 * false while somebody uses it.
 */
void grant_offer(unsigned int ref, const void *page, domid_t domain, uint16_t flags);
bool __must_check grant_withdraw(unsigned int ref);

/* The guest's own number; DOMID_INVALID if it cannot be found out. */
domid_t own_domain_id(void);

static inline long hv_grant_table_op(unsigned int command, void *operations, unsigned int count)
{
	return hypercall3(__HYPERVISOR_grant_table_op, command, (uint64_t)operations, count);
}

/*
 * One operation; the status of it, or -errno * 100 of the call. `page` is a page of the linear
 * mapping, that the frame takes the place of.
 */
int grant_map(domid_t domain, unsigned int ref, const void *page, unsigned int flags,
	      grant_handle_t *handle);
int grant_unmap(const void *page, grant_handle_t handle);

#endif
