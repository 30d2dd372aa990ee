// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mmu_update hypercall: a batch of 8-byte writes to machine addresses. One that lies in a page
 * table is a validated change of that entry; elsewhere it is a plain store, as long as the frame
 * may be written to. Also changes of the M2P.
 */
#include "batch.h"
#include "foreign.h"
#include "internal.h"
#include "m2p.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <tine/softirq.h>

#define CMD_MASK 3UL

/*
 * The table that the last request changed, with a typed reference: the next one is mostly for the
 * same. Nothing in a batch can want it as something else, since that would be a change of another
 * table, or of this very one and refused.
 */
struct held {
	struct page *pg; /* NULL: none */
	unsigned long frame;
	enum pv_type level;
};

static __always_inline void let_go(struct held *held)
{
	if (held->pg)
		pv_page_put_type(held->pg);
	held->pg = NULL;
	held->frame = ~0UL;
}

/* Makes the table that PG is the held one. False: it is none. */
static __always_inline bool take(struct held *held, struct domain *d, struct page *pg,
				 unsigned long frame)
{
	enum pv_type type = pgt_type(READ_ONCE(pg->type_info));

	if (type < PV_TYPE_L1 || type > PV_TYPE_L4 || !page_get(pg, d))
		return false;
	if (!pv_type_hold(pg, type)) {
		page_put(pg);
		return false;
	}
	*held = (struct held){ pg, frame, type };
	return true;
}

/* Where no table is, a store as the guest could do it itself, or a change of the M2P. */
static int update_other(const struct domain *d, u64 cmd, u64 at, u64 val)
{
	struct page *pg = page_of_guest_mfn(at >> PAGE_SHIFT);
	int rc;

	if (!pg || !d || !page_get(pg, d))
		return -EINVAL;
	if (cmd == MMU_MACHPHYS_UPDATE) {
		rc = pv_m2p_set(page_to_mfn(pg), val);
	} else {
		rc = pv_type_get(pg, d, PV_TYPE_WRITABLE);
		if (!rc) {
			WRITE_ONCE(*(u64 *)paddr_to_virt(_paddr(at)), val);
			pv_type_put(pg);
		}
	}
	page_put(pg);
	return rc;
}

static __always_inline int update_one(struct held *held, const struct pv_parties p, u64 ptr,
				      u64 val)
{
	u64 cmd = ptr & CMD_MASK, at = ptr & ~CMD_MASK;
	struct page *pg;

	if (unlikely(cmd == MMU_MACHPHYS_UPDATE))
		return update_other(p.frames, cmd, at, val);
	if (unlikely(!IS_ALIGNED(at, sizeof(u64))))
		return -EINVAL;
	if (unlikely(at >> PAGE_SHIFT != held->frame)) {
		let_go(held);
		pg = page_of_guest_mfn(at >> PAGE_SHIFT);
		if (!pg || !take(held, p.tables, pg, at >> PAGE_SHIFT))
			return update_other(p.tables, cmd, at, val);
		if (held->level > PV_TYPE_L1 && p.owner != p.tables->id) {
			let_go(held);
			return -EINVAL; /* tables are not shared */
		}
	}
	if (unlikely(!pv_slot_is_guests(held->level, (at & ~PAGE_MASK) / sizeof(u64))))
		return -EINVAL;
	return pv_entry_update(p.tables, p.owner, paddr_to_virt(_paddr(at)), val, held->level,
			       cmd == MMU_PT_UPDATE_PRESERVE_AD);
}

/* Up to the first that fails; batch->i tells. -ERESTART: what is left is for later. */
static __always_inline long update_all(struct pv_batch *batch, const struct pv_parties p,
				       unsigned long reqs, unsigned long count)
{
	struct held held = { NULL, ~0UL, PV_TYPE_NONE };
	long rc = 0;
	u64 ptr, val;

	for (; batch->i < count; batch->i++, reqs += sizeof(mmu_update_t)) {
		if (unlikely(pv_batch_must_pause(batch))) {
			rc = -ERESTART;
			break;
		}
		if (unlikely(!guest_load_pair(reqs, &ptr, &val)))
			rc = -EFAULT;
		else
			rc = update_one(&held, p, ptr, val);
		if (unlikely(rc))
			break;
	}
	let_go(&held);
	return unlikely(pv_batch_unfinished(p.tables, rc)) ? -ERESTART : rc;
}

static __noinline long update_foreign(struct pv_batch *batch, unsigned long reqs,
				      unsigned long count, unsigned long foreign)
{
	struct pv_parties parties;
	long rc = pv_parties_find(&parties, (u32)foreign);

	if (rc)
		return rc;
	rc = count ? pv_parties_allowed(&parties) : 0;
	if (!rc)
		rc = update_all(batch, parties, reqs, count);
	pv_parties_forget(&parties);
	return rc;
}

long do_mmu_update(unsigned long reqs, unsigned long count, unsigned long done_ptr,
		   unsigned long foreign, unsigned long a5)
{
	struct domain *d = current->domain;
	struct pv_batch batch;
	long rc;

	rc = pv_batch_begin(&batch, &count, done_ptr);
	if (rc)
		return rc;
	if (likely((u32)foreign == DOMID_SELF))
		rc = update_all(&batch, (struct pv_parties){ d, d, d->id }, reqs, count);
	else
		rc = update_foreign(&batch, reqs, count, foreign);
	if (unlikely(rc == -ERESTART))
		return pv_batch_pause(&batch, __HYPERVISOR_mmu_update,
				      reqs + batch.i * sizeof(mmu_update_t), count, foreign);
	return pv_batch_end(&batch, rc);
}
