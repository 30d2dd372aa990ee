// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aborts of stage 2: registers of the interrupt controller are emulated; memory is the p2m's, which may let the access through now; all else ends the
 * guest. ISS fields: DDI 0487, D17.2.37 (data abort).
 */
#include "internal.h"
#include <tine/domain.h>
#include <tine/translated_memory.h>

#define ISS_VALID (1UL << 24)
#define ISS_SIZE(esr) (1U << ((esr) >> 22 & 3))
#define ISS_SIGNED (1UL << 21)
#define ISS_REGISTER(esr) ((unsigned int)((esr) >> 16 & 0x1f))
#define ISS_64BIT (1UL << 15)
#define ISS_FAR_UNKNOWN (1UL << 10)
#define ISS_WALK (1UL << 7)
#define ISS_WRITE (1UL << 6)
#define ISS_STATUS(esr) ((esr)&0x3c)
#define STATUS_PERMISSION 0x0c
#define CLASS_IS_DATA(esr) (((esr) >> 26 & 0x3f) == 0x24)

#define ZERO_REGISTER 31

/* HPFAR_EL2 need not be right for a permission fault (D17.2.58): the guest's own tables say. They may have changed since: then it faults again. */
static bool address_of(const struct vcpu *v, u64 esr, u64 far, u64 hpfar, u64 *ipa)
{
	bool walk = esr & ISS_WALK;

	if (ISS_STATUS(esr) == STATUS_PERMISSION && !walk)
		return arch_translate(v, far, false, ipa);
	*ipa = (hpfar >> 4 << PAGE_SHIFT) | (walk ? 0 : far & ~PAGE_MASK);
	return true;
}

static u64 extended(u64 value, u64 esr)
{
	unsigned int unused = 64 - 8 * ISS_SIZE(esr);

	value = value << unused >> unused;
	if (esr & ISS_SIGNED)
		value = (u64)((s64)(value << unused) >> unused);
	return esr & ISS_64BIT ? value : (u32)value;
}

static bool emulate(struct vcpu *v, u64 esr, u64 ipa)
{
	struct cpu_regs *r = &v->arch.regs;
	unsigned int n = ISS_REGISTER(esr);
	bool write = esr & ISS_WRITE;
	u64 value = write && n != ZERO_REGISTER ? r->x[n] : 0;

	if (!CLASS_IS_DATA(esr) || !(esr & ISS_VALID) ||
	    !vgic_mmio(v, ipa, write, ISS_SIZE(esr), &value))
		return false;
	if (!write && n != ZERO_REGISTER)
		r->x[n] = extended(value, esr);
	arm64_guest_advance(v);
	return true;
}

void arm64_guest_abort(struct vcpu *v, u64 esr, u64 far, u64 hpfar)
{
	/* A walk that updates an entry of the guest's tables is a read by this bit, and writes. */
	bool write = CLASS_IS_DATA(esr) && esr & ISS_WRITE;
	u64 ipa;
	int rc;

	if (ISS_STATUS(esr) == STATUS_PERMISSION && esr & ISS_WALK)
		write = true;
	if (!address_of(v, esr, far, hpfar, &ipa) || emulate(v, esr, ipa))
		return;
	rc = p2m_fault(&v->domain->arch.p2m, _gfn(ipa >> PAGE_SHIFT), write);
	if (!rc)
		return;
	domain_crash(v->domain, "vCPU %u: %s of guest-physical address %lx, %s", v->id,
		     !CLASS_IS_DATA(esr) ? "execution"
		     : write             ? "write"
					 : "read",
		     (unsigned long)ipa,
		     rc == -ENOENT   ? "where it has nothing"
		     : rc == -EACCES ? "which it may not write"
				     : "for which there is no memory");
}
