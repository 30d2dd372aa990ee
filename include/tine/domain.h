/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Domains: what a guest is, apart from its CPUs. Created paused, by one builder; looked up by id
 * under reference counts; destroyed when shut down and configured so, or by the console. The last
 * reference frees the structure.
 *
 * Locks: the list of all domains LOCK_DOMAIN_LIST; lifecycle fields d->lock (LOCK_DOMAIN); pages
 * d->page_lock (LOCK_PAGE_ALLOC).
 */
#ifndef TINE_DOMAIN_H
#define TINE_DOMAIN_H

#include <asm/domain.h> /* struct arch_domain */
#include <tine/domain_config.h>
#include <tine/evtchn.h>
#include <tine/list.h>
#include <tine/page.h>
#include <tine/spinlock.h>
#include <tine/time.h>
#include <xen/xen.h>

#define MAX_VCPUS 32 /* a domain's: the legacy vcpu_info slots of the shared info page */

struct vcpu;
struct guest_console;
struct console_ring;
struct xenstore;
struct grant_table;
struct domain_fork;

#define DOMAIN_WATCHDOGS 2

#define SHUTDOWN_NONE 0xffffffffU

struct domain {
	domid_t id;
	u32 refs; /* atomic: one while it exists, one while it owns frames, and what domain_get took */
	struct list link;
	struct spinlock lock;
	struct domain_config config;

	bool ready;          /* domain_get() finds it */
	bool dying;          /* being destroyed: no new references to it or its pages */
	bool shutting_down;  /* a shutdown reason is set, its vCPUs run no more */
	bool end_seen;       /* sched/domain_end.c has acted on its end */
	u8 end_step;         /* how far destruction has come; sched/domain_end.c */
	u32 shutdown_code;   /* SHUTDOWN_*, or SHUTDOWN_NONE; set once, atomic */
	u32 pause_count;     /* > 0: none of its vCPUs runs; lock */
	struct domain *dead; /* next in the list of those whose last reference has gone */

	u8 watchdogs_used;                        /* a bit each; lock */
	struct timer watchdogs[DOMAIN_WATCHDOGS]; /* sched/watchdog.c */

	unsigned int nr_vcpus;
	struct vcpu *vcpus[MAX_VCPUS];

	struct spinlock page_lock;
	u32 pages; /* first of its frames by number, linked through struct page; PAGE_LINK_END */
	unsigned long nr_pages, max_pages;

	shared_info_t *shared_info; /* one PAGE_TINE frame */
	struct evtchn_table evtchn;
	struct grant_table *grants;        /* sched/grant_table.c */
	struct guest_console *console;     /* sched/console_guest.c */
	struct xenstore *xenstore;         /* NULL: it has none; sched/xenstore.c */
	struct console_ring *console_ring; /* NULL: it has none; sched/console_ring.c */
	struct domain_fork *fork; /* NULL: it is none; set before it runs. tine/domain_fork.h */
	bool fork_busy;           /* it is being forked or reset; atomic */
	/* Of a domain that is no fork, for all that descend from it; sched/fork_family.c */
	u32 own_forks; /* that any domain made of itself, with structures left; atomic */
	u32 nr_forks;  /* whose structures are there; lock */
	long fork_room, fork_promise; /* frames; atomic, lock */
	u64 unknown_hypercalls;       /* and operations: answered -ENOSYS; atomic */
	u32 vm_assist;                /* VMASST_TYPE_* bits */

	struct arch_domain arch;
};

/*
 * A new paused domain with its vCPUs (all but the first down), shared info and no memory. NULL,
 * reported: out of memory or ids.
 */
struct domain *domain_create(const struct domain_config *config) __must_check;

/*
 * Takes a reference, or NULL: no such domain, or it is dying. DOMID_SELF is resolved to the
 * caller's.
 */
struct domain *domain_get(domid_t id) __must_check;
/* Also one that is dying, as long as there is something of it. Not for DOMID_SELF. */
struct domain *domain_get_any(domid_t id) __must_check;
void domain_put(struct domain *d);

/*
 * The domain of that number, without a reference: for callers that know it cannot go away, because
 * they hold a frame it owns or a lock that its end must take.
 */
struct domain *domain_of_id(domid_t id);

/* Nests; returns when none of its vCPUs runs on another CPU. Rules of vcpu_stop_wait(). */
void domain_pause(struct domain *d);
/* The same without waiting. */
void domain_pause_nowait(struct domain *d);
/* May make it runnable. */
void domain_unpause(struct domain *d);

/*
 * Stops all its vCPUs for REASON (SHUTDOWN_*); then on_poweroff, on_reboot or on_crash decides. Any
 * context.
 */
void domain_shutdown(struct domain *d, u32 reason);

/* The reason that a later domain_shutdown() will be taken to have had, if none was set before. */
void domain_set_shutdown_code(struct domain *d, u32 reason);

/*
 * Watchdog ID (from 1) ends D for SHUTDOWN_watchdog in SECONDS from now; 0 stops it and gives it back. ID 0
 * takes a free one and returns its number. -EINVAL: there is no such, or it was not taken; -ENOSPC.
 */
int domain_watchdog(struct domain *d, u32 id, u32 seconds) __must_check;

/*
 * A guest's fault that nothing else can answer: a line with FMT, the vCPU's registers, then
 * domain_shutdown(crash).
 */
void domain_crash(struct domain *d, const char *fmt, ...) __printf(2, 3);

/* Ends it and gives its memory back in the background. Any context. Forks of it live on. */
void domain_destroy(struct domain *d);

/*
 * How a domain with `restart` for its end comes back: called once that one is gone, from a softirq.
 * Set by boot/domains.c, which knows the modules. -errno after a line that says why not.
 */
void domain_set_rebuilder(int (*fn)(const struct domain_config *config));

/*
 * The domains that the machine was told to start are there, or not (COMPLETE false): from now on it
 * ends with the last of them, and with success only if all were there and powered themselves off.
 */
void domain_boot_done(bool complete);

/* Calls FN for each domain with a reference held, in order of id. */
void domain_for_each(void (*fn)(struct domain *d, void *arg), void *arg);

static inline struct vcpu *domain_vcpu(const struct domain *d, unsigned int id)
{
	return id < d->nr_vcpus ? d->vcpus[id] : NULL;
}

#include <tine/domain_pages.h>

#endif
