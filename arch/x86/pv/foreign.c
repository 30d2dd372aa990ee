// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other domains' frames and tables, for those who may have them: what a control domain does that
 * builds, saves or serves others. The initial domain may do it to all; others get the errors that Xen
 * gives them. (Measured on Xen 4.17: the caller's own number is no foreign domain, -ESRCH, except as
 * that of the tables.)
 *
 * A reference on the domain keeps it while a call works on it. What an entry names is kept by the
 * entry's own references, and the domain by its frames: so a domain that ends while others map it goes
 * when the last mapping does.
 */
#include "foreign.h"
#include "internal.h"
#include <asm/svm.h>

#define TABLES_SHIFT 16 /* above it: 1 + the number of the domain whose tables are meant, or 0 */

static int find_tables(struct pv_parties *p, u32 number)
{
	struct domain *d;

	if (!number || number - 1 == p->tables->id)
		return 0;
	d = number - 1 < DOMID_FIRST_RESERVED ? domain_get_any((domid_t)(number - 1)) : NULL;
	if (!d)
		return -ESRCH;
	p->tables = d;
	return is_pvh(d) ? -EINVAL : 0;
}

static int find_frames(struct pv_parties *p, domid_t id)
{
	if (id == DOMID_SELF)
		return 0;
	p->frames = NULL;
	if (id == current->domain->id)
		return -ESRCH;
	p->owner = id;
	if (id == DOMID_IO || id == DOMID_XEN)
		return 0;
	p->frames = id < DOMID_FIRST_RESERVED ? domain_get_any(id) : NULL;
	if (!p->frames)
		return -ESRCH;
	return is_pvh(p->frames) ? -EINVAL : 0;
}

int pv_parties_find(struct pv_parties *p, u32 foreign)
{
	struct domain *d = current->domain;
	int rc;

	*p = (struct pv_parties){ d, d, d->id };
	rc = find_tables(p, foreign >> TABLES_SHIFT);
	if (!rc)
		rc = find_frames(p, (domid_t)foreign);
	if (rc)
		pv_parties_forget(p);
	return rc;
}

void pv_parties_forget(const struct pv_parties *p)
{
	if (p->tables != current->domain)
		domain_put(p->tables);
	if (p->frames && p->frames != current->domain)
		domain_put(p->frames);
}

int pv_parties_allowed(const struct pv_parties *p)
{
	const struct domain *d = current->domain;
	bool own = p->tables == d && (p->frames == d || p->owner == DOMID_IO);

	if (!own && !d->config.initial)
		return -EPERM;
	if (p->frames && p->frames != p->tables)
		WRITE_ONCE(p->tables->arch.pv.maps_others,
			   true); /* before an entry does: check.c */
	return 0;
}
