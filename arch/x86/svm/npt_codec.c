// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The codec of nested page tables: ordinary long-mode entries, with U/S set on all levels, as nested walks are user accesses (APM vol. 2,
 * 15.25.5). Write permission is ANDed down the walk. The p2m's type is in the three bits of software below the address; accessed and dirty bits are
 * set from the start, so that the CPU never writes to a table. Host tests build this file as it is.
 */
#include <asm/npt.h>
#include <asm/pte.h>

#define TYPE_SHIFT 9
#define TYPE_MASK 7

static u64 encode(struct p2m_entry e, unsigned int level)
{
	u64 flags = PTE_P | PTE_US | PTE_A | (e.writable ? PTE_RW : 0);

	if (e.table)
		return pte_make(e.mfn, flags);
	if (e.type == P2M_HOLE)
		return 0;
	if (e.type == P2M_IO)
		flags |= PTE_PCD | PTE_PWT;
	return pte_make(e.mfn,
			flags | PTE_D | (level > 1 ? PTE_PSE : 0) | (u64)e.type << TYPE_SHIFT);
}

static struct p2m_entry decode(u64 raw, unsigned int level)
{
	if (!(raw & PTE_P))
		return (struct p2m_entry){ .type = P2M_HOLE, .mfn = INVALID_MFN };
	return (struct p2m_entry){
		.table = level > 1 && !(raw & PTE_PSE),
		.writable = raw & PTE_RW,
		.type = (enum p2m_type)(raw >> TYPE_SHIFT & TYPE_MASK),
		.mfn = pte_mfn(raw),
	};
}

const struct p2m_codec svm_npt_codec = {
	.levels = 4,
	.hierarchical_write = true,
	.encode = encode,
	.decode = decode,
};
