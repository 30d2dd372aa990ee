// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long the instruction is that exited. Processors say where the next one is (NRIP save); on others, QEMU among them, its bytes are read through
 * the guest's page tables, prefixes are passed over, and the opcode must be the exit's: another vCPU may have written something else there since.
 *
 * Of the vCPU that runs.
 */
#include "internal.h"
#include <asm/cpufeature.h>

#define LEAF_SVM 0x8000000au
#define SVM_FEATURE_NRIP (1U << 3)
#define LONGEST 15U /* bytes of an instruction */

static bool is_prefix(u8 byte, bool wide)
{
	switch (byte) {
	case 0x26: /* segments */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66: /* sizes */
	case 0x67:
	case 0xf0: /* lock and repeat */
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return wide && (byte & 0xf0) == 0x40; /* REX */
	}
}

/* As far as they can be read: what follows the instruction may be on a page that is not there. */
static unsigned int fetch(struct vcpu *v, u8 bytes[LONGEST])
{
	const struct vmcb *c = svm_vmcb(v);
	u64 at = svm_in_long_mode(c) ? v->arch.regs.rip : (u32)(c->cs.base + v->arch.regs.rip);
	unsigned int rest = (unsigned int)(PAGE_SIZE - (at & ~PAGE_MASK));

	if (rest >= LONGEST)
		return translated_copy_from(current, bytes, _gva(at), LONGEST) ? 0 : LONGEST;
	if (translated_copy_from(current, bytes, _gva(at), rest))
		return 0;
	return translated_copy_from(current, bytes + rest, _gva(at + rest), LONGEST - rest)
		       ? rest
		       : LONGEST;
}

/* OPCODE: its bytes, the first one the most significant. */
static unsigned int measure(struct vcpu *v, u32 opcode)
{
	unsigned int size = opcode > 0xffff ? 3 : opcode > 0xff ? 2 : 1, at = 0, n;
	u8 bytes[LONGEST];
	u32 found = 0;

	n = fetch(v, bytes);
	while (at < n && is_prefix(bytes[at], svm_in_long_mode(svm_vmcb(v))))
		at++;
	if (at + size > n)
		return 0;
	for (unsigned int i = 0; i < size; i++)
		found = found << 8 | bytes[at + i];
	return found == opcode ? at + size : 0;
}

bool svm_insn_find(struct vcpu *v, u32 opcode)
{
	static s8 has_nrip = -1;

	if (has_nrip < 0)
		has_nrip = !!(cpuid(LEAF_SVM, 0).edx & SVM_FEATURE_NRIP);
	v->arch.svm->insn_bytes =
		has_nrip ? (u8)(svm_vmcb(v)->next_rip - v->arch.regs.rip) : (u8)measure(v, opcode);
	return v->arch.svm->insn_bytes != 0;
}

void svm_skip(struct vcpu *v)
{
	u64 rip = v->arch.regs.rip + v->arch.svm->insn_bytes;

	v->arch.regs.rip = svm_in_long_mode(svm_vmcb(v)) ? rip : (u32)rip;
	svm_vmcb(v)->shadow = 0;
}
