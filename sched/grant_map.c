// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a domain has mapped of others' frames: a handle for each mapping. t->map_lock guards the
 * list of free ones and its growth. A mapping that has a page is there for all: who takes that away,
 * by an atomic exchange, owns the mapping and is alone with it. One on its way in has none until all
 * else is written.
 *
 * A mapping holds references of its own, besides those of the page-table entry that it made. The
 * guest may overwrite that entry: the frame stays pinned, and the grant in use, until the domain
 * ends.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/vcpu.h>
#include "grant_internal.h"

/* What a mapping is for, each to be withdrawn by itself. For devices there is nothing to do. */
#define PARTS (GNTMAP_device_map | GNTMAP_host_map)

static struct grant_mapping *mapping_of(const struct grant_table *t, u32 handle)
{
	return &t->mappings[handle / GRANT_MAPPINGS_A_PAGE][handle % GRANT_MAPPINGS_A_PAGE];
}

/* ---- Handles ---- */

static int add_room(struct grant_table *t)
{
	struct grant_mapping *page;

	if (t->nr_handles == GRANT_MAPPINGS_MAX)
		return -ENOSPC;
	page = heap_alloc_pages(0, HEAP_ZERO);
	if (!page)
		return -ENOMEM;
	t->mappings[t->nr_handles / GRANT_MAPPINGS_A_PAGE] = page;
	for (u32 i = 0; i < GRANT_MAPPINGS_A_PAGE; i++)
		page[i].ref =
			i + 1 < GRANT_MAPPINGS_A_PAGE ? t->nr_handles + i + 1 : GRANT_NO_HANDLE;
	t->free_handle = t->nr_handles;
	__atomic_store_n(&t->nr_handles, t->nr_handles + GRANT_MAPPINGS_A_PAGE, __ATOMIC_RELEASE);
	return 0;
}

static int take_handle(struct grant_table *t, u32 *handle)
{
	int ret = 0;

	spin_lock(&t->map_lock);
	if (t->free_handle == GRANT_NO_HANDLE)
		ret = add_room(t);
	if (!ret) {
		*handle = t->free_handle;
		t->free_handle = mapping_of(t, *handle)->ref;
		t->nr_mappings++;
	}
	spin_unlock(&t->map_lock);
	return ret;
}

/* Of a mapping that has no page. */
static void return_handle(struct grant_table *t, u32 handle)
{
	spin_lock(&t->map_lock);
	mapping_of(t, handle)->ref = t->free_handle;
	t->free_handle = handle;
	t->nr_mappings--;
	spin_unlock(&t->map_lock);
}

/* ---- Mapping ---- */

static int map_frame(gnttab_map_grant_ref_t *op, struct domain *granter, struct grant_mapping *m)
{
	struct grant_use use;
	int status = grant_begin(granter, current->domain->id, op->ref,
				 !(op->flags & GNTMAP_readonly), true, &use);
	int rc;

	if (status)
		return status;
	rc = op->flags & GNTMAP_host_map
		     ? arch_grant_map(op->host_addr, op->flags, use.page, granter)
		     : 0;
	if (rc) {
		grant_end(granter, op->ref, &use);
		return rc == -ERESTART ? GRANT_LATER : GNTST_general_error;
	}
	m->granter = granter;
	m->ref = op->ref;
	m->flags = (u16)op->flags;
	op->dev_bus_addr = paddr_x(mfn_to_paddr(page_to_mfn(use.page)));
	__atomic_store_n(&m->page, use.page, __ATOMIC_RELEASE);
	return GNTST_okay;
}

static int map_of(gnttab_map_grant_ref_t *op, struct domain *granter)
{
	struct grant_table *t = current->domain->grants;
	int status;

	if (take_handle(t, &op->handle))
		return GNTST_no_space;
	status = map_frame(op, granter, mapping_of(t, op->handle));
	if (status)
		return_handle(t, op->handle);
	return status;
}

