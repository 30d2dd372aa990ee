// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See tiny_grant.h. Entries are shared with the hypervisor: flags change last on the way in, first
 * on the way out.
 */
#include "tiny_grant.h"
#include "tiny_guest.h"
#include "tiny_lib.h"

/* There is no call that tells, but a channel to itself does. */
domid_t own_domain_id(void)
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };
	evtchn_status_t status = { .dom = DOMID_SELF };
	evtchn_close_t close;

	if (hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc))
		return DOMID_INVALID;
	status.port = close.port = alloc.port;
	if (hv_event_channel_op(EVTCHNOP_status, &status) ||
	    hv_event_channel_op(EVTCHNOP_close, &close))
		return DOMID_INVALID;
	return status.u.unbound.dom;
}

void grant_offer(unsigned int ref, const void *page, domid_t domain, uint16_t flags)
{
	volatile grant_entry_v1_t *e = &grant_entries()[ref];

	e->frame = (uint32_t)frame_of(page);
	e->domid = domain;
	__atomic_store_n(&e->flags, GTF_permit_access | flags, __ATOMIC_SEQ_CST);
}

bool grant_withdraw(unsigned int ref)
{
	volatile grant_entry_v1_t *e = &grant_entries()[ref];
	uint16_t flags = e->flags;

	do {
		if (flags & (GTF_reading | GTF_writing))
			return false;
	} while (!__atomic_compare_exchange_n(&e->flags, &flags, 0, false, __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	return true;
}

int grant_map(domid_t domain, unsigned int ref, const void *page, unsigned int flags,
	      grant_handle_t *handle)
{
	gnttab_map_grant_ref_t map = {
		.host_addr = (uint64_t)page, .flags = flags, .ref = ref, .dom = domain
	};
	long rc = hv_grant_table_op(GNTTABOP_map_grant_ref, &map, 1);

	*handle = map.handle;
	return rc ? (int)rc * 100 : map.status;
}

int grant_unmap(const void *page, grant_handle_t handle)
{
	gnttab_unmap_grant_ref_t unmap = { .host_addr = (uint64_t)page, .handle = handle };
	long rc = hv_grant_table_op(GNTTABOP_unmap_grant_ref, &unmap, 1);

	return rc ? (int)rc * 100 : unmap.status;
}
