// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PVH guest's control registers, as far as they are not between it and the processor. CR8 is the priority of its virtual local APIC. CR4 has the bits of
 * features that CPUID shows; and with it goes what EFER.LME is to the processor.
 *
 * QEMU 7.2 asks of the two: a write to CR8 while a virtual interrupt waits is the end of it; and #VMEXIT looks at the guest's CR4.PAE when it
 * turns on the hypervisor's paging, if the guest has LME set and paging off. There LME is held back until PAE is set, and
 * then until paging is off: what no processor allows, to turn on paging with LME and without PAE, gives 32-bit paging and no fault.
 *
 * Of the vCPU that runs.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/gpr.h>
#include <asm/msr.h>
#include <tine/lib.h>

#define CR_NUMBER 0xfU
#define CR8_BITS 0xfUL

/* The TLB may hold what they were (APM vol. 2, 5.5.3). */
#define CR4_OF_TRANSLATION (CR4_PSE | CR4_PAE | CR4_PGE | CR4_SMEP | CR4_SMAP)

/* ---- CR4 ---- */

enum { EAX, EBX, ECX, EDX };

struct feature {
	u32 cr4, leaf;
	u8 reg, bit;
};

static const struct feature features[] = {
	{ CR4_TSD, 1, EDX, 4 },      { CR4_DE, 1, EDX, 2 },          { CR4_PSE, 1, EDX, 3 },
	{ CR4_PAE, 1, EDX, 6 },      { CR4_MCE, 1, EDX, 7 },         { CR4_PGE, 1, EDX, 13 },
	{ CR4_OSFXSR, 1, EDX, 24 },  { CR4_OSXMMEXCPT, 1, EDX, 25 }, { CR4_OSXSAVE, 1, ECX, 26 },
	{ CR4_FSGSBASE, 7, EBX, 0 }, { CR4_SMEP, 7, EBX, 7 },        { CR4_SMAP, 7, EBX, 20 },
};

/* Every processor has CR4.PCE; RDPMC faults in spite of it. */
static u64 offered(struct vcpu *v)
{
	u32 leaf1[4], leaf7[4];
	u64 bits = CR4_PCE;

	svm_cpuid(v, 1, 0, leaf1);
	svm_cpuid(v, 7, 0, leaf7);
	for (unsigned int i = 0; i < ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];

		if ((f->leaf == 1 ? leaf1 : leaf7)[f->reg] & BIT(f->bit))
			bits |= f->cr4;
	}
	return bits;
}

static int write_cr4(struct vcpu *v, u64 value)
{
	struct vmcb *c = svm_vmcb(v);
	u64 changed = c->cr4 ^ value;

	if (value & ~offered(v))
		return -EINVAL;
	if ((c->efer & EFER_LMA) && !(value & CR4_PAE))
		return -EINVAL;
	c->cr4 = value;
	svm_set_lme(v, svm_lme(v));
	if (changed & CR4_OF_TRANSLATION)
		v->arch.svm->asid_cpu = ~0U; /* another ASID */
	return 0;
}

/* ---- EFER.LME ---- */

bool svm_lme(const struct vcpu *v)
{
	return v->arch.svm->lme_held_back || (svm_vmcb(v)->efer & EFER_LME);
}

void svm_set_lme(struct vcpu *v, bool lme)
{
	struct vmcb *c = svm_vmcb(v);
	bool possible = (c->efer & EFER_LMA) || ((c->cr4 & CR4_PAE) && !(c->cr0 & CR0_PG));
	bool held_back = x86_cpu.qemu_tcg && lme && !possible;

	v->arch.svm->lme_held_back = held_back;
	c->efer = (c->efer & ~(u64)EFER_LME) | (lme && !held_back ? EFER_LME : 0);
}

/* ---- CR8 ---- */

static int write_cr8(struct vcpu *v, u64 value)
{
	if (value & ~CR8_BITS)
		return -EINVAL;
	svm_lapic_set_class(v, (u8)value);
	return 0;
}

/* ---- The exit ---- */

/* Those whose writing is intercepted: 4 and 8. Of 8, the reading as well. */
void svm_exit_cr(struct vcpu *v)
{
	unsigned int code = (unsigned int)svm_vmcb(v)->exit_code, cr = code & CR_NUMBER;
	bool write = code >= SVM_EXIT_CR_WRITE;
	int gpr = svm_insn_find_mov(v, write ? SVM_MOV_TO_CR : SVM_MOV_FROM_CR, cr);
	u64 *reg = x86_gpr(&v->arch.regs, (unsigned int)gpr);
	int rc = 0;

	if (gpr < 0)
		rc = -EINVAL; /* the code was changed under the exit */
	else if (!write)
		*reg = svm_lapic_class(v);
	else if (cr == 8)
		rc = write_cr8(v, svm_in_long_mode(svm_vmcb(v)) ? *reg : (u32)*reg);
	else
		rc = write_cr4(v, svm_in_long_mode(svm_vmcb(v)) ? *reg : (u32)*reg);
	if (rc)
		svm_inject_code(v, TRAP_GP, 0);
	else
		svm_skip(v);
}
