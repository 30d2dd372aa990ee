// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hypercalls: HVC #0xEA1 with the number in x16, arguments in x0 to x4, the result in x0 (public/arch-arm.h). The handlers are hypercall_table's; what
 * makes sense for PV guests only is not in this architecture's. And hvm_op: the parameters of a guest whose memory is translated (ABI page 8).
 */
#include "internal.h"
#include <asm/hypercalls.h>
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <xen/hvm/hvm_op.h>
#include <xen/xen.h>

#define NUMBER_REGISTER 16
#define INSTRUCTION_SIZE 4

/* Without a number of their own on Arm: time is the generic timer's. */
static bool is_for_arm(unsigned long op)
{
	return op < NR_HYPERCALLS && op != __HYPERVISOR_set_timer_op;
}

void arm64_guest_hypercall(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	unsigned long op = r->x[NUMBER_REGISTER];
	long result;

	v->arch.guest.continued = false;
	if (is_for_arm(op))
		result = hypercall_table[op & (NR_HYPERCALLS - 1)](r->x[0], r->x[1], r->x[2],
								   r->x[3], r->x[4]);
	else
		result = hypercall_unknown();
	if (!v->arch.guest.continued)
		r->x[0] = (u64)result;
}

/* The HVC is executed once more, with these arguments. */
long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5)
{
	const unsigned long args[5] = { a1, a2, a3, a4, a5 };
	struct vcpu *v = current;
	struct cpu_regs *r = &v->arch.regs;

	r->pc -= INSTRUCTION_SIZE;
	r->x[NUMBER_REGISTER] = op;
	for (unsigned int i = 0; i < hypercall_args[op]; i++)
		r->x[i] = args[i];
	v->arch.guest.continued = true;
	return (long)a1;
}

/* ---- hvm_op ---- */

/* Upcalls are the interrupt that the device tree names: there is nothing to choose. */
static long set_param(const struct xen_hvm_param *p)
{
	return p->index < HVM_NR_PARAMS ? -EPERM : -EINVAL;
}

static long get_param(const struct domain *d, struct xen_hvm_param *p, gva_t arg)
{
	if (p->index >= HVM_NR_PARAMS)
		return -EINVAL;
	p->value = d->arch.params[p->index];
	return copy_to_guest(arg, p, sizeof(*p)) ? -EFAULT : 0;
}

/* Parameters of guests with translated memory: where console and store are. */
long do_hvm_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
	       unsigned long a5)
{
	struct domain *d = current->domain;
	struct xen_hvm_param p;

	if (cmd != HVMOP_set_param && cmd != HVMOP_get_param)
		return hypercall_unknown();
	if (copy_from_guest(&p, _gva(arg), sizeof(p)))
		return -EFAULT;
	if (p.domid != DOMID_SELF && p.domid != d->id)
		return -EPERM;
	return cmd == HVMOP_set_param ? set_param(&p) : get_param(d, &p, _gva(arg));
}
