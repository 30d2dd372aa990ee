/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the architecture's contract (tine/arch.h) that forking and resetting domains needs. No vCPU of the domains named runs, and
 * nobody starts one meanwhile. Called by sched/domain_fork.c and its helpers.
 */
#ifndef TINE_ARCH_FORK_H
#define TINE_ARCH_FORK_H

#include <tine/compiler.h>
#include <tine/types.h>

struct domain;
struct page;
struct vcpu;

/* 0, or -EOPNOTSUPP: domains of this kind cannot be forked. */
int arch_fork_check(const struct domain *d) __must_check;

/*
 * CHILD, which has no memory, gets PARENT's, shared until either writes. -ENOMEM: nothing has changed for the parent, and the child is to be
 * destroyed. -ERESTART: other work waits, call it again.
 */
int arch_fork_memory(struct domain *child, struct domain *parent) __must_check;
/* The child's memory as it is now is what arch_reset_memory() goes back to, but for the contents of frames that are held. */
int arch_fork_checkpoint(struct domain *child) __must_check;
/* -ENOMEM, -ERESTART: call it again. */
int arch_reset_memory(struct domain *child) __must_check;
/* By arch_map_guest_frame(), or by somebody's grant for writing: such a frame stays its owner's when it is forked. */
bool arch_frame_is_held(const struct page *pg);

/*
 * How many frames D has for itself, and how many it may have in common with forks (a write would tell). False: D's memory is of a kind that never is.
 * Takes its time.
 */
bool arch_memory_share(struct domain *d, unsigned long *own, unsigned long *common);

/* Registers and all else that arch has of a vCPU or domain but its memory, to and from a plain copy of that many bytes. */
size_t arch_vcpu_state_size(void);
void arch_vcpu_state_save(const struct vcpu *v, void *to);
void arch_vcpu_state_load(struct vcpu *v, const void *from);
size_t arch_domain_state_size(void);
void arch_domain_state_save(const struct domain *d, void *to);
void arch_domain_state_load(struct domain *d, const void *from);

/* V, stopped in a hypercall that has returned, sees RESULT as that one's result. */
void arch_hypercall_result(struct vcpu *v, long result);

#endif
