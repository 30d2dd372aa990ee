// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64's part of tine/arch_fork.h. A vCPU that does not run has all its state in struct vcpu: general registers, and in struct guest_vcpu what
 * guest_context.c puts there. A copy of it is those, the interrupt controller's part and whether the timer's interrupt is under way. VMID and tables stay
 * the domain's own; the root of a tree that changes is loaded with the vCPU.
 */
#include "internal.h"
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/domain.h>
#include <tine/fork.h>
#include <tine/guest_access.h>
#include <tine/string.h>

struct vcpu_state {
	struct cpu_regs regs;
	struct guest_sysregs sys;
	struct arm64_fp fp;
	struct vgic_cpu gic;
	bool timer_active;
};

struct domain_state {
	u64 count_offset, ram_end;
	u32 gicd_ctlr;
	u64 params[HVM_NR_PARAMS];
	unsigned long placed[1 + GRANT_FRAMES_MAX];
};

int arch_fork_check(const struct domain *d)
{
	return 0;
}

/* ---- Memory ---- */

int arch_fork_memory(struct domain *child, struct domain *parent)
{
	int rc = p2m_fork(&child->arch.p2m, &parent->arch.p2m);

	return rc ? rc : arm64_guest_map_interface(child); /* strategies may pass over devices */
}

int arch_fork_checkpoint(struct domain *child)
{
	return p2m_checkpoint(&child->arch.p2m);
}

int arch_reset_memory(struct domain *child)
{
	return p2m_reset(&child->arch.p2m);
}

/* A page's type_info counts who writes to it by its machine number: guest_domain.c. */
bool arch_frame_is_held(const struct page *pg)
{
	return READ_ONCE(pg->type_info) != 0;
}

bool arch_memory_share(struct domain *d, unsigned long *own, unsigned long *common)
{
	unsigned int order;

	*own = *common = 0;
	for (unsigned long gfn = GUEST_PAGES >> PAGE_SHIFT; gfn < d->arch.ram_end >> PAGE_SHIFT;
	     gfn = (gfn | (BIT(order) - 1)) + 1) {
		enum p2m_type type;

		(void)p2m_lookup(&d->arch.p2m, _gfn(gfn), &type, &order);
		if (type == P2M_RAM)
			*own += BIT(order);
		else if (type == P2M_SHARED)
			*common += BIT(order);
	}
	return true;
}

/* ---- vCPUs ---- */

size_t arch_vcpu_state_size(void)
{
	return sizeof(struct vcpu_state);
}

void arch_vcpu_state_save(const struct vcpu *v, void *to)
{
	const struct guest_vcpu *g = &v->arch.guest;

	*(struct vcpu_state *)to = (struct vcpu_state){
		.regs = v->arch.regs,
		.sys = g->sys,
		.fp = g->fp,
		.gic = g->gic,
		.timer_active = g->timer_active,
	};
}

void arch_vcpu_state_load(struct vcpu *v, const void *from)
{
	const struct vcpu_state *s = from;
	struct guest_vcpu *g = &v->arch.guest;

	v->arch.regs = s->regs;
	g->sys = s->sys;
	g->fp = s->fp;
	g->gic = s->gic;
	g->timer_active = s->timer_active;
	g->continued = false;
	vtimer_rearm(v);
}

void arch_hypercall_result(struct vcpu *v, long result)
{
	v->arch.regs.x[0] = (u64)result;
}

/* ---- Domains ---- */

size_t arch_domain_state_size(void)
{
	return sizeof(struct domain_state);
}

void arch_domain_state_save(const struct domain *d, void *to)
{
	struct domain_state *s = to;

	s->count_offset = d->arch.count_offset;
	s->ram_end = d->arch.ram_end;
	s->gicd_ctlr = d->arch.gicd_ctlr;
	memcpy(s->params, d->arch.params, sizeof(s->params));
	memcpy(s->placed, d->arch.placed, sizeof(s->placed));
}

void arch_domain_state_load(struct domain *d, const void *from)
{
	const struct domain_state *s = from;

	memset(d->arch.last_vcpu, 0,
	       sizeof(d->arch.last_vcpu)); /* no CPU goes on with what it translated by other registers */
	d->arch.count_offset = s->count_offset;
	d->arch.ram_end = s->ram_end;
	d->arch.gicd_ctlr = s->gicd_ctlr;
	memcpy(d->arch.params, s->params, sizeof(s->params));
	memcpy(d->arch.placed, s->placed, sizeof(s->placed));
}
