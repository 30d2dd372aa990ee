/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine-to-physical table that guests read. */
#ifndef PV_M2P_H
#define PV_M2P_H

#include <tine/compiler.h>
#include <tine/types.h>

int pv_m2p_init(void) __must_check;
int pv_m2p_set(mfn_t mfn, unsigned long pfn) __must_check; /* -ENOMEM */
int pv_m2p_set_run(mfn_t mfn, unsigned long pfn,
		   unsigned long count) __must_check; /* MFN + i is PFN + i */
/* MFN + i, all in one section, is PFNS[i]. */
int pv_m2p_set_list(mfn_t mfn, const unsigned long *pfns, unsigned int count) __must_check;
/* Frames whose words exist are nobody's. */
void pv_m2p_forget(struct page *const *pages, unsigned int count);
unsigned long pv_m2p_get(mfn_t mfn);
#define M2P_INVALID (~0UL)

/*
 * N words from VALUE on: written for every frame of a domain that is built, here and in its own
 * list.
 */
static inline void pv_count_up(u64 *word, u64 value, unsigned long n)
{
#pragma GCC unroll 8
	for (unsigned long i = 0; i < n; i++)
		word[i] = value + i;
}

#endif
