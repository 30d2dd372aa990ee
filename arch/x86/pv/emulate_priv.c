// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions that fault at a PV guest's privilege level and that the ABI lets its kernel use all
 * the same: control and debug registers, MSRs, the interrupt flag (no effect: events have their own
 * mask), port I/O (port_io.c), XSETBV; and CPUID
 * behind the forced-emulation prefix, from any level.
 *
 * An instruction is decoded from a copy of its bytes, whole, before anything changes. What is not
 * in the set is left to the guest as the fault it was.
 */
#include "port_io.h"
#include <asm/cpufeature.h>
#include <asm/cpuid_policy.h>
#include <asm/fpu.h>
#include <asm/gpr.h>
#include <asm/msr.h>
#include <asm/pv.h>
#include <tine/errno.h>
#include <tine/guest_access.h>
#include <tine/lib.h>
#include <tine/string.h>
#include <tine/vcpu.h>

struct insn {
	u8 bytes[PV_INSN_MAX];
	unsigned int len;  /* bytes that could be read */
	unsigned int at;   /* next byte to decode; the instruction's length when decoded */
	unsigned int size; /* operand size in bytes: 2, 4 or 8 */
	bool rep, addr32;
	u8 rex;
};

/* The next byte; 0 past the end, with AT beyond LEN so that the caller's last check fails. */
static u8 next(struct insn *in)
{
	u8 b = in->at < in->len ? in->bytes[in->at] : 0;

	in->at++;
	return b;
}

/* Prefixes, then the first opcode byte. */
static u8 decode_prefixes(struct insn *in)
{
	in->size = 4;
	for (;;) {
		u8 b = next(in);

		switch (b) {
		case 0x66:
			in->size = 2;
			break;
		case 0x67:
			in->addr32 = true;
			break;
		case 0xf2:
		case 0xf3:
			in->rep = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
			break;
		case 0x40 ... 0x4f:
			in->rex = b;
			if (b & 8)
				in->size = 8;
			return next(in);
		default:
			return b;
		}
		if (in->at >= in->len)
			return 0;
	}
}

static bool read_cr(struct vcpu *v, unsigned int cr, u64 *value)
{
	switch (cr) {
	case 0:
		*value = (x86_read_cr0() & ~CR0_TS) | (v->arch.pv.ts ? CR0_TS : 0);
		return true;
	case 2:
		*value = v->info->arch.cr2;
		return true;
	case 3:
		*value = paddr_x(mfn_to_paddr(pv_kernel_l4(v)));
		return true;
	case 4:
		*value = v->arch.pv.cr4;
		return true;
	default:
		return false;
	}
}

static bool write_cr4(struct vcpu *v, u64 value)
{
	u64 writable = CR4_TSD | CR4_DE | (x86_cpu.cr4 & (CR4_FSGSBASE | CR4_OSXSAVE));

	if ((value ^ v->arch.pv.cr4) & ~writable)
		return false;
	v->arch.pv.cr4 = value;
	pv_load_cr4(v);
	return true;
}

/* What takes too long is begun, and the instruction comes again to go on with it. */
static bool write_cr3(struct vcpu *v, struct insn *in, u64 value)
{
	int rc = pv_new_kernel_l4(v, paddr_to_mfn(_paddr(value)));

	/* The second time it is the table in use already, whose predecessor is still being taken apart. */
	if (!rc && pv_any_dying(v->domain) && !pv_dying_reap(v->domain))
		rc = -ERESTART;
	if (rc == -ERESTART)
		in->at = 0;
	return rc == 0 || rc == -ERESTART;
}

static bool write_cr(struct vcpu *v, struct insn *in, unsigned int cr, u64 value)
{
	u64 now;

	switch (cr) {
	case 0:
		if (!read_cr(v, 0, &now) || ((now ^ value) & ~CR0_TS))
			return false;
		pv_set_ts(v, value & CR0_TS);
		return true;
	case 2:
		v->info->arch.cr2 = value;
		return true;
	case 3:
		return (value & ~PAGE_MASK) == 0 && write_cr3(v, in, value);
	case 4:
		return write_cr4(v, value);
	default:
		return false;
	}
}

/* MOV to and from CRn and DRn: the ModRM byte names both registers whatever its mode bits say. */
static bool move_control(struct vcpu *v, struct cpu_regs *regs, struct insn *in, u8 opcode)
{
	u8 modrm = next(in);
	unsigned int special = ((modrm >> 3) & 7) | ((in->rex & 4) ? 8 : 0);
	u64 *reg = x86_gpr(regs, (modrm & 7) | ((in->rex & 1) ? 8 : 0));
	u64 value;

	if (in->at > in->len)
		return false;
	switch (opcode) {
	case 0x20:
		if (!read_cr(v, special, &value))
			return false;
		*reg = value;
		return true;
	case 0x21:
		if (special > 7 || pv_get_debugreg(v, special, &value))
			return false;
		*reg = value;
		return true;
	case 0x22:
		return write_cr(v, in, special, *reg);
	default:
		return special <= 7 && pv_set_debugreg(v, special, *reg) == 0;
	}
}

