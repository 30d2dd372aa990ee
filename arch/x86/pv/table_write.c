// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables that look writable: with the assist switched on, a guest kernel's write to a level-1
 * table of its own, which it can only have mapped read-only, is done for it as a validated change
 * of that entry, and as atomically as the instruction would have been. (Public xen.h,
 * VMASST_TYPE_writable_pagetables.) Whatever else a write fault may be is left to the guest.
 */
#include "internal.h"
#include "store_insn.h"
#include "walk.h"

/* The frame that ADDRESS maps read-only, with a reference of type level 1, or NULL. */
static struct page *table_at(struct vcpu *v, unsigned long address)
{
	struct page *pg;
	u64 entry;

	if (!pv_walk_entry(v->arch.pv.kernel_table, address, &entry) || (entry & PTE_RW))
		return NULL;
	pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	if (!pg || !page_get(pg, v->domain))
		return NULL;
	if (pv_type_hold(pg, PV_TYPE_L1))
		return pg;
	page_put(pg);
	return NULL;
}

/* The instruction on the part of *SLOT that it means, again until nobody came between. */
static bool change_entry(struct domain *d, u64 *slot, const struct store_insn *in,
			 struct cpu_regs *regs)
{
	unsigned int shift = 8 * (in->address % sizeof(u64));
	u64 mask = (in->size == 8 ? ~0UL : BIT(8 * in->size) - 1) << shift;
	struct store_effect effect;
	int rc;

	do {
		u64 old = READ_ONCE(*slot);

		store_apply(in, regs, (old & mask) >> shift, &effect);
		if (!effect.writes)
			break;
		rc = pv_entry_exchange(d, slot, old, (old & ~mask) | effect.value << shift, 1);
	} while (rc == -EAGAIN);
	if (effect.writes && rc == -ERESTART)
		return true; /* not yet: the instruction will fault again */
	if (effect.writes && rc)
		return false;
	store_finish(in, &effect, regs);
	return true;
}

bool pv_emulate_table_write(struct vcpu *v, struct cpu_regs *regs, unsigned long address)
{
	struct store_insn in;
	struct page *pg;
	u8 bytes[PV_INSN_MAX];
	bool done;

	if (!guest_range_ok(address, sizeof(u64)))
		return false;
	pg = table_at(v, address);
	if (!pg)
		return false;
	done = pv_code_is_64bit(v, regs) &&
	       store_decode(&in, bytes, pv_fetch_insn(bytes, regs->rip), regs) &&
	       in.address == address && IS_ALIGNED(address, in.size) &&
	       change_entry(v->domain,
			    (u64 *)mfn_to_virt(page_to_mfn(pg)) + address % PAGE_SIZE / sizeof(u64),
			    &in, regs);
	pv_page_put_type(pg);
	return done;
}
