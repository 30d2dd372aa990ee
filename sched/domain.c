// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Domains: the list of them, creation, references, pausing. Their end is in domain_end.c, their
 * memory in domain_pages.c.
 *
 * `domains` is in order of id, `domain_leaf` finds by id; both change under domain_lock
 * (LOCK_DOMAIN_LIST) and are left when the last reference has gone. Tables of domain_leaf are never
 * freed, so domain_of_id() needs no lock.
 */
#include <asm/abi.h>
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include "fork_family.h"
#include "internal.h"

#define LEAF_IDS 128

static struct spinlock domain_lock = SPINLOCK_INIT(LOCK_DOMAIN_LIST);
static struct list domains = LIST_INIT(domains);
static struct domain **domain_leaf[DIV_ROUND_UP(DOMID_FIRST_RESERVED, LEAF_IDS)];

struct domain *domain_of_id(domid_t id)
{
	struct domain **leaf;

	if (id >= DOMID_FIRST_RESERVED)
		return NULL;
	leaf = __atomic_load_n(&domain_leaf[id / LEAF_IDS], __ATOMIC_ACQUIRE);
	return leaf ? __atomic_load_n(&leaf[id % LEAF_IDS], __ATOMIC_ACQUIRE) : NULL;
}

/* ---- References ---- */

static bool get_unless_gone(struct domain *d)
{
	u32 refs = __atomic_load_n(&d->refs, __ATOMIC_RELAXED);

	do {
		if (!refs)
			return false;
	} while (!__atomic_compare_exchange_n(&d->refs, &refs, refs + 1, false, __ATOMIC_ACQUIRE,
					      __ATOMIC_RELAXED));
	return true;
}

static __always_inline struct domain *get_known(domid_t id, bool dying_too)
{
	struct domain *d;

	spin_lock(&domain_lock);
	d = domain_of_id(id);
	if (d && (!__atomic_load_n(&d->ready, __ATOMIC_ACQUIRE) ||
		  (READ_ONCE(d->dying) && !dying_too) || !get_unless_gone(d)))
		d = NULL;
	spin_unlock(&domain_lock);
	return d;
}

struct domain *domain_get(domid_t id)
{
	return get_known(id == DOMID_SELF ? current->domain->id : id, false);
}

struct domain *domain_get_any(domid_t id)
{
	return get_known(id, true);
}

void domain_put(struct domain *d)
{
	if (__atomic_sub_fetch(&d->refs, 1, __ATOMIC_ACQ_REL) == 0)
		domain_last_put(d);
}

/* The one after D, which the caller has a reference on and so is in the list; the first if D is NULL. With a reference. */
static struct domain *get_next(struct domain *d)
{
	struct domain *found = NULL;
	struct list *at;

	spin_lock(&domain_lock);
	for (at = d ? d->link.next : domains.next; at != &domains && !found; at = at->next) {
		if (get_unless_gone(list_entry(at, struct domain, link)))
			found = list_entry(at, struct domain, link);
	}
	spin_unlock(&domain_lock);
	return found;
}

void domain_for_each(void (*fn)(struct domain *d, void *arg), void *arg)
{
	struct domain *d = get_next(NULL);

	while (d) {
		struct domain *next;

		fn(d, arg);
		next = get_next(d);
		domain_put(d);
		d = next;
	}
}

/* ---- The list ---- */

/*
 * Others know a domain by its number only, and may have left grants and event channels for one that has ended: so a number is not given out again before all
 * others were. With no domain left there is nobody to remember any.
 */
static unsigned int next_id = 1;

/* The lowest free number from FIRST on, and behind whom it goes in the list. DOMID_FIRST_RESERVED: there is none. */
static unsigned int free_id_from(unsigned int first, struct list **after)
{
	struct domain *other;
	unsigned int id = first;

	*after = &domains;
	list_for_each (other, &domains, link) {
		if (other->id > id)
			break;
		*after = &other->link;
		if (other->id == id)
			id++;
	}
	return id;
}

static unsigned int choose_id(const struct domain *d, struct list **after)
{
	unsigned int id;

	if (d->config.initial) {
		id = free_id_from(0, after);
		return id ? DOMID_FIRST_RESERVED : 0;
	}
	if (list_empty(&domains))
		next_id = 1;
	id = free_id_from(next_id, after);
	if (id >= DOMID_FIRST_RESERVED)
		id = free_id_from(1, after);
	return id;
}

/* -ENOMEM, or -ENOSPC: no number is free. */
static int link_domain(struct domain *d)
{
	struct domain **leaf;
	struct list *at;
	unsigned int id;

	ASSERT(spin_is_mine(&domain_lock));
	id = choose_id(d, &at);
	if (id >= DOMID_FIRST_RESERVED)
		return -ENOSPC;
	leaf = domain_leaf[id / LEAF_IDS];
	if (!leaf) {
		leaf = kzalloc(LEAF_IDS * sizeof(struct domain *));
		if (!leaf)
			return -ENOMEM;
		__atomic_store_n(&domain_leaf[id / LEAF_IDS], leaf, __ATOMIC_RELEASE);
	}
	d->id = (domid_t)id;
	if (id)
		next_id = id + 1;
	list_insert_after(at, &d->link);
	__atomic_store_n(&leaf[id % LEAF_IDS], d, __ATOMIC_RELEASE);
	return 0;
}

