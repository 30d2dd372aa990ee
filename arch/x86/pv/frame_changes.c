// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PV domain gains and loses frames while it runs: what its tables must know of that. The guest itself
 * keeps the list from its own numbers to machine frames; the way back, the M2P, is the hypervisor's.
 */
#include "internal.h"
#include "m2p.h"
#include "tlb.h"
#include <tine/arch.h>

int arch_frames_given(struct domain *d, mfn_t mfn, unsigned int order, unsigned long pfn)
{
	return pv_m2p_set_run(mfn, pfn, 1UL << order);
}

int arch_frames_given_to(struct domain *d, mfn_t mfn, const unsigned long *pfns, unsigned int count)
{
	return pv_m2p_set_list(mfn, pfns, count);
}

void arch_frames_taken(struct domain *d, struct page *const *pages, unsigned int count)
{
	pv_m2p_forget(pages, count);
}

/* Read-only mappings leave no stamp when they go: all of the domain's CPUs. */
void pv_forget_frames(struct domain *d)
{
	pv_tlb_flush_mask(d, &d->arch.pv.active_cpus);
}