/* A device's part is the frame's machine address, and nothing else. Flags that are not known mean nothing. */
int grant_map(gnttab_map_grant_ref_t *op)
{
	struct domain *granter;
	int status;

	if (!(op->flags & PARTS))
		return GNTST_bad_gntref;
	granter = op->dom == DOMID_SELF ? NULL : domain_get(op->dom);
	if (!granter)
		return GNTST_bad_domain;
	status = map_of(op, granter);
	domain_put(granter);
	return status;
}

/* ---- Unmapping ---- */

/* Takes the parts of a mapping of PG away that OP names. What is left is in M's flags. */
static __always_inline int withdraw(const gnttab_unmap_grant_ref_t *op, u64 fresh,
				    struct grant_mapping *m, struct page *pg)
{
	bool device = !fresh && op->dev_bus_addr && (m->flags & GNTMAP_device_map);

	if (device && op->dev_bus_addr != paddr_x(mfn_to_paddr(page_to_mfn(pg))))
		return GNTST_general_error;
	if (op->host_addr && (m->flags & GNTMAP_host_map)) {
		if (fresh ? arch_grant_replace(op->host_addr, m->flags, pg, fresh)
			  : arch_grant_unmap(op->host_addr, m->flags, pg))
			return GNTST_general_error;
		m->flags &= (u16)~GNTMAP_host_map;
	}
	if (device)
		m->flags &= (u16)~GNTMAP_device_map;
	return GNTST_okay;
}

int grant_unmap_begin(const gnttab_unmap_grant_ref_t *op, u64 fresh, struct grant_unmapping *u)
{
	struct grant_table *t = current->domain->grants;
	struct grant_mapping *m;
	struct page *pg;
	int status;

	if (op->handle >= __atomic_load_n(&t->nr_handles, __ATOMIC_ACQUIRE))
		return GNTST_bad_handle;
	m = mapping_of(t, op->handle);
	pg = __atomic_exchange_n(&m->page, NULL, __ATOMIC_ACQ_REL);
	if (!pg)
		return GNTST_bad_handle;
	u->granter = NULL;
	status = withdraw(op, fresh, m, pg);
	if (status || (m->flags & PARTS)) {
		__atomic_store_n(&m->page, pg, __ATOMIC_RELEASE);
		return status;
	}
	u->granter = m->granter;
	u->use.page = pg;
	u->use.write = !(m->flags & GNTMAP_readonly);
	u->ref = m->ref;
	u->handle = op->handle;
	return GNTST_okay;
}

bool grant_is_mapped(struct domain *d, const struct page *pg)
{
	struct grant_table *t = d->grants;
	bool found = false;

	spin_lock(&t->map_lock);
	for (u32 handle = 0; !found && handle < t->nr_handles; handle++)
		found = READ_ONCE(mapping_of(t, handle)->page) == pg;
	spin_unlock(&t->map_lock);
	return found;
}

void grant_unmap_end(const struct grant_unmapping *u)
{
	grant_end(u->granter, u->ref, &u->use);
	return_handle(current->domain->grants, u->handle);
}

/* ---- The end of the domain that mapped ---- */

bool grant_domain_reap(struct domain *d, unsigned int batch)
{
	struct grant_table *t = d->grants;

	for (u32 handle = 0; t && t->nr_mappings && handle < t->nr_handles; handle++) {
		struct grant_mapping m = *mapping_of(t, handle);
		struct grant_use use = { .page = m.page, .write = !(m.flags & GNTMAP_readonly) };

		if (!m.page)
			continue;
		if (!batch--)
			return false;
		grant_end(m.granter, m.ref, &use);
		mapping_of(t, handle)->page = NULL;
		return_handle(t, handle);
	}
	return true;
}

unsigned int grant_mappings(struct domain *d)
{
	return READ_ONCE(d->grants->nr_mappings);
}

void grant_mappings_init(struct grant_table *t)
{
	spin_lock_init(&t->map_lock, LOCK_GRANT);
	t->free_handle = GRANT_NO_HANDLE;
}

void grant_mappings_free(struct grant_table *t)
{
	for (unsigned int i = 0; i < GRANT_MAPPING_PAGES; i++) {
		if (t->mappings[i])
			heap_free_pages(t->mappings[i], 0);
	}
}
