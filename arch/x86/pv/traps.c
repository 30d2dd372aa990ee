// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handing what happens to a PV guest to its kernel: exceptions, software interrupts, system calls
 * of its processes and event upcalls. Each ends in pv_bounce(), which writes a frame to the guest
 * kernel's stack and points the vCPU at the handler. The frame's form is the ABI's: RCX and R11 on
 * top, the event mask beside CS.
 *
 * A guest whose stack or handler is unusable cannot be told so in any way: its domain ends with a
 * line that says why.
 */
#include "internal.h"
#include "entry.h"
#include <asm/guest.h>
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <asm/segment.h>

#define TRAP_DB 1
#define TRAP_UD 6
#define TRAP_NM 7
#define TRAP_GP 13
#define TRAP_PF 14

#define VECTORS_WITH_ERROR_CODE 0x60227d00U /* 8, 10 - 14, 17, 21, 29, 30 */
#define PF_PRESENT 1U
#define PF_WRITE 2U
#define PF_USER 4U
#define GP_EXT 1U
#define GP_IDT 2U

#define EFLAGS_TF 0x100UL
#define EFLAGS_IF 0x200UL
#define EFLAGS_DF 0x400UL
#define EFLAGS_IOPL 0x3000UL
#define EFLAGS_NT 0x4000UL
#define EFLAGS_RF 0x10000UL
#define EFLAGS_VM 0x20000UL
#define EFLAGS_AC 0x40000UL

#define TI_MASK_EVENTS 4

/* Writes COUNT words so that they end below SP; true with *SP moved, or the domain is over. */
static bool push_words(struct vcpu *v, u64 *sp, const u64 *words, unsigned int count)
{
	u64 at = *sp - count * sizeof(*words);

	if (copy_to_guest(_gva(at), words, count * sizeof(*words))) {
		domain_crash(v->domain,
			     "vCPU %u: exception frame does not fit at its kernel stack %016lx",
			     v->id, (unsigned long)at);
		return false;
	}
	*sp = at;
	return true;
}

static u64 frame_cs(const struct vcpu *v, bool from_user)
{
	return (v->arch.regs.cs & (from_user ? 0xffff : 0xfffc)) | (u64)v->info->evtchn_upcall_mask
									   << 32;
}

/* The interrupt flag that the guest sees is its event mask. */
static u64 frame_rflags(const struct vcpu *v)
{
	u64 rflags = v->arch.regs.rflags & ~(EFLAGS_IF | EFLAGS_IOPL);

	if (!v->info->evtchn_upcall_mask)
		rflags |= EFLAGS_IF;
	if (v->domain->vm_assist & BIT(VMASST_TYPE_architectural_iopl))
		rflags |= (u64)v->arch.pv.iopl << 12;
	return rflags;
}

/* To the guest kernel's handler, its stack at SP. */
static void enter_handler(struct vcpu *v, u64 handler, u64 sp, unsigned int flags)
{
	struct cpu_regs *regs = &v->arch.regs;

	regs->rip = handler;
	regs->cs = SEL_GUEST_CS64;
	regs->ss = SEL_GUEST_DS;
	regs->rsp = sp;
	regs->rflags &= ~(EFLAGS_TF | EFLAGS_NT | EFLAGS_RF | EFLAGS_VM | EFLAGS_AC);
	if (flags & PV_BOUNCE_CLEAR_DF)
		regs->rflags &= ~EFLAGS_DF;
	regs->rflags |= EFLAGS_IF;
	regs->entry_vector = 0;
	if (flags & PV_BOUNCE_MASK_EVENTS)
		v->info->evtchn_upcall_mask = 1;
}

void pv_bounce(struct vcpu *v, u64 handler, unsigned int flags, u32 error_code)
{
	struct cpu_regs *regs = &v->arch.regs;
	bool from_user = !v->arch.pv.kernel_mode;
	u64 frame[8], sp;
	unsigned int n = 0;

	frame[n++] = regs->rcx;
	frame[n++] = regs->r11;
	if (flags & PV_BOUNCE_ERROR_CODE)
		frame[n++] = error_code;
	frame[n++] = regs->rip;
	frame[n++] = frame_cs(v, from_user);
	frame[n++] = frame_rflags(v);
	frame[n++] = regs->rsp;
	frame[n++] = regs->ss & 0xffff;
	if (from_user)
		pv_toggle_mode(v);
	sp = (from_user ? v->arch.pv.kernel_sp : regs->rsp) & ~15UL;
	if (push_words(v, &sp, frame, n))
		enter_handler(v, handler, sp, flags);
}

