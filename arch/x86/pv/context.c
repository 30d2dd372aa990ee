// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VCPUOP_initialise: the state that a guest wants one of its further vCPUs to begin with. Taken in
 * whole or refused; the vCPU does not run and has never run.
 */
#include "internal.h"
#include <asm/fpu.h>
#include <asm/guest.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/string.h>

#define EFLAGS_IF 0x200UL
#define EFLAGS_FIXED 0x2UL
#define EFLAGS_GUESTS 0x254dd5UL /* CF PF AF ZF SF TF DF OF NT RF AC ID */
#define DR_NONE_ENABLED 0x400UL

static int take_traps(struct pv_vcpu *pv, const struct vcpu_guest_context *c)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(c->trap_ctxt); i++) {
		if (!address_canonical(c->trap_ctxt[i].address))
			return -EINVAL;
		pv->traps[i] = c->trap_ctxt[i];
		pv->traps[i].cs |= 3;
	}
	return 0;
}

static int take_tables(struct vcpu *v, const struct vcpu_guest_context *c)
{
	struct pv_vcpu *pv = &v->arch.pv;
	mfn_t kernel = _mfn(c->ctrlreg[3] >> PAGE_SHIFT), user = _mfn(c->ctrlreg[1] >> PAGE_SHIFT);
	int rc = pv_page_get_type(v->domain, kernel, PV_TYPE_L4);

	if (rc)
		return rc == -ERESTART ? rc : -EINVAL;
	rc = c->ctrlreg[1] ? pv_page_get_type(v->domain, user, PV_TYPE_L4) : 0;
	if (rc) {
		pv_page_put_type(mfn_to_page(kernel));
		return rc == -ERESTART ? rc : -EINVAL;
	}
	pv->kernel_table = kernel;
	pv->user_table = c->ctrlreg[1] ? user : INVALID_MFN;
	return 0;
}

static void take_callbacks(struct pv_vcpu *pv, const struct vcpu_guest_context *c)
{
	pv->event = (struct pv_callback){ c->event_callback_eip, true };
	pv->failsafe = (struct pv_callback){ c->failsafe_callback_eip,
					     c->flags & VGCF_failsafe_disables_events };
	pv->syscall = (struct pv_callback){ c->syscall_callback_eip,
					    c->flags & VGCF_syscall_disables_events };
}

/* One that may not be stays as after reset, and is no reason to refuse the rest. */
static void take_debug_registers(struct vcpu *v, const struct vcpu_guest_context *c)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(c->debugreg); i++)
		(void)!pv_set_debugreg(v, i, c->debugreg[i]);
}

static void take_registers(struct vcpu *v, const struct vcpu_guest_context *c)
{
	const struct cpu_user_regs *u = &c->user_regs;
	struct pv_vcpu *pv = &v->arch.pv;

	v->arch.regs = (struct cpu_regs){
		.r15 = u->r15,
		.r14 = u->r14,
		.r13 = u->r13,
		.r12 = u->r12,
		.rbp = u->rbp,
		.rbx = u->rbx,
		.r11 = u->r11,
		.r10 = u->r10,
		.r9 = u->r9,
		.r8 = u->r8,
		.rax = u->rax,
		.rcx = u->rcx,
		.rdx = u->rdx,
		.rsi = u->rsi,
		.rdi = u->rdi,
		.rip = u->rip,
		.rsp = u->rsp,
		.cs = u->cs | 3U,
		.ss = u->ss | 3U,
		.rflags = (u->rflags & EFLAGS_GUESTS) | EFLAGS_IF | EFLAGS_FIXED,
	};
	pv->iopl = (u->rflags >> 12) & 3;
	pv->ds = u->ds;
	pv->es = u->es;
	pv->fs = u->fs;
	pv->gs = u->gs;
	pv->fs_base = c->fs_base;
	pv->gs_base_kernel = c->gs_base_kernel;
	pv->gs_base_user = c->gs_base_user;
	pv->kernel_mode = c->flags & VGCF_in_kernel;
	pv->kernel_sp = c->kernel_sp;
	if (c->flags & VGCF_i387_valid)
		x86_fpu_set(v, &c->fpu_ctxt);
}

static bool addresses_ok(const struct vcpu_guest_context *c)
{
	return address_canonical(c->fs_base) && address_canonical(c->gs_base_kernel) &&
	       address_canonical(c->gs_base_user) && address_canonical(c->event_callback_eip) &&
	       address_canonical(c->failsafe_callback_eip) &&
	       address_canonical(c->syscall_callback_eip) && address_canonical(c->user_regs.rip) &&
	       c->gdt_ents <= PV_GDT_ENTRIES && pv_ldt_ok(c->ldt_base, c->ldt_ents) &&
	       ((c->flags & VGCF_in_kernel) || c->ctrlreg[1]);
}

static int take(struct vcpu *v, const struct vcpu_guest_context *c)
{
	int rc;

	if (!addresses_ok(c))
		return -EINVAL;
	rc = take_traps(&v->arch.pv, c);
	if (!rc)
		rc = pv_set_gdt(v, (const u64 *)c->gdt_frames, (unsigned int)c->gdt_ents);
	if (!rc)
		rc = take_tables(v, c);
	if (rc) {
		pv_drop_gdt(v);
		return rc;
	}
	take_callbacks(&v->arch.pv, c);
	take_registers(v, c);
	take_debug_registers(v, c);
	rc = pv_set_ldt(v, c->ldt_base, c->ldt_ents);
	BUG_ON(rc); /* pv_ldt_ok(): nothing taken would be given back */
	return 0;
}

int pv_vcpu_set_context(struct vcpu *v, gva_t ctx)
{
	/* 5 KiB: too much for the stack. */
	struct vcpu_guest_context *c = heap_alloc_pages(1, HEAP_DIRTY_OK);
	int rc;

	if (!c)
		return -ENOMEM;
	rc = copy_from_guest(c, ctx, sizeof(*c));
	if (!rc)
		rc = take(v, c);
	heap_free_pages(c, 1);
	return rc;
}
