// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fork as a domain of its own: how it comes to be, before there is anything in it, and what its parent knows of its end. It has a reference
 * on its parent's structure as long as it has one itself, so that looking is safe whoever ends first.
 */
#include <tine/arch_fork.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <xen/sched.h>
#include "fork_family.h"
#include "fork_state.h"
#include "internal.h"

/* ---- Beginning ---- */

/* It does not restart: what it would restart from is its parent. */
static enum domain_action action_of_fork(enum domain_action action)
{
	return action == ACTION_RESTART ? ACTION_DESTROY : action;
}

static struct domain *create_empty(const struct domain *parent)
{
	struct domain_config *config = kzalloc(sizeof(*config));
	struct domain *child;

	if (!config)
		return NULL;
	*config = parent->config;
	config->memory_as_found = false;
	config->on_poweroff = action_of_fork(config->on_poweroff);
	config->on_reboot = action_of_fork(config->on_reboot);
	config->on_crash = action_of_fork(config->on_crash);
	config->on_watchdog = action_of_fork(config->on_watchdog);
	child = domain_create(config);
	kfree(config);
	return child;
}

static struct domain_fork *new_record(struct domain *parent, const struct vcpu *caller)
{
	struct domain_fork *f = kzalloc(sizeof(*f));

	if (!f)
		return NULL;
	f->state = fork_state_alloc(parent);
	if (!f->state) {
		kfree(f);
		return NULL;
	}
	f->parent = parent;
	f->first = fork_family_of(parent);
	f->self_made = caller != NULL;
	f->maker = caller ? caller->id : 0;
	if (f->self_made)
		(void)__atomic_add_fetch(&parent->own_forks, 1, __ATOMIC_RELAXED);
	(void)__atomic_add_fetch(&parent->refs, 1, __ATOMIC_RELAXED);
	return f;
}

static void free_record(struct domain_fork *f)
{
	fork_state_free(f->state);
	fork_family_leave(f->first);
	if (f->self_made)
		(void)__atomic_sub_fetch(&f->parent->own_forks, 1, __ATOMIC_RELAXED);
	domain_put(f->parent);
	kfree(f);
}

static struct domain *make_member(struct domain *parent, const struct vcpu *caller)
{
	struct domain_fork *f = new_record(parent, caller);
	struct domain *child = f ? create_empty(parent) : NULL;

	if (!child) {
		if (f)
			free_record(f);
		else
			fork_family_leave(fork_family_of(parent));
		return NULL;
	}
	child->max_pages = parent->max_pages;
	child->fork_busy = true;          /* until it is complete */
	BUG_ON(grant_table_close(child)); /* nothing of it was ever in use */
	__atomic_store_n(&child->fork, f, __ATOMIC_RELEASE);
	(void)__atomic_add_fetch(&child->refs, 1, __ATOMIC_RELAXED);
	return child;
}

int fork_make_child(struct domain *parent, const struct vcpu *caller, struct domain **child)
{
	struct domain *first = fork_family_of(parent);
	int ret = fork_family_join(first, caller ? first->config.max_forks : ~0U);

	if (ret)
		return ret;
	*child = make_member(parent, caller);
	return *child ? 0 : -ENOMEM;
}

/* ---- What its parent asks ---- */

struct domain *domain_own_fork(const struct domain *parent, domid_t id)
{
	struct domain *child = domain_get(id);

	if (child && child->fork && child->fork->self_made && child->fork->parent == parent)
		return child;
	if (child)
		domain_put(child);
	return NULL;
}

static bool has_ended(const struct domain *child)
{
	return __atomic_load_n(&child->shutting_down, __ATOMIC_SEQ_CST) || READ_ONCE(child->dying);
}

long domain_fork_wait(struct domain *child)
{
	struct vcpu *v = current;

	if (has_ended(child))
		return (long)(u8)child->shutdown_code << 8 | child->fork->code;
	__atomic_store_n(&v->waits_for_fork, true, __ATOMIC_SEQ_CST);
	vcpu_block();
	if (has_ended(child)) /* who ends it looks at the flag after */
		vcpu_unblock(v);
	return -EAGAIN;
}

void domain_fork_ended(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	if (!d->fork)
		return;
	for_each_vcpu (d->fork->parent, v, i) {
		if (__atomic_exchange_n(&v->waits_for_fork, false, __ATOMIC_SEQ_CST))
			vcpu_unblock(v);
	}
}

bool domain_fork_is_kept(const struct domain *d)
{
	return d->fork && d->fork->self_made && !READ_ONCE(d->fork->parent->dying);
}

bool domain_fork_is_orphan(const struct domain *d)
{
	return d->fork && d->fork->waiting && READ_ONCE(d->fork->parent->dying);
}

void domain_fork_free(struct domain *d)
{
	if (d->fork)
		free_record(d->fork);
	d->fork = NULL;
}
