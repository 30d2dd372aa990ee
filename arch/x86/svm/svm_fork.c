// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PVH guest's part of tine/arch_fork.h. A vCPU that does not run has its state in three places: general registers in arch.regs, the save area and
 * what is to be injected in its control block, FPU and debug registers 0 to 3 where svm_save() has put them. A copy of it is those,
 * and the local APIC. What the control block says about this domain and this CPU (permission maps, nested root, ASID) stays.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/fpu.h>
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/fork.h>
#include <tine/grant.h>
#include <tine/guest_access.h>
#include <tine/string.h>
#include "../pv/frame_type.h"

/* The save area from its beginning to the last register that there is (APM vol. 2, table B-2). */
#define SAVED_FROM offsetof(struct vmcb, es)
#define SAVED_SIZE (offsetof(struct vmcb, pat) + sizeof(u64) - SAVED_FROM)

struct svm_vcpu_state {
	struct cpu_regs regs;
	u64 xcr0, debugreg[4], dr7, nmi_iret;
	u64 tsc_offset, shadow, event_inject;
	u32 sipi, tsc_aux;
	u32 iret_intercept;
	bool wait_sipi, nmi_pending, nmi_masked, lme_held_back;
	u8 upcall_vector;
	struct svm_lapic lapic;
	u8 save_area[SAVED_SIZE];
	u8 fpu[]; /* x86_fpu_size() */
};

struct svm_domain_state {
	u8 callback_vector;
	u64 params[HVM_NR_PARAMS];
	unsigned long placed[1 + GRANT_FRAMES_MAX];
	unsigned long low_end, low_top, high_end;
};

int arch_fork_check(const struct domain *d)
{
	return is_pvh(d) ? 0 : -EOPNOTSUPP;
}

/* ---- Memory ---- */

/* The root of D's tree may be another one. */
static void use_root(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i)
		svm_vmcb(v)->nested_cr3 = paddr_x(mfn_to_paddr(d->arch.svm.p2m.root));
}

int arch_fork_memory(struct domain *child, struct domain *parent)
{
	int rc = p2m_fork(&child->arch.svm.p2m, &parent->arch.svm.p2m);

	use_root(child);
	use_root(parent);
	return rc;
}

int arch_fork_checkpoint(struct domain *child)
{
	int rc = p2m_checkpoint(&child->arch.svm.p2m);

	use_root(child);
	return rc;
}

int arch_reset_memory(struct domain *child)
{
	int rc = p2m_reset(&child->arch.svm.p2m);

	use_root(child);
	return rc;
}

bool arch_frame_is_held(const struct page *pg)
{
	return READ_ONCE(pg->type_info) & PGT_COUNT_MASK;
}

bool arch_memory_share(struct domain *d, unsigned long *own, unsigned long *common)
{
	struct svm_domain *svm = &d->arch.svm;
	unsigned long end = max(svm->low_top, svm->high_end) >> PAGE_SHIFT;
	unsigned int order;

	*own = *common = 0;
	if (!is_pvh(d))
		return false;
	for (unsigned long gfn = 0; gfn < end; gfn = (gfn | (BIT(order) - 1)) + 1) {
		enum p2m_type type;

		(void)p2m_lookup(&svm->p2m, _gfn(gfn), &type, &order);
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
	return sizeof(struct svm_vcpu_state) + x86_fpu_size();
}

void arch_vcpu_state_save(const struct vcpu *v, void *to)
{
	struct svm_vcpu_state *s = to;
	const struct svm_vcpu *svm = v->arch.svm;
	const struct vmcb *c = svm->vmcb;

	s->regs = v->arch.regs;
	s->xcr0 = v->arch.pv.xcr0;
	memcpy(s->debugreg, svm->debugreg, sizeof(s->debugreg));
	s->dr7 = svm->dr7;
	s->tsc_offset = c->tsc_offset;
	s->shadow = c->shadow;
	s->event_inject = c->event_inject;
	s->sipi = svm->sipi;
	s->wait_sipi = svm->wait_sipi;
	s->upcall_vector = svm->upcall_vector;
	s->lapic = svm->lapic;
	s->tsc_aux = v->arch.pv.tsc_aux;
	s->nmi_pending = svm->nmi_pending;
	s->nmi_masked = svm->nmi_masked;
	s->lme_held_back = svm->lme_held_back;
	s->nmi_iret = svm->nmi_iret;
	s->iret_intercept = c->intercept_1 & SVM_INTERCEPT_IRET;
	memcpy(s->save_area, (const u8 *)c + SAVED_FROM, SAVED_SIZE);
	memcpy(s->fpu, v->arch.fpu, x86_fpu_size());
}

void arch_vcpu_state_load(struct vcpu *v, const void *from)
{
	const struct svm_vcpu_state *s = from;
	struct svm_vcpu *svm = v->arch.svm;
	struct vmcb *c = svm->vmcb;

	v->arch.regs = s->regs;
	v->arch.pv.xcr0 = s->xcr0;
	memcpy(svm->debugreg, s->debugreg, sizeof(svm->debugreg));
	svm->dr7 = s->dr7;
	c->tsc_offset = s->tsc_offset;
	c->shadow = s->shadow;
	c->event_inject = s->event_inject;
	svm->sipi = s->sipi;
	svm->wait_sipi = s->wait_sipi;
	svm->upcall_vector = s->upcall_vector;
	svm->continued = false;
	svm->lapic = s->lapic;
	svm_lapic_timer_resume(v);
	v->arch.pv.tsc_aux = s->tsc_aux;
	svm->nmi_pending = s->nmi_pending;
	svm->nmi_masked = s->nmi_masked;
	svm->lme_held_back = s->lme_held_back;
	svm->nmi_iret = s->nmi_iret;
	c->intercept_1 = (c->intercept_1 & ~SVM_INTERCEPT_IRET) | s->iret_intercept;
	memcpy((u8 *)c + SAVED_FROM, s->save_area, SAVED_SIZE);
	memcpy(v->arch.fpu, s->fpu, x86_fpu_size());
	svm->asid_cpu =
		~0U; /* what it translated by other registers is not for these, even if no entry of ours has changed */
}

void arch_hypercall_result(struct vcpu *v, long result)
{
	bool wide = svm_in_long_mode(svm_vmcb(v));

	v->arch.regs.rax = wide ? (u64)result : (u32)result;
}

/* ---- Domains ---- */

size_t arch_domain_state_size(void)
{
	return sizeof(struct svm_domain_state);
}

void arch_domain_state_save(const struct domain *d, void *to)
{
	const struct svm_domain *svm = &d->arch.svm;
	struct svm_domain_state *s = to;

	s->callback_vector = svm->callback_vector;
	memcpy(s->params, svm->params, sizeof(s->params));
	memcpy(s->placed, svm->placed, sizeof(s->placed));
	s->low_end = svm->low_end;
	s->low_top = svm->low_top;
	s->high_end = svm->high_end;
}

void arch_domain_state_load(struct domain *d, const void *from)
{
	struct svm_domain *svm = &d->arch.svm;
	const struct svm_domain_state *s = from;

	svm->callback_vector = s->callback_vector;
	memcpy(svm->params, s->params, sizeof(svm->params));
	memcpy(svm->placed, s->placed, sizeof(svm->placed));
	svm->low_end = s->low_end;
	svm->low_top = s->low_top;
	svm->high_end = s->high_end;
}