static bool access_msr(struct vcpu *v, struct cpu_regs *regs, bool write)
{
	u64 value = (u32)regs->rax | regs->rdx << 32;

	if (write)
		return pv_write_msr(v, (u32)regs->rcx, value) == 0;
	if (pv_read_msr(v, (u32)regs->rcx, &value))
		return false;
	regs->rax = (u32)value;
	regs->rdx = value >> 32;
	return true;
}

static bool two_byte(struct vcpu *v, struct cpu_regs *regs, struct insn *in)
{
	u8 opcode = next(in);
	u64 tsc;

	if (in->at > in->len)
		return false;
	switch (opcode) {
	case 0x01:
		if (next(in) != 0xd1) /* XSETBV */
			return false;
		return in->at <= in->len &&
		       x86_fpu_set_xcr(v, (u32)regs->rcx, (u32)regs->rax | regs->rdx << 32) == 0;
	case 0x06: /* CLTS */
		pv_set_ts(v, false);
		return true;
	case 0x09: /* WBINVD: a guest owns no memory whose caching matters to anybody else */
		return true;
	case 0x20 ... 0x23:
		return move_control(v, regs, in, opcode);
	case 0x30:
		return access_msr(v, regs, true);
	case 0x32:
		return access_msr(v, regs, false);
	/* RDTSC faults only when the guest itself set CR4.TSD; its kernel may still read it */
	case 0x31:
		tsc = rdtsc();
		regs->rax = (u32)tsc;
		regs->rdx = tsc >> 32;
		return true;
	default:
		return false;
	}
}

static bool port_io(struct vcpu *v, struct cpu_regs *regs, struct insn *in, u8 opcode)
{
	struct port_access io = {
		.port = (u16)regs->rdx,
		.size = opcode & 1 ? (u8)min(in->size, 4u) : 1,
		.input = !(opcode & 2),
		.string = opcode <= 0x6f,
		.repeat = in->rep,
	};
	enum port_result result;

	if (!io.string && opcode < 0xe8)
		io.port = next(in);
	if (in->at > in->len || (io.string && in->addr32))
		return false;
	result = pv_port_access(v, regs, &io);
	if (result == PORT_AGAIN)
		in->at = 0;
	return result != PORT_REFUSED;
}

static bool decode_and_do(struct vcpu *v, struct cpu_regs *regs, struct insn *in)
{
	u8 opcode = decode_prefixes(in);

	if (in->at > in->len)
		return false;
	switch (opcode) {
	case 0x6c ... 0x6f: /* INS, OUTS */
	case 0xe4 ... 0xe7: /* IN, OUT with the port in the instruction */
	case 0xec ... 0xef: /* IN, OUT with the port in DX */
		return port_io(v, regs, in, opcode);
	case 0xfa: /* CLI, STI */
	case 0xfb:
		return pv_has_iopl(v);
	case 0x0f:
		return v->arch.pv.kernel_mode && two_byte(v, regs, in);
	default:
		return false;
	}
}

bool pv_emulate_privileged(struct vcpu *v, struct cpu_regs *regs)
{
	struct insn in = { 0 };

	if (!pv_code_is_64bit(v, regs))
		return false;
	in.len = pv_fetch_insn(in.bytes, regs->rip);
	if (in.len == 0 || !decode_and_do(v, regs, &in))
		return false;
	regs->rip += in.at;
	return true;
}

bool pv_emulate_forced(struct vcpu *v, struct cpu_regs *regs)
{
	static const u8 expected[8] = {
		0x0f, 0x0b, 'x', 'e', 'n', 0x0f, 0xa2
	}; /* UD2A "xen" CPUID */
	/* Kernels ask for OSXSAVE before they set it, to learn whether they may (ABI notes 5.8). */
	const struct cpuid_view view = {
		.v = v,
		.xcr0 = v->arch.pv.xcr0,
		.apic_id = v->id,
		.osxsave = v->arch.pv.kernel_mode || (v->arch.pv.cr4 & CR4_OSXSAVE),
	};
	u64 bytes = 0, want;
	u32 out[4];

	if (copy_from_guest(&bytes, _gva(regs->rip), 7))
		return false;
	memcpy(&want, expected, sizeof(want));
	if (bytes != want)
		return false;
	x86_guest_cpuid(&view, (u32)regs->rax, (u32)regs->rcx, out);
	regs->rax = out[0];
	regs->rbx = out[1];
	regs->rcx = out[2];
	regs->rdx = out[3];
	regs->rip += 7;
	return true;
}
