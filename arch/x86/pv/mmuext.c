// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mmuext_op hypercall: pins, page-table bases, flushes, the LDT. Unknown commands answer
 * -ENOSYS.
 */
#include "batch.h"
#include "foreign.h"
#include "internal.h"
#include "tlb.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <tine/string.h>

int pv_new_kernel_l4(struct vcpu *v, mfn_t mfn)
{
	struct pv_vcpu *pv = &v->arch.pv;
	mfn_t old = pv->kernel_table;
	int rc = pv_page_get_type(v->domain, mfn, PV_TYPE_L4);

	if (rc)
		return rc;
	pv->kernel_table = mfn;
	pv_load_tables(v);
	pv_page_put_type(mfn_to_page(old)); /* now that the CPU has left it */
	return 0;
}

mfn_t pv_kernel_l4(const struct vcpu *v)
{
	return v->arch.pv.kernel_table;
}

/* A hypercall comes from kernel mode: the user table is not the one in CR3. */
static int new_user_table(struct vcpu *v, mfn_t mfn)
{
	struct pv_vcpu *pv = &v->arch.pv;
	mfn_t old = pv->user_table;
	int rc = mfn_x(mfn) ? pv_page_get_type(v->domain, mfn, PV_TYPE_L4) : 0;

	if (rc)
		return rc;
	pv->user_table = mfn_x(mfn) ? mfn : INVALID_MFN;
	if (!mfn_eq(old, INVALID_MFN))
		pv_page_put_type(mfn_to_page(old));
	return 0;
}

int pv_cpus_of_vcpus(const struct domain *d, gva_t bitmap, cpumask_t *cpus)
{
	unsigned long vcpus[BITS_TO_LONGS(MAX_VCPUS)] = { 0 };
	unsigned int i;

	if (copy_from_guest(vcpus, bitmap, DIV_ROUND_UP(d->nr_vcpus, 8U)))
		return -EFAULT;
	*cpus = (cpumask_t){ { 0 } };
	for (i = 0; i < d->nr_vcpus; i++) {
		if (test_bit(vcpus, i))
			set_bit(cpus->bits, READ_ONCE(d->vcpus[i]->cpu));
	}
	return 0;
}

static int flush_multi(struct vcpu *v, const struct mmuext_op *op)
{
	cpumask_t cpus;
	int rc = pv_cpus_of_vcpus(v->domain, _gva((unsigned long)op->arg2.vcpumask.p), &cpus);

	if (rc)
		return rc;
	if (op->cmd == MMUEXT_TLB_FLUSH_MULTI)
		pv_tlb_flush_mask(v->domain, &cpus);
	else
		pv_tlb_flush_page(v->domain, &cpus, op->arg1.linear_addr);
	return 0;
}

/* Fills frame MFN with zeros, or with the contents of SRC. */
static int write_page(struct domain *d, unsigned long mfn, bool copy, unsigned long src)
{
	struct page *to = NULL, *from = NULL;
	int rc = pv_get_writable(d, mfn, &to);

	if (rc)
		return rc;
	if (copy) {
		from = page_of_guest_mfn(src);
		if (!from || !page_get(from, d)) {
			pv_put_writable(to);
			return -EINVAL;
		}
		memcpy(mfn_to_virt(_mfn(mfn)), mfn_to_virt(_mfn(src)), PAGE_SIZE);
		page_put(from);
	} else {
		memset(mfn_to_virt(_mfn(mfn)), 0, PAGE_SIZE);
	}
	pv_put_writable(to);
	return 0;
}

static int flush_cache(const struct domain *d)
{
	if (!d->config.initial)
		return -EACCES;
	__asm__ volatile("wbinvd" : : : "memory");
	return 0;
}

static bool is_pin(unsigned int cmd)
{
	return cmd <= MMUEXT_PIN_L4_TABLE || cmd == MMUEXT_UNPIN_TABLE;
}

/*
 * Commands on frames, which may be those OF another domain. It may be ending: either its end sees a pin
 * of ours, or we see that it ends and take the pin back. Who clears the mark has the reference.
 */
