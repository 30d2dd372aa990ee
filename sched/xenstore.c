// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring between a domain and its store (store/): moves bytes, sends events, and fills the store
 * with what a toolstack would have written for the domain. What the bytes mean is the store's
 * affair.
 *
 * The page is the guest's and may change under our eyes: indices are read once and checked, bytes
 * are copied before they are looked at. With indices that cannot be, or a request that is too long,
 * the ring is out of order for good, and says so in its error field.
 *
 * struct xenstore has a lock (LOCK_GUEST_RING), also for the store. The page stays mapped until the
 * domain ends.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include <tine/store.h>
#include <tine/string.h>
#include <tine/xenstore.h>
#include "internal.h"
#include <xen/io/xs_wire.h>

#define CHUNK 128U
#define STEPS 64U /* of a chunk each way, in one go */

struct xenstore {
	struct spinlock lock;
	struct store *
		store; /* its own once a byte moves: until then perhaps a fork's in common with its parent */
	struct store *origin; /* of a fork: as it was; NULL */
	struct xenstore_domain_interface
		*shared; /* NULL: the domain is ending, or the ring is out of order */
	struct page *page;
	void *mapped;
	unsigned long frame; /* what the guest calls the page */
	u32 port;
	bool origin_in_order;
};

/* ---- The ring; its lock is held ---- */

static void give_up(struct domain *d, struct xenstore *x, u32 error, const char *why)
{
	pr_warn("Domain %u: %s: its xenstore answers no more\n", d->id, why);
	WRITE_ONCE(x->shared->error, error);
	x->shared = NULL;
}

/* From the store to the guest. True: something moved. */
static bool give(struct domain *d, struct xenstore *x)
{
	struct xenstore_domain_interface *shared = x->shared;
	u32 prod = READ_ONCE(shared->rsp_prod);
	u32 used = prod - __atomic_load_n(&shared->rsp_cons, __ATOMIC_ACQUIRE);
	u8 chunk[CHUNK];
	u32 n;

	if (used > XENSTORE_RING_SIZE) {
		give_up(d, x, XENSTORE_ERROR_RINGIDX, "answers cannot be where it says");
		return false;
	}
	n = (u32)store_get(x->store, chunk, min(CHUNK, XENSTORE_RING_SIZE - used));
	for (u32 i = 0; i < n; i++)
		WRITE_ONCE(shared->rsp[MASK_XENSTORE_IDX(prod + i)], (char)chunk[i]);
	__atomic_store_n(&shared->rsp_prod, prod + n, __ATOMIC_RELEASE);
	return n != 0;
}

/* From the guest to the store; at most one request is done. */
static bool take(struct domain *d, struct xenstore *x)
{
	struct xenstore_domain_interface *shared = x->shared;
	u32 cons = READ_ONCE(shared->req_cons);
	u32 n = __atomic_load_n(&shared->req_prod, __ATOMIC_ACQUIRE) - cons;
	u8 chunk[CHUNK];

	if (n > XENSTORE_RING_SIZE) {
		give_up(d, x, XENSTORE_ERROR_RINGIDX, "requests cannot be where it says");
		return false;
	}
	n = min(n, CHUNK);
	for (u32 i = 0; i < n; i++)
		chunk[i] = (u8)READ_ONCE(shared->req[MASK_XENSTORE_IDX(cons + i)]);
	n = (u32)store_put(x->store, chunk, n);
	__atomic_store_n(&shared->req_cons, cons + n, __ATOMIC_RELEASE);
	if (store_is_broken(x->store))
		give_up(d, x, XENSTORE_ERROR_PROTO, "a request is longer than may be");
	return n != 0;
}

static int write_number(struct store *s, const char *path, unsigned long number);

/* Before anything in the store changes, even by being read: a fork's begins as the parent's, which is copied now. */
static bool make_own(struct domain *d, struct xenstore *x)
{
	struct store *own;

	if (!store_is_shared(x->store) && store_owner(x->store) == d->id)
		return true;
	own = store_clone(x->store, d->id);
	if (!own || write_number(own, "domid", d->id)) {
		store_destroy(own);
		return false;
	}
	store_destroy(x->store);
	x->store = own;
	return true;
}

/*
 * Until nothing moves, or other work waits, or it has taken long: another vCPU may fill the ring as
 * fast as we empty it, and there are others who want the lock.
 */
static int move_bytes(struct domain *d, struct xenstore *x)
{
	unsigned int steps = 0;

	if (x->shared && !make_own(d, x))
		give_up(d, x, XENSTORE_ERROR_COMM, "no memory for a fork's own store");
	while (x->shared) {
		bool moved = give(d, x);

		if (x->shared)
			moved |= take(d, x);
		if (!moved)
			break;
		if (++steps == STEPS || softirq_waiting()) {
			evtchn_service_notify(d, SERVICE_XENSTORE, x->port);
			return -ERESTART;
		}
	}
	if (steps)
		evtchn_service_notify(d, SERVICE_XENSTORE, x->port);
	return 0;
}

static int guest_event(struct domain *d)
{
	struct xenstore *x = d->xenstore;
	int ret;

	if (!x)
		return 0;
	spin_lock(&x->lock);
	ret = move_bytes(d, x);
	spin_unlock(&x->lock);
	return ret;
}

/* ---- For the hypervisor ---- */

int xenstore_write(struct domain *d, const char *path, const char *value)
{
	struct xenstore *x = d->xenstore;
	int ret;

	if (!x)
		return -ENOTCONN;
	spin_lock(&x->lock);
	ret = make_own(d, x) ? store_write(x->store, path, value) : -ENOMEM;
	while (ret >= 0 && x->shared && give(d, x))
		;
	evtchn_service_notify(d, SERVICE_XENSTORE, x->port);
	spin_unlock(&x->lock);
	return ret;
}

