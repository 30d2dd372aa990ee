/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a guest whose physical memory is translated (arch_domain_p2m() is not NULL), as the hypervisor reads and writes it: by guest-physical
 * address, or by virtual address through the guest's own page tables. sched/translated_memory.c. What a fork has in common with others is copied
 * before it is written to (p2m_hold()).
 */
#ifndef TINE_TRANSLATED_MEMORY_H
#define TINE_TRANSLATED_MEMORY_H

#include <tine/compiler.h>
#include <tine/types.h>

struct domain;
struct vcpu;

/*
 * Where the guest-physical address AT is, to the end of its page, with a reference on the frame that translated_release() ends: it may be taken out
 * of the tables while it is used. NULL: it is no RAM, or may not be written, or there is no memory for it, which ends D if it runs.
 */
void *translated_hold(struct domain *d, u64 at, bool write) __must_check;
void translated_release(const void *there);
/*
 * These copy. -EFAULT: it is no RAM, or it is not mapped, or not for that; a first part may be done. -ENOMEM: it was in common with forks, and there is none for
 * a copy; a domain that runs has crashed by then, as if it had written itself.
 */
/* To guest-physical memory. */
int translated_write(struct domain *d, u64 at, const void *from, size_t n) __must_check;

/* By the page tables of V, which is `current` or does not run. */
int translated_copy_from(const struct vcpu *v, void *dst, gva_t src, size_t n) __must_check;
int translated_copy_to(const struct vcpu *v, gva_t dst, const void *src, size_t n) __must_check;
/* [VA, VA + N) of the running vCPU's memory to the same addresses of V's, which does not run. */
int translated_copy_across(const struct vcpu *v, gva_t va, size_t n) __must_check;

/* Implemented by the architecture: where VA is by the tables of V (as above), as its kernel sees it. False: not mapped, or not for writing. */
bool arch_translate(const struct vcpu *v, u64 va, bool write, u64 *at) __must_check;

#endif
