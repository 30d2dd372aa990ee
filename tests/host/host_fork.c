// SPDX-License-Identifier: GPL-2.0-or-later
/* See host_fork.h. */
#include "host_fork.h"
#include "host_sched.h"
#include <string.h>
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/domain_fork.h>
#include <tine/domain_physmap.h>
#include <tine/vcpu.h>

long host_result[MAX_VCPUS];
int host_reset_result;
void (*host_in_the_making)(struct domain *child);
void (*host_at_memory)(struct domain *d);

int arch_fork_check(const struct domain *d)
{
	return 0;
}

int arch_fork_memory(struct domain *child, struct domain *parent)
{
	if (host_at_memory)
		host_at_memory(parent);
	return host_memory ? host_memory->fork(child, parent) : 0;
}

int arch_fork_checkpoint(struct domain *child)
{
	if (host_in_the_making)
		host_in_the_making(child);
	return host_memory ? host_memory->checkpoint(child) : 0;
}

int arch_reset_memory(struct domain *child)
{
	if (host_at_memory)
		host_at_memory(child);
	return host_memory ? host_memory->reset(child) : host_reset_result;
}

/* ---- What a guest has put where ---- */

struct p2m *arch_domain_p2m(struct domain *d)
{
	return host_memory ? host_memory->p2m(d) : NULL;
}

unsigned long *arch_placed(struct domain *d)
{
	return d->arch.svm.placed;
}

unsigned long arch_gfn_end(const struct domain *d)
{
	return HOST_GFNS;
}

unsigned long arch_ram_gfn_end(const struct domain *d)
{
	return HOST_GFNS;
}

/* As the real one for guests without page types: who holds a frame is counted there. */
bool arch_frame_is_held(const struct page *pg)
{
	return READ_ONCE(pg->type_info);
}

bool arch_memory_share(struct domain *d, unsigned long *own, unsigned long *common)
{
	return false;
}

size_t arch_vcpu_state_size(void)
{
	return 1;
}

void arch_vcpu_state_save(const struct vcpu *v, void *to)
{
}

void arch_vcpu_state_load(struct vcpu *v, const void *from)
{
}

size_t arch_domain_state_size(void)
{
	return sizeof(((struct domain *)0)->arch.svm.placed);
}

void arch_domain_state_save(const struct domain *d, void *to)
{
	memcpy(to, d->arch.svm.placed, sizeof(d->arch.svm.placed));
}

void arch_domain_state_load(struct domain *d, const void *from)
{
	memcpy(d->arch.svm.placed, from, sizeof(d->arch.svm.placed));
}

void arch_hypercall_result(struct vcpu *v, long result)
{
	host_result[v->id] = result;
}

int host_fork_reset(struct domain *child)
{
	int ret;

	domain_pause_nowait(child);
	host_settle();
	ret = domain_reset(child, NULL, NULL);
	domain_unpause(child);
	host_settle();
	return ret;
}