void domain_unlink(struct domain *d)
{
	spin_lock(&domain_lock);
	list_del(&d->link);
	__atomic_store_n(&domain_leaf[d->id / LEAF_IDS][d->id % LEAF_IDS], NULL, __ATOMIC_RELEASE);
	spin_unlock(&domain_lock);
}

/* ---- Creation ---- */

/* An empty affinity means all CPUs; CPUs that are not there are left out, with a line. */
static void settle_affinity(struct domain_config *config)
{
	bool any = false, usable = false;

	for (unsigned int i = 0; i < ARRAY_SIZE(config->affinity.bits); i++) {
		any |= config->affinity.bits[i] != 0;
		usable |= (config->affinity.bits[i] & cpu_online_map.bits[i]) != 0;
	}
	if (usable)
		return;
	if (any)
		pr_warn("Domain \"%s\": none of its CPUs is online, it may use all\n",
			config->name);
	for (unsigned int i = 0; i < ARRAY_SIZE(config->affinity.bits); i++)
		config->affinity.bits[i] = ~0UL;
}

static void settle_config(struct domain_config *config)
{
	settle_affinity(config);
	if (!config->vcpus)
		config->vcpus = 1;
	if (config->vcpus > MAX_VCPUS) {
		pr_warn("Domain \"%s\": %u vCPUs asked for, %u given\n", config->name,
			config->vcpus, MAX_VCPUS);
		config->vcpus = MAX_VCPUS;
	}
	if (!config->max_forks)
		config->max_forks = FORKS_USUAL;
	if (!config->cpu_weight)
		config->cpu_weight = SCHED_WEIGHT_NOMINAL;
}

static int create_shared_info(struct domain *d)
{
	u64 sec;
	u32 nsec;

	d->shared_info = domain_alloc_shared(d);
	if (!d->shared_info)
		return -ENOMEM;
	wallclock_at_boot(&sec, &nsec);
	d->shared_info->wc_sec = (u32)sec;
	d->shared_info->wc_sec_hi = (u32)(sec >> 32);
	d->shared_info->wc_nsec = nsec;
	d->shared_info->wc_version = 2;
	for (unsigned int i = 0; i < XEN_LEGACY_MAX_VCPUS; i++)
		vcpu_info_set_mask(&d->shared_info->vcpu_info[i], true);
	return 0;
}

/* The parts that need the id. What is made before a failure, destruction takes apart again. */
static int fill_domain(struct domain *d)
{
	int ret;

	domain_watchdogs_init(d);
	ret = create_shared_info(d);
	if (!ret)
		ret = evtchn_domain_init(d);
	if (!ret)
		ret = console_domain_init(d);
	if (!ret)
		ret = grant_domain_init(d);
	if (!ret)
		ret = arch_domain_create(d);
	for (unsigned int i = 0; !ret && i < d->config.vcpus; i++) {
		d->vcpus[i] = vcpu_create(d, i);
		if (!d->vcpus[i])
			ret = -ENOMEM;
		else
			d->nr_vcpus = i + 1;
	}
	return ret;
}

struct domain *domain_create(const struct domain_config *config)
{
	struct domain *d = kzalloc(sizeof(*d));
	int ret;

	if (!d) {
		pr_err("Domain \"%s\": no memory for it\n", config->name);
		return NULL;
	}
	d->config = *config;
	settle_config(&d->config);
	d->refs = 2; /* its existence, and the caller's until it is filled */
	d->pause_count = 1;
	d->shutdown_code = SHUTDOWN_NONE;
	d->pages = PAGE_LINK_END;
	d->max_pages = d->config.memory ? d->config.memory >> PAGE_SHIFT : ~0UL;
	fork_family_init(d);
	list_init(&d->link);
	spin_lock_init(&d->lock, LOCK_DOMAIN);
	spin_lock_init(&d->page_lock, LOCK_PAGE_ALLOC);

	spin_lock(&domain_lock);
	ret = link_domain(d);
	spin_unlock(&domain_lock);
	if (ret) {
		pr_err("Domain \"%s\": %s\n", config->name,
		       ret == -ENOMEM ? "no memory for it" : "no domain id is free");
		kfree(d);
		return NULL;
	}
	ret = fill_domain(d);
	if (ret) {
		pr_err("Domain %u \"%s\" could not be made: error %d\n", d->id, config->name, -ret);
		domain_destroy(d);
		domain_put(d);
		return NULL;
	}
	__atomic_store_n(&d->ready, true, __ATOMIC_RELEASE); /* filled before it is found */
	domain_put(d);
	return d;
}

/* ---- Pausing ---- */

void domain_pause_nowait(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	spin_lock(&d->lock);
	if (d->pause_count++ == 0) {
		for_each_vcpu (d, v, i)
			vcpu_stop(v, VCPU_PAUSED);
	}
	spin_unlock(&d->lock);
}

void domain_pause(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	domain_pause_nowait(d);
	for_each_vcpu (d, v, i)
		vcpu_stop_wait(v);
}

void domain_unpause(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	spin_lock(&d->lock);
	ASSERT(d->pause_count);
	if (--d->pause_count == 0) {
		for_each_vcpu (d, v, i)
			vcpu_wake(v, VCPU_PAUSED);
	}
	spin_unlock(&d->lock);
}
