// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event channels of a fork: bindings within the domain, and to services of the hypervisor's, are the parent's; those that lead to other
 * domains are closed, as nobody at the other end knows the fork. An unbound port stays open to whom it was open.
 *
 * The table is read under the parent's event lock and written under the child's.
 */
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/string.h>
#include "fork_state.h"
#include "internal.h"

/* As the fork will have it: its own number is not known here. */
static struct evtchn inherited(const struct domain *d, struct evtchn e, unsigned int *dropped)
{
	bool remote = e.state == EVTCHN_INTERDOMAIN || e.state == EVTCHN_UNBOUND;

	if (remote && e.remote_dom == d->id) {
		e.remote_dom = DOMID_SELF;
	} else if (e.state == EVTCHN_INTERDOMAIN) {
		e = (struct evtchn){ .state = EVTCHN_FREE };
		++*dropped;
	}
	return e;
}

static int save_bucket(struct evtchn_snapshot *s, const struct domain *d, unsigned int i)
{
	if (!s->buckets[i])
		s->buckets[i] = kzalloc(EVTCHN_BUCKET * sizeof(struct evtchn));
	if (!s->buckets[i])
		return -ENOMEM;
	for (unsigned int j = 0; j < EVTCHN_BUCKET; j++)
		s->buckets[i][j] = inherited(d, evtchn_read(&d->evtchn.buckets[i][j]), &s->dropped);
	return 0;
}

int evtchn_snapshot_save(struct evtchn_snapshot *s, struct domain *d)
{
	int ret = 0;

	spin_lock(&d->evtchn.lock);
	s->dropped = 0;
	s->polling = d->evtchn.polling;
	for (unsigned int i = 0; i < ARRAY_SIZE(s->buckets) && !ret; i++) {
		if (d->evtchn.buckets[i])
			ret = save_bucket(s, d, i);
	}
	s->lowest_free = s->dropped ? 1 : d->evtchn.lowest_free;
	spin_unlock(&d->evtchn.lock);
	return ret;
}

static int load_bucket(struct domain *d, const struct evtchn_snapshot *s, unsigned int i)
{
	struct evtchn *to = d->evtchn.buckets[i];

	if (!to) {
		to = kzalloc(EVTCHN_BUCKET * sizeof(struct evtchn));
		if (!to)
			return -ENOMEM;
		__atomic_store_n(&d->evtchn.buckets[i], to, __ATOMIC_RELEASE);
	}
	for (unsigned int j = 0; j < EVTCHN_BUCKET; j++) {
		struct evtchn e = s->buckets[i][j];

		if (e.remote_dom == DOMID_SELF)
			e.remote_dom = d->id;
		evtchn_write(&to[j], e);
	}
	return 0;
}

/* What D has bound since goes first, and with it the other ends that others have. */
int evtchn_snapshot_load(struct domain *d, const struct evtchn_snapshot *s)
{
	int ret = 0;

	evtchn_domain_destroy(d);
	spin_lock(&d->evtchn.lock);
	for (unsigned int i = 0; i < ARRAY_SIZE(s->buckets) && !ret; i++) {
		if (s->buckets[i])
			ret = load_bucket(d, s, i);
	}
	d->evtchn.lowest_free = s->lowest_free;
	d->evtchn.polling = s->polling;
	spin_unlock(&d->evtchn.lock);
	return ret;
}

void evtchn_snapshot_free(struct evtchn_snapshot *s)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(s->buckets); i++)
		kfree(s->buckets[i]);
}
