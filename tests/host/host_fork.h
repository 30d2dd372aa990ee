/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sched/ asks of an architecture to fork a domain (tine/arch_fork.h), for host tests: domains have no registers here, and memory only as
 * far as a test gives them a p2m of its own.
 */
#ifndef HOST_FORK_H
#define HOST_FORK_H

#include <tine/domain.h>

#define HOST_GFNS 0x10000UL /* frame numbers that a domain can have */

extern long
	host_result[MAX_VCPUS]; /* by number of the vCPU: what a hypercall of its was given later */
extern int host_reset_result;   /* of arch_reset_memory() */
extern void (*host_in_the_making)(
	struct domain *child); /* called for a fork that has not all of its state yet */
extern void (*host_at_memory)(struct domain *d); /* called while that of D is shared, or reset */

/* domain_reset() of CHILD, paused meanwhile: one thread that plays all CPUs cannot wait for it. */
int host_fork_reset(struct domain *child);

#endif
