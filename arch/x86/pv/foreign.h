/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose page tables a call changes, and whose frames it names: what mmu_update, mmuext_op and
 * update_va_mapping_otherdomain are told in their last argument. Mostly the caller's own.
 */
#ifndef PV_FOREIGN_H
#define PV_FOREIGN_H

#include <tine/vcpu.h>

struct pv_parties {
	struct domain *tables; /* the caller, or with a reference */
	struct domain *frames; /* the same; NULL: DOMID_IO or DOMID_XEN */
	domid_t owner;         /* the number of FRAMES */
};

/*
 * What FOREIGN means (public xen.h, mmu_update), with references. -ESRCH: there is no such domain.
 * -EINVAL: one without page tables that could be meant.
 */
int pv_parties_find(struct pv_parties *p, u32 foreign) __must_check;
void pv_parties_forget(const struct pv_parties *p);
/* May the caller? 0 or -EPERM. Asked only when there is something to do, as on Xen. */
int pv_parties_allowed(const struct pv_parties *p) __must_check;

#endif