void pv_bounce_failsafe(struct vcpu *v)
{
	struct cpu_regs *regs = &v->arch.regs;
	const struct pv_callback *cb = &v->arch.pv.failsafe;
	bool from_user = !v->arch.pv.kernel_mode;
	u64 frame[11] = { regs->rcx,       regs->r11,     v->arch.pv.ds,    v->arch.pv.es,
			  v->arch.pv.fs,   v->arch.pv.gs, regs->rip,        frame_cs(v, from_user),
			  frame_rflags(v), regs->rsp,     regs->ss & 0xffff };
	u64 sp;

	if (!cb->address) {
		domain_crash(v->domain,
			     "vCPU %u: a segment register cannot be loaded (cs %lx ss %lx) and "
			     "there is no failsafe callback",
			     v->id, (unsigned long)regs->cs & 0xffff,
			     (unsigned long)regs->ss & 0xffff);
		return;
	}
	if (from_user)
		pv_toggle_mode(v);
	sp = (from_user ? v->arch.pv.kernel_sp : regs->rsp) & ~15UL;
	if (push_words(v, &sp, frame, ARRAY_SIZE(frame)))
		enter_handler(v, cb->address, sp, cb->mask_events ? PV_BOUNCE_MASK_EVENTS : 0);
}

void pv_inject(struct vcpu *v, unsigned int vector, u32 error_code)
{
	const trap_info_t *ti = &v->arch.pv.traps[vector];
	unsigned int flags = 0;

	if (unlikely(!ti->address)) {
		domain_crash(v->domain, "vCPU %u: exception %u, error code %x, without a handler",
			     v->id, vector, error_code);
		return;
	}
	if (ti->flags & TI_MASK_EVENTS)
		flags |= PV_BOUNCE_MASK_EVENTS;
	if (vector < 32 && (VECTORS_WITH_ERROR_CODE & BIT(vector)))
		flags |= PV_BOUNCE_ERROR_CODE;
	pv_bounce(v, ti->address, flags, error_code);
}

/* A guest's kernel runs in ring 3, but shall see its own accesses as a supervisor's. */
static void page_fault(struct vcpu *v, u32 error_code, u64 address)
{
	if (unlikely(address - HYPERVISOR_VIRT_START <
		     HYPERVISOR_VIRT_END - HYPERVISOR_VIRT_START) &&
	    pv_ldt_fault(v, &address))
		return;
	if ((error_code & (PF_PRESENT | PF_WRITE)) == (PF_PRESENT | PF_WRITE) &&
	    v->arch.pv.kernel_mode &&
	    (v->domain->vm_assist & BIT(VMASST_TYPE_writable_pagetables)) &&
	    pv_emulate_table_write(v, &v->arch.regs, address))
		return;
	v->info->arch.cr2 = address;
	v->arch.pv.cr2 = address;
	if (v->arch.pv.kernel_mode)
		error_code &= ~PF_USER;
	pv_inject(v, TRAP_PF, error_code);
}

/*
 * INT n through a gate that ring 3 may not use, which is nearly all of them. The vector is taken
 * from the instruction, as QEMU's error code is wrong in long mode; the error code that the guest
 * gets is right.
 */
static void software_interrupt(struct vcpu *v, u32 error_code)
{
	struct cpu_regs *regs = &v->arch.regs;
	unsigned int vector = (error_code >> 3) & 0xff;
	const trap_info_t *ti;
	u8 insn[2];

	if (!copy_from_guest(insn, _gva(regs->rip), sizeof(insn)) && insn[0] == 0xcd)
		vector = insn[1];
	ti = &v->arch.pv.traps[vector];
	if (!ti->address || (ti->flags & 3) < (v->arch.pv.kernel_mode ? 1 : 3)) {
		pv_inject(v, TRAP_GP, vector * 8 + GP_IDT);
		return;
	}
	regs->rip += sizeof(insn);
	pv_bounce(v, ti->address, ti->flags & TI_MASK_EVENTS ? PV_BOUNCE_MASK_EVENTS : 0, 0);
}

static void general_protection(struct vcpu *v, struct cpu_regs *regs)
{
	if ((regs->error_code & (GP_IDT | GP_EXT)) == GP_IDT)
		software_interrupt(v, regs->error_code);
	else if (regs->error_code || !(pv_user_sysenter(v) || pv_emulate_privileged(v, regs)))
		pv_inject(v, TRAP_GP, regs->error_code);
}

static void debug_exception(struct vcpu *v)
{
	u64 dr6, clear = 0xffff0ff0;

	__asm__ volatile("mov %%dr6, %0; mov %1, %%dr6" : "=&r"(dr6) : "r"(clear));
	v->arch.pv.debugreg[6] |= dr6 & ~clear;
	pv_inject(v, TRAP_DB, 0);
}

void pv_guest_trap(struct vcpu *v, struct cpu_regs *regs)
{
	u32 vector = regs->entry_vector;
	u64 cr2 = 0;

	if (vector == TRAP_PF)
		cr2 = x86_read_cr2();
	local_irq_enable();
	switch (vector) {
	case TRAP_UD:
		if (!pv_emulate_forced(v, regs))
			pv_inject(v, vector, 0);
		break;
	case TRAP_PF:
		page_fault(v, regs->error_code, cr2);
		break;
	case TRAP_GP:
		general_protection(v, regs);
		break;
	case TRAP_NM:
		pv_set_ts(v, false); /* as the guest's own handler would begin with CLTS */
		pv_inject(v, vector, 0);
		break;
	case TRAP_DB:
		debug_exception(v);
		break;
	default:
		pv_inject(v, vector, regs->error_code);
		break;
	}
}
