// SPDX-License-Identifier: GPL-2.0-or-later
/* The grant table of a guest whose memory is translated: it takes the place of a page of the guest's. */
#include "tiny_grant.h"
#include "tiny_guest.h"
#include "tiny_lib.h"
#include <xen/memory.h>

static grant_entry_v1_t table[PAGE_SIZE / sizeof(grant_entry_v1_t)] __page_aligned;

volatile grant_entry_v1_t *grant_entries(void)
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = XENMAPSPACE_grant_table,
					  .gpfn = (uint64_t)table / PAGE_SIZE };
	static bool there;
	long rc;

	if (there)
		return table;
	rc = hypercall2(__HYPERVISOR_memory_op, XENMEM_add_to_physmap, (uint64_t)&add);
	if (rc)
		tiny_fail("no grant table: %ld", rc);
	there = true;
	return table;
}

uint64_t frame_of(const void *page)
{
	return (uint64_t)page / PAGE_SIZE;
}
