/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest with translated memory changes in its own physical memory: frames it gives back and takes (a balloon), pages of the hypervisor's that it puts
 * somewhere, frames of others that it maps by a grant. sched/domain_physmap.c; the arch_ functions of tine/arch.h lead here for such guests.
 */
#ifndef TINE_DOMAIN_PHYSMAP_H
#define TINE_DOMAIN_PHYSMAP_H

#include <tine/compiler.h>
#include <tine/types.h>

struct domain;
struct page;

int domain_physmap_add(struct domain *d, unsigned int space, unsigned long index,
		       gfn_t gfn) __must_check;
int domain_physmap_forget(struct domain *d, gfn_t gfn) __must_check;
int domain_physmap_populate(struct domain *d, gfn_t gfn, unsigned int order) __must_check;
int domain_physmap_remove(struct domain *d, gfn_t gfn, unsigned int order) __must_check;
/* Whether PG is at GFN. And of the pages that arch_placed() says are somewhere: forgets those that are not there any more. D does not run. */
bool domain_physmap_is_at(struct domain *d, gfn_t gfn, const struct page *pg);
void domain_physmap_settle_placed(struct domain *d);
/* After a fork or reset: where arch_placed() says are D's own pages, and not what the fork left. D does not run. -ENOMEM */
int domain_physmap_place_again(struct domain *d) __must_check;
/* Of the running domain. */
int domain_physmap_grant(u64 host, u32 flags, struct page *pg) __must_check;
int domain_physmap_ungrant(u64 host, u32 flags, struct page *pg) __must_check;

/* Implemented by the architecture: frame numbers that D can have at all, and that RAM may have, end here. */
unsigned long arch_gfn_end(const struct domain *d);
unsigned long arch_ram_gfn_end(const struct domain *d);
/* Where D has put shared info, and behind it each grant frame: gfn + 1, 0: nowhere. Guarded by d->lock. */
unsigned long *arch_placed(struct domain *d);

#endif
