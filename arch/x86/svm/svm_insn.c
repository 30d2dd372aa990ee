// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long the instruction is that exited. Processors say where the next one is (NRIP save); on others, QEMU among them, its bytes are read through
 * the guest's page tables, prefixes are passed over, and the opcode must be the exit's: another vCPU may have written something else there since.
 *
 * Of the vCPU that runs.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/debugreg.h>
#include <tine/string.h>

#define LEAF_SVM 0x8000000au
#define SVM_FEATURE_NRIP (1U << 3)
#define LONGEST 15U /* bytes of an instruction */

#define REX 0x40
#define REX_R 0x4
#define REX_B 0x1
#define PREFIX_LOCK 0xf0

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
	case PREFIX_LOCK:
	case 0xf2: /* repeat */
	case 0xf3:
		return true;
	default:
		return wide && (byte & 0xf0) == REX;
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

/* How many of the N bytes are prefixes. */
static unsigned int prefixes(const struct vcpu *v, const u8 *bytes, unsigned int n)
{
	bool wide = svm_in_long_mode(svm_vmcb(v));
	unsigned int at = 0;

	while (at < n && is_prefix(bytes[at], wide))
		at++;
	return at;
}

/* OPCODE: its bytes, the first one the most significant. */
static unsigned int measure(struct vcpu *v, u32 opcode)
{
	unsigned int size = opcode > 0xffff ? 3 : opcode > 0xff ? 2 : 1;
	unsigned int n, at;
	u8 bytes[LONGEST];
	u32 found = 0;

	n = fetch(v, bytes);
	at = prefixes(v, bytes, n);
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

/*
 * MOV to and from control and debug registers is 0f, the opcode, and a ModRM of which only the registers count (APM vol. 3, MOV CRn, MOV DRn). A REX
 * counts if it is the last prefix. LOCK makes CR8 of CR0, for code without REX.
 */
int svm_insn_find_mov(struct vcpu *v, u8 opcode, unsigned int number)
{
	u8 bytes[LONGEST], rex = 0, modrm;
	unsigned int n = fetch(v, bytes), at = prefixes(v, bytes, n), named;

	if (at + 3 > n || bytes[at] != 0x0f || bytes[at + 1] != opcode)
		return -EINVAL;
	if (at && svm_in_long_mode(svm_vmcb(v)) && (bytes[at - 1] & 0xf0) == REX)
		rex = bytes[at - 1];
	modrm = bytes[at + 2];
	named = (modrm >> 3 & 7) | (rex & REX_R ? 8 : 0);
	if (!named && opcode != SVM_MOV_FROM_DR && opcode != SVM_MOV_TO_DR &&
	    memchr(bytes, PREFIX_LOCK, at))
		named = 8;
	if (named != number)
		return -EINVAL;
	v->arch.svm->insn_bytes = (u8)(at + 3);
	return (modrm & 7) | (rex & REX_B ? 8 : 0);
}

void svm_skip(struct vcpu *v)
{
	u64 rip = v->arch.regs.rip + v->arch.svm->insn_bytes;
	struct vmcb *c = svm_vmcb(v);

	v->arch.regs.rip = svm_in_long_mode(c) ? rip : (u32)rip;
	v->arch.regs.rflags &= ~RFLAGS_RF;
	c->shadow = 0;
	if (unlikely(v->arch.regs.rflags & RFLAGS_TF) && !c->event_inject) {
		c->dr6 |= DR6_BS;
		svm_inject(v, TRAP_DB);
	}
}