bool xenstore_get_stats(struct domain *d, struct store_stats *out)
{
	struct xenstore *x = d->xenstore;

	if (!x)
		return false;
	spin_lock(&x->lock);
	store_get_stats(x->store, out);
	spin_unlock(&x->lock);
	return true;
}

/* ---- Beginning and end ---- */

static int write_number(struct store *s, const char *path, unsigned long number)
{
	char text[24];
	int ret;

	(void)tine_snprintf(text, sizeof(text), "%lu", number);
	ret = store_write(s, path, text);
	return min(ret, 0);
}

/* What guests look for, as toolstacks have it. Memory is in KiB. */
static int furnish(struct domain *d, struct store *s)
{
	static const struct {
		const char *path, *value;
	} fixed[] = {
		{ "control/shutdown", "" },
		{ "control/platform-feature-xs_reset_watches", "1" },
		{ "device", "" },
	};
	unsigned long kib = d->max_pages << (PAGE_SHIFT - 10);
	char path[32];
	int ret = min(store_write(s, "name", d->config.name), 0);

	if (!ret)
		ret = write_number(s, "domid", d->id);
	if (!ret)
		ret = write_number(s, "memory/target", kib);
	if (!ret)
		ret = write_number(s, "memory/static-max", kib);
	for (unsigned int i = 0; !ret && i < ARRAY_SIZE(fixed); i++)
		ret = min(store_write(s, fixed[i].path, fixed[i].value), 0);
	for (unsigned int i = 0; !ret && i < d->nr_vcpus; i++) {
		(void)tine_snprintf(path, sizeof(path), "cpu/%u/availability", i);
		ret = min(store_write(s, path, "online"), 0);
	}
	return ret;
}

static int fill(struct domain *d, struct xenstore *x, unsigned long frame)
{
	int ret;

	spin_lock_init(&x->lock, LOCK_GUEST_RING);
	x->store = store_create(d->id);
	ret = x->store ? furnish(d, x->store) : -ENOMEM;
	if (!ret)
		ret = evtchn_bind_service(d, SERVICE_XENSTORE, &x->port);
	if (!ret)
		ret = arch_map_guest_frame(d, frame, &x->page, &x->mapped);
	return ret;
}

int xenstore_connect(struct domain *d, unsigned long frame, u32 *port)
{
	struct xenstore *x = kzalloc(sizeof(*x));
	int ret = x ? fill(d, x, frame) : -ENOMEM;

	if (ret) {
		if (x)
			store_destroy(x->store);
		kfree(x);
		return ret;
	}
	x->frame = frame;
	x->shared = x->mapped;
	x->shared->server_features = XENSTORE_SERVER_FEATURE_ERROR;
	*port = x->port;
	__atomic_store_n(&d->xenstore, x, __ATOMIC_RELEASE);
	return 0;
}

void xenstore_disconnect(struct domain *d)
{
	struct xenstore *x = d->xenstore;
	void *mapped;

	if (!x)
		return;
	spin_lock(&x->lock);
	mapped = x->mapped;
	x->mapped = NULL;
	x->shared = NULL;
	spin_unlock(&x->lock);
	if (mapped)
		arch_unmap_guest_frame(x->page, mapped);
}

void xenstore_free(struct domain *d)
{
	if (d->xenstore) {
		store_destroy(d->xenstore->store);
		store_destroy(d->xenstore->origin);
	}
	kfree(d->xenstore);
}

/* ---- Forks; both domains are stopped. See fork_pages.c ---- */

/* In the moment of the fork. The ring's page comes later. */
int xenstore_fork(struct domain *child, struct domain *parent)
{
	struct xenstore *theirs = parent->xenstore, *x;

	if (!theirs)
		return 0;
	x = kzalloc(sizeof(*x));
	if (!x)
		return -ENOMEM;
	spin_lock_init(&x->lock, LOCK_GUEST_RING);
	x->frame = theirs->frame;
	x->port = theirs->port;
	spin_lock(&theirs->lock);
	x->store = store_share(theirs->store);
	x->origin = store_share(theirs->store);
	x->origin_in_order = theirs->shared != NULL;
	spin_unlock(&theirs->lock);
	__atomic_store_n(&child->xenstore, x, __ATOMIC_RELEASE);
	return 0;
}

int xenstore_fork_map(struct domain *child)
{
	struct xenstore *x = child->xenstore;
	struct page *page;
	void *mapped;
	int ret = x ? fork_hold_page(child, x->frame, &page, &mapped) : 0;

	if (ret || !x)
		return ret;
	spin_lock(&x->lock);
	x->page = page;
	x->mapped = mapped;
	x->shared = x->origin_in_order ? mapped : NULL;
	spin_unlock(&x->lock);
	return 0;
}

bool xenstore_frame(const struct domain *d, unsigned long *frame, const void **there)
{
	const struct xenstore *x = d->xenstore;

	if (!x || !x->mapped)
		return false;
	*frame = x->frame;
	*there = x->mapped;
	return true;
}

void xenstore_reset(struct domain *d)
{
	struct xenstore *x = d->xenstore;

	if (!x)
		return;
	spin_lock(&x->lock);
	if (x->mapped)
		fork_restore_page(d, x->frame, x->mapped);
	store_destroy(x->store);
	x->store = store_share(x->origin);
	x->shared = x->origin_in_order ? x->mapped : NULL;
	spin_unlock(&x->lock);
}

void xenstore_init(void)
{
	evtchn_service_register(SERVICE_XENSTORE, guest_event);
}

struct page *xenstore_page(const struct domain *d)
{
	return d->xenstore && d->xenstore->mapped ? d->xenstore->page : NULL;
}
