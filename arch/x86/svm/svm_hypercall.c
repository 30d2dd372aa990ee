// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hypercalls of PVH guests: VMMCALL with the number in RAX, arguments in RDI, RSI, RDX, R10 and R8 in 64-bit code, in EBX, ECX, EDX, ESI and EDI
 * elsewhere (public/arch-x86/xen-x86_32.h). The handlers are those of hypercall_table, as far as they make sense for a guest whose memory is translated. And
 * hvm_op: the parameters of such a guest (ABI page 7).
 *
 * A guest that is not in 64-bit mode gets the calls whose structures are the same there.
 */
#include "internal.h"
#include <asm/hypercalls.h>
#include <tine/fork_op.h>
#include <tine/hypercall.h>
#include <xen/hvm/hvm_op.h>
#include <xen/xen.h>

#define CALLBACK_TYPE(via) ((via) >> 56)
#define CALLBACK_TYPE_VECTOR 2
#define VECTOR_FIRST 16U

static bool is_for_hvm(unsigned long op)
{
	switch (op) {
	case __HYPERVISOR_memory_op:
	case __HYPERVISOR_set_timer_op:
	case __HYPERVISOR_grant_table_op:
	case __HYPERVISOR_vm_assist:
	case __HYPERVISOR_vcpu_op:
	case TINE_FORK_HYPERCALL:
		return true;
	default:
		return false;
	}
}

static bool is_for_all_widths(unsigned long op)
{
	switch (op) {
	case __HYPERVISOR_xen_version:
	case __HYPERVISOR_console_io:
	case __HYPERVISOR_sched_op:
	case __HYPERVISOR_event_channel_op:
	case __HYPERVISOR_hvm_op:
		return true;
	default:
		return false;
	}
}

static void get_arguments(const struct cpu_regs *r, bool wide, unsigned long args[5])
{
	const u64 *const from[2][5] = {
		{ &r->rbx, &r->rcx, &r->rdx, &r->rsi, &r->rdi },
		{ &r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8 },
	};

	for (unsigned int i = 0; i < 5; i++)
		args[i] = wide ? *from[1][i] : (u32)*from[0][i];
}

static void put_arguments(struct cpu_regs *r, bool wide, const unsigned long *args, unsigned int n)
{
	u64 *const to[2][5] = {
		{ &r->rbx, &r->rcx, &r->rdx, &r->rsi, &r->rdi },
		{ &r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8 },
	};

	for (unsigned int i = 0; i < n; i++)
		*to[wide][i] = args[i];
}

/* The instruction is executed once more, with these arguments. */
long svm_hypercall_continue(struct vcpu *v, unsigned int op, const unsigned long args[5])
{
	put_arguments(&v->arch.regs, svm_in_long_mode(svm_vmcb(v)), args, hypercall_args[op]);
	v->arch.svm->continued = true;
	return op;
}

static long call(struct vcpu *v, unsigned long op, bool wide, const unsigned long args[5])
{
	if (op >= NR_HYPERCALLS || !(is_for_all_widths(op) || (wide && is_for_hvm(op))))
		return hypercall_unknown();
	op &= NR_HYPERCALLS - 1; /* also where the CPU mispredicts the check */
	return hypercall_table[op](args[0], args[1], args[2], args[3], args[4]);
}

long svm_hypercall(struct vcpu *v, unsigned long op, const unsigned long args[5])
{
	return call(v, op, true, args);
}

void svm_exit_hypercall(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	bool wide = svm_in_long_mode(svm_vmcb(v));
	unsigned long op = wide ? r->rax : (u32)r->rax;
	unsigned long args[5];
	long result;

	v->arch.svm->continued = false;
	get_arguments(r, wide, args);
	if (svm_vmcb(v)->cpl)
		result = -EPERM;
	else if (op == __HYPERVISOR_multicall && wide)
		result = svm_multicall(v, args[0], args[1]);
	else
		result = call(v, op, wide, args);
	r->rax = wide ? (u64)result : (u32)result;
	if (!v->arch.svm->continued)
		svm_skip(v);
}

/* ---- hvm_op ---- */

/* How event upcalls come. Others than by vector need interrupt hardware that there is none of. */
static int set_callback(struct svm_domain *svm, u64 via)
{
	u64 vector = via & 0xff;

	if (via && (CALLBACK_TYPE(via) != CALLBACK_TYPE_VECTOR || vector < VECTOR_FIRST))
		/* A small number with upcall vectors in use says just that the guest is able (ABI page 4.2). */
		return via == 1 ? 0 : -EINVAL;
	svm->callback_vector = (u8)vector;
	return 0;
}

static long set_param(struct domain *d, gva_t arg)
{
	struct xen_hvm_param p;

	if (copy_from_guest(&p, arg, sizeof(p)))
		return -EFAULT;
	if (p.domid != DOMID_SELF && p.domid != d->id)
		return -EPERM;
	if (p.index != HVM_PARAM_CALLBACK_IRQ)
		return p.index < HVM_NR_PARAMS ? -EPERM : -EINVAL;
	if (set_callback(&d->arch.svm, p.value))
		return -EINVAL;
	d->arch.svm.params[HVM_PARAM_CALLBACK_IRQ] = p.value;
	return 0;
}

static long get_param(struct domain *d, gva_t arg)
{
	struct xen_hvm_param p;

	if (copy_from_guest(&p, arg, sizeof(p)))
		return -EFAULT;
	if (p.domid != DOMID_SELF && p.domid != d->id)
		return -EPERM;
	if (p.index >= HVM_NR_PARAMS)
		return -EINVAL;
	p.value = d->arch.svm.params[p.index];
	return copy_to_guest(arg, &p, sizeof(p)) ? -EFAULT : 0;
}

static long set_upcall_vector(struct domain *d, gva_t arg)
{
	struct xen_hvm_evtchn_upcall_vector op;
	struct vcpu *v;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	v = domain_vcpu(d, op.vcpu);
	if (!v)
		return -ENOENT;
	if (op.vector < VECTOR_FIRST)
		return -EINVAL;
	WRITE_ONCE(v->arch.svm->upcall_vector, op.vector);
	return 0;
}

/* Parameters of guests with translated memory. */
long do_hvm_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
	       unsigned long a5)
{
	struct domain *d = current->domain;

	if (!is_pvh(d))
		return hypercall_unknown();
	switch ((u32)cmd) {
	case HVMOP_set_param:
		return set_param(d, _gva(arg));
	case HVMOP_get_param:
		return get_param(d, _gva(arg));
	case HVMOP_set_evtchn_upcall_vector:
		return set_upcall_vector(d, _gva(arg));
	default: /* pagetable_dying among them: there are no shadows of page tables */
		return hypercall_unknown();
	}
}
