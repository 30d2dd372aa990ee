// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System registers that trap (EC 0x18). ID registers are the CPU's own less what guests do not get: SVE, SME, pointer authentication, memory tagging, error
 * records, activity monitors, EL2 and EL3, performance counters, tracing. Debug and performance registers read as zero and ignore writes, so the guest
 * sets no breakpoints of hardware. GICv3: SGIs. Everything else does not exist.
 */
#include "internal.h"
#include <asm/gic.h>
#include <asm/sysreg.h>

/* ISS of EC 0x18 (DDI 0487, D17.2.37), rearranged as the manual names registers. */
#define ISS_READ(esr) ((esr)&1)
#define ISS_REGISTER(esr) ((unsigned int)((esr) >> 5 & 0x1f))
#define ZERO_REGISTER 31
#define SYSREG(op0, op1, crn, crm, op2)                                                            \
	((op0) << 16 | (op1) << 12 | (crn) << 8 | (crm) << 4 | (op2))
#define OP0(name) ((name) >> 16)
#define OP1(name) ((name) >> 12 & 0xf)
#define CRN(name) ((name) >> 8 & 0xf)
#define CRM(name) ((name) >> 4 & 0xf)

#define ID(crm, op2) SYSREG(3, 0, 0, crm, op2)
#define ICC_SGI1R SYSREG(3, 0, 12, 11, 5)
#define ACTLR SYSREG(3, 0, 1, 0, 1)

static unsigned int name_of(u64 esr)
{
	return SYSREG((unsigned int)(esr >> 20 & 3), (unsigned int)(esr >> 14 & 7),
		      (unsigned int)(esr >> 10 & 0xf), (unsigned int)(esr >> 1 & 0xf),
		      (unsigned int)(esr >> 17 & 7));
}

#define FIELD(value, shift) ((value) >> (shift)&0xf)
#define FIELD_MASK(shift) (0xfUL << (shift))

/* Of 4-bit fields: EL0, EL1, FP, AdvSIMD, DIT, CSV3 are passed on. */
static u64 pfr0(u64 raw)
{
	u64 csv2 = min(FIELD(raw, 56), 1UL); /* 2: registers that are not saved */

	raw &= FIELD_MASK(0) | FIELD_MASK(4) | FIELD_MASK(16) | FIELD_MASK(20) | FIELD_MASK(48) |
	       FIELD_MASK(60);
	return raw | csv2 << 56 | (u64)gic_is_v3() << 24;
}

#define ID_CASE(crm, op2, mask)                                                                    \
	case ID(crm, op2):                                                                         \
		return read_sysreg(s3_0_c0_c##crm##_##op2) & (mask)

/* The AArch32 half: what 32-bit programs may find out. */
static u64 read_id32(unsigned int name)
{
	const u64 all = ~0UL;

	switch (name) {
		ID_CASE(1, 0, all);
		ID_CASE(1, 1, all & ~FIELD_MASK(28)); /* GIC */
		ID_CASE(1, 2, ~FIELD_MASK(24));       /* performance counters */
		ID_CASE(1, 4, all);
		ID_CASE(1, 5, all);
		ID_CASE(1, 6, all);
		ID_CASE(1, 7, all);
		ID_CASE(2, 0, all);
		ID_CASE(2, 1, all);
		ID_CASE(2, 2, all);
		ID_CASE(2, 3, all);
		ID_CASE(2, 4, all);
		ID_CASE(2, 5, all);
		ID_CASE(2, 6, all);
		ID_CASE(2, 7, all);
		ID_CASE(3, 0, all);
		ID_CASE(3, 1, all);
		ID_CASE(3, 2, all);
		ID_CASE(3, 4, all);
	default:
		return 0;
	}
}

static u64 read_id(unsigned int name)
{
	const u64 all = ~0UL;

	switch (name) {
	case ID(4, 0):
		return pfr0(read_sysreg(id_aa64pfr0_el1));
		ID_CASE(4, 1, FIELD_MASK(0) | FIELD_MASK(4)); /* PFR1: BT, SSBS */
		/* DFR0: the architecture of debug, how many breakpoints there would be */
		ID_CASE(5, 0,
			FIELD_MASK(0) | FIELD_MASK(12) | FIELD_MASK(20) | FIELD_MASK(28) |
				FIELD_MASK(36));
		ID_CASE(6, 0, all);
		/* ISAR1 less pointer authentication (APA, API, GPA, GPI) and LS64; ISAR2 less it, WFxT and MOPS */
		ID_CASE(6, 1,
			~(FIELD_MASK(4) | FIELD_MASK(8) | FIELD_MASK(24) | FIELD_MASK(28) |
			  FIELD_MASK(60)));
		ID_CASE(6, 2, ~(FIELD_MASK(0) | FIELD_MASK(8) | FIELD_MASK(12) | FIELD_MASK(16)));
		ID_CASE(7, 0, all);
		ID_CASE(7, 1,
			~(FIELD_MASK(8) |
			  FIELD_MASK(16)));     /* MMFR1 less host extensions and LORegions */
		ID_CASE(7, 2, ~FIELD_MASK(24)); /* MMFR2 less nested virtualisation */
	default:
		return CRM(name) < 4 ? read_id32(name) : 0;
	}
}

static bool is_id(unsigned int name)
{
	return OP0(name) == 3 && !OP1(name) && !CRN(name) && CRM(name) > 0 && CRM(name) < 8;
}

/* Debug: op0 = 2. Performance counters: c9, c12 to c14, and c14, c8 to c15, as those of EL0 and EL1. */
static bool is_absent(unsigned int name)
{
	if (OP0(name) == 2 || name == ACTLR)
		return true;
	if (OP0(name) != 3)
		return false;
	return (CRN(name) == 9 && CRM(name) >= 12 && CRM(name) <= 14) ||
	       (CRN(name) == 14 && CRM(name) >= 8 && OP1(name) == 3);
}

void arm64_guest_sysreg(struct vcpu *v, u64 esr)
{
	unsigned int name = name_of(esr), n = ISS_REGISTER(esr);
	struct cpu_regs *r = &v->arch.regs;
	u64 value = 0;

	if (name == ICC_SGI1R && gic_is_v3() && !ISS_READ(esr)) {
		vgic_sgi1r(v, n == ZERO_REGISTER ? 0 : r->x[n]);
	} else if (is_id(name) && ISS_READ(esr)) {
		value = read_id(name);
	} else if (!is_absent(name)) {
		arm64_guest_undefined(v);
		return;
	}
	if (ISS_READ(esr) && n != ZERO_REGISTER)
		r->x[n] = value;
	arm64_guest_advance(v);
}
