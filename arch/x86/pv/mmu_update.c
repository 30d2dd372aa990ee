// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mmu_update hypercall: a batch of 8-byte writes to machine addresses. One that lies in a page table is a validated change of
 * that entry; elsewhere it is a plain store, as long as the frame may be written to. Also changes of the M2P.
 */
#include "internal.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <tine/softirq.h>

#define CMD_MASK 3UL

static bool is_table(enum pv_type type)
{
	return type >= PV_TYPE_L1 && type <= PV_TYPE_L4;
}

/* The frame is ours by a general reference. */
static int write_word(struct domain *d, struct page *pg, u64 *slot, u64 val, bool keep_ad)
{
	enum pv_type type = pgt_type(READ_ONCE(pg->type_info));
	int rc;

	if (likely(is_table(type) && pv_type_hold(pg, type))) {
		rc = -EINVAL;
		if (pv_slot_is_guests(type, ((unsigned long)slot & ~PAGE_MASK) / sizeof(*slot)))
			rc = pv_entry_update(d, slot, val, type, keep_ad);
		pv_type_put(pg);
		return rc;
	}
	rc = pv_type_get(pg, d, PV_TYPE_WRITABLE);
	if (rc)
		return rc;
	WRITE_ONCE(*slot, val);
	pv_type_put(pg);
	return 0;
}

static int update_one(struct domain *d, u64 ptr, u64 val)
{
	u64 cmd = ptr & CMD_MASK, at = ptr & ~CMD_MASK;
	struct page *pg = page_of_guest_mfn(at >> PAGE_SHIFT);
	int rc = -EINVAL;

	if (unlikely(!pg || !page_get(pg, d)))
		return -EINVAL;
	switch (cmd) {
	case MMU_NORMAL_PT_UPDATE:
	case MMU_PT_UPDATE_PRESERVE_AD:
	case MMU_PT_UPDATE_NO_TRANSLATE:
		if (likely(IS_ALIGNED(at, sizeof(u64))))
			rc = write_word(d, pg, paddr_to_virt(_paddr(at)), val,
					cmd == MMU_PT_UPDATE_PRESERVE_AD);
		break;
	case MMU_MACHPHYS_UPDATE:
		rc = pv_m2p_set(page_to_mfn(pg), val);
		break;
	}
	page_put(pg);
	return rc;
}

/* Other domains' tables, and other domains' frames in ours, are not to be had yet. */
static bool only_self(const struct domain *d, unsigned long foreign)
{
	u16 frames = (u16)foreign, tables = (u16)(foreign >> 16);

	return (frames == DOMID_SELF || frames == d->id) && (tables == 0 || tables - 1 == d->id);
}

long do_mmu_update(unsigned long reqs, unsigned long count, unsigned long done_ptr,
		   unsigned long foreign, unsigned long a5)
{
	struct domain *d = current->domain;
	struct pv_batch batch;
	u64 ptr, val;
	long rc;

	rc = pv_batch_begin(&batch, &count, done_ptr);
	if (rc)
		return rc;
	if (!only_self(d, foreign))
		return -EPERM;
	for (; batch.i < count; batch.i++, reqs += sizeof(mmu_update_t)) {
		if (unlikely(pv_batch_must_pause(&batch)))
			return pv_batch_pause(&batch, __HYPERVISOR_mmu_update, reqs, count,
					      foreign);
		if (unlikely(!guest_load_pair(reqs, &ptr, &val)))
			rc = -EFAULT;
		else
			rc = update_one(d, ptr, val);
		if (unlikely(rc))
			break;
	}
	return pv_batch_end(&batch, rc);
}