static int do_frame(struct domain *of, const struct mmuext_op *op)
{
	enum pv_type type = (enum pv_type)(op->cmd - MMUEXT_PIN_L1_TABLE + PV_TYPE_L1);
	int rc;

	switch (op->cmd) {
	case MMUEXT_UNPIN_TABLE:
		return pv_unpin(of, _mfn(op->arg1.mfn));
	case MMUEXT_CLEAR_PAGE:
		return write_page(of, op->arg1.mfn, false, 0);
	case MMUEXT_COPY_PAGE:
		return write_page(of, op->arg1.mfn, true, op->arg2.src_mfn);
	case MMUEXT_PIN_L1_TABLE:
	case MMUEXT_PIN_L2_TABLE:
	case MMUEXT_PIN_L3_TABLE:
	case MMUEXT_PIN_L4_TABLE:
	default:
		rc = pv_pin(of, _mfn(op->arg1.mfn), type);
		if (unlikely(of != current->domain) &&
		    __atomic_load_n(&of->dying, __ATOMIC_SEQ_CST))
			return pv_pin_undo(of, _mfn(op->arg1.mfn));
		return rc;
	}
}

static int do_one(struct vcpu *v, const struct pv_parties *p, const struct mmuext_op *op)
{
	struct domain *d = v->domain;

	if (is_pin(op->cmd) || op->cmd == MMUEXT_CLEAR_PAGE || op->cmd == MMUEXT_COPY_PAGE)
		return p->frames ? do_frame(p->frames, op) : -EINVAL;
	if (p->owner != d->id && op->cmd <= MMUEXT_UNMARK_SUPER)
		return -EPERM;
	switch (op->cmd) {
	case MMUEXT_NEW_BASEPTR:
		return pv_new_kernel_l4(v, _mfn(op->arg1.mfn));
	case MMUEXT_NEW_USER_BASEPTR:
		return new_user_table(v, _mfn(op->arg1.mfn));
	case MMUEXT_TLB_FLUSH_LOCAL:
		pv_tlb_flush_local();
		return 0;
	case MMUEXT_INVLPG_LOCAL:
		__asm__ volatile("invlpg (%0)" : : "r"(op->arg1.linear_addr) : "memory");
		return 0;
	case MMUEXT_TLB_FLUSH_MULTI:
	case MMUEXT_INVLPG_MULTI:
		return flush_multi(v, op);
	case MMUEXT_TLB_FLUSH_ALL:
		pv_tlb_flush_mask(d, &d->arch.pv.active_cpus);
		return 0;
	case MMUEXT_INVLPG_ALL:
		pv_tlb_flush_page(d, &d->arch.pv.active_cpus, op->arg1.linear_addr);
		return 0;
	case MMUEXT_FLUSH_CACHE:
	case MMUEXT_FLUSH_CACHE_GLOBAL:
		return flush_cache(d);
	case MMUEXT_SET_LDT:
		return pv_set_ldt(v, op->arg1.linear_addr, op->arg2.nr_ents);
	case MMUEXT_MARK_SUPER:
	case MMUEXT_UNMARK_SUPER:
		return -EOPNOTSUPP;
	default:
		return hypercall_unknown();
	}
}

static long do_all(struct pv_batch *batch, const struct pv_parties *p, unsigned long ops,
		   unsigned long count)
{
	struct mmuext_op op;
	long rc = count ? pv_parties_allowed(p) : 0;

	for (; !rc && batch->i < count; batch->i++, ops += sizeof(op)) {
		if (unlikely(pv_batch_must_pause(batch)))
			return -ERESTART;
		rc = copy_from_guest(&op, _gva(ops), sizeof(op));
		if (!rc)
			rc = do_one(current, p, &op);
		if (rc)
			break;
	}
	if (p->frames && unlikely(pv_batch_unfinished(p->frames, rc)))
		return -ERESTART;
	return unlikely(pv_batch_unfinished(current->domain, rc)) ? -ERESTART : rc;
}

long do_mmuext_op(unsigned long ops, unsigned long count, unsigned long done_ptr,
		  unsigned long foreign, unsigned long a5)
{
	struct pv_parties parties;
	struct pv_batch batch;
	long rc = pv_batch_begin(&batch, &count, done_ptr);

	if (rc)
		return rc;
	rc = pv_parties_find(&parties, (u16)foreign);
	if (unlikely(rc))
		return rc;
	rc = do_all(&batch, &parties, ops, count);
	pv_parties_forget(&parties);
	if (unlikely(rc == -ERESTART))
		return pv_batch_pause(&batch, __HYPERVISOR_mmuext_op,
				      ops + batch.i * sizeof(mmuext_op_t), count, foreign);
	return pv_batch_end(&batch, rc);
}
