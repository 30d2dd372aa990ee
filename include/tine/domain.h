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
#include <xen/xen.h>

#define MAX_VCPUS 32 /* a domain's: the legacy vcpu_info slots of the shared info page */

struct vcpu;
struct guest_console;
struct console_ring;
struct xenstore;
struct grant_table;

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
	u64 unknown_hypercalls;            /* answered -ENOSYS; atomic */
	u32 vm_assist;                     /* VMASST_TYPE_* bits */

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
 * A guest's fault that nothing else can answer: a line with FMT, the vCPU's registers, then
 * domain_shutdown(crash).
 */
void domain_crash(struct domain *d, const char *fmt, ...) __printf(2, 3);

/* Ends it and gives its memory back in the background. Any context. */
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

/*
 * Allocates a block of frames for D: state in use, owner D, PAGE_ALLOCATED | 1 reference, type
 * none. FLAGS as heap_alloc's. -ENOMEM, -E2BIG above max_pages, -EINVAL for a dying domain.
 */
int domain_alloc_pages(struct domain *d, unsigned int order, unsigned int flags,
		       mfn_t *out) __must_check;

/*
 * A zeroed page of the hypervisor's that D may map (PAGE_TINE), one reference held; NULL: no
 * memory. page_put ends it.
 */
void *domain_alloc_shared(struct domain *d) __must_check;

/* For page_put: no references are left. */
void page_release(struct page *pg);

/* Drops a general reference; the last one frees the frame (dirty). */
static inline void page_put(struct page *pg)
{
	u64 old = __atomic_fetch_sub(&pg->count_info, 1, __ATOMIC_ACQ_REL);

	if (unlikely((old & PAGE_COUNT_MASK) == 1))
		page_release(pg);
}

/*
 * Takes a general reference on a frame of a live section; false when it is not D's or is going
 * away. Only frames that a domain owns have a count, and the owner cannot change under a reference:
 * so it is looked at once, with one in hand.
 */
static __always_inline bool __must_check page_get(struct page *pg, const struct domain *d)
{
	u64 old = READ_ONCE(pg->count_info);

	do {
		if (unlikely(!(old & PAGE_COUNT_MASK)))
			return false;
	} while (unlikely(!__atomic_compare_exchange_n(&pg->count_info, &old, old + 1, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)));
	if (likely(READ_ONCE(pg->owner) == d->id))
		return true;
	page_put(pg);
	return false;
}

/*
 * Calls FN for each frame of D's that generic code holds by arch_map_guest_frame() (WRITABLE: with
 * the type) or otherwise. For the consistency check; D does not run.
 */
void domain_for_each_hold(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			  void *arg);

/*
 * Drops the owner's reference for having been given the frame, the first time it is asked; false
 * the second time.
 */
bool page_give_up(struct page *pg);

static inline struct vcpu *domain_vcpu(const struct domain *d, unsigned int id)
{
	return id < d->nr_vcpus ? d->vcpus[id] : NULL;
}

#endif
