/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking an address up in a guest's page tables by hand. Nothing is locked: another vCPU may take
 * a table apart and reuse it under the walk. So entries are loaded through the exception table (a
 * stale one may name anything), and whoever goes on to use the result first takes a typed reference
 * on what was found.
 */
#ifndef PV_WALK_H
#define PV_WALK_H

#include "internal.h"
#include <asm/guest.h>

/* The level-1 table for VA under the top-level table L4. False: there is none. */
static __always_inline bool pv_walk_table(mfn_t l4, unsigned long va, mfn_t *l1)
{
	u64 entry = load_or_zero((const u64 *)mfn_to_virt(l4) + pt_index(va, 4));

	if (unlikely(!(entry & PTE_P)))
		return false;
	entry = load_or_zero((const u64 *)mfn_to_virt(pte_mfn(entry)) + pt_index(va, 3));
	if (unlikely((entry & (PTE_P | PTE_PSE)) != PTE_P))
		return false;
	entry = load_or_zero((const u64 *)mfn_to_virt(pte_mfn(entry)) + pt_index(va, 2));
	*l1 = pte_mfn(entry);
	return likely((entry & (PTE_P | PTE_PSE)) == PTE_P);
}

/* The present level-1 entry for VA. */
static inline bool pv_walk_entry(mfn_t l4, unsigned long va, u64 *entry)
{
	mfn_t l1;

	if (!pv_walk_table(l4, va, &l1))
		return false;
	*entry = load_or_zero((const u64 *)mfn_to_virt(l1) + pt_index(va, 1));
	return *entry & PTE_P;
}

#endif
