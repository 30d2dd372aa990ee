/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Domains: what a guest is, apart from its CPUs. Created paused, by one builder; looked up by id under reference counts;
 * destroyed when shut down and configured so, or by the console. The last reference frees the structure.
 *
 * Locks: the list of all domains LOCK_DOMAIN_LIST; lifecycle fields d->lock (LOCK_DOMAIN); pages d->page_lock (LOCK_PAGE_ALLOC).
 */
#ifndef TINE_DOMAIN_H
#define TINE_DOMAIN_H

#include <asm/domain.h> /* struct arch_domain */
#include <tine/cpu.h>
#include <tine/evtchn.h>
#include <tine/list.h>
#include <tine/page.h>
#include <tine/spinlock.h>
#include <xen/xen.h>

#define MAX_VCPUS 32 /* a domain's: the legacy vcpu_info slots of the shared info page */
#define DOMAIN_NAME_MAX 32

struct vcpu;

enum domain_type { DOMAIN_PV, DOMAIN_PVH };
enum domain_action { ACTION_DESTROY, ACTION_RESTART, ACTION_PRESERVE };

/* What the boot configuration (an Xen-style pair of modules, or a .cfg module) asks for. */
struct domain_config {
	char name[DOMAIN_NAME_MAX];
	enum domain_type type;
	unsigned long memory; /* bytes; 0: what is free, less a reserve */
	unsigned int vcpus;
	unsigned int cpu_weight; /* 256 is usual, 1 .. 65535 */
	cpumask_t affinity;      /* empty: all */
	bool initial;            /* the initial domain: privileged */
	bool may_fork;
	enum domain_action on_poweroff, on_reboot, on_crash;
	char cmdline[1024];
};

struct domain {
	domid_t id;
	u32 refs; /* atomic; domain_get / domain_put */
	struct list link;
	struct spinlock lock;
	struct domain_config config;

	bool dying;         /* being destroyed: no new references to its pages */
	bool shutting_down; /* a shutdown reason is set, its vCPUs run no more */
	u32 shutdown_code;  /* SHUTDOWN_*; valid with shutting_down */
	u32 pause_count;    /* > 0: none of its vCPUs runs; atomic */

	unsigned int nr_vcpus;
	struct vcpu *vcpus[MAX_VCPUS];

	struct spinlock page_lock;
	u32 pages; /* first of its frames by number, linked through struct page; PAGE_LINK_END */
	unsigned long nr_pages, max_pages;

	shared_info_t *shared_info; /* one PAGE_TINE frame */
	struct evtchn_table evtchn;
	u64 unknown_hypercalls; /* answered -ENOSYS; atomic */
	u32 vm_assist;          /* VMASST_TYPE_* bits */

	struct arch_domain arch;
};

/* A new paused domain with its vCPUs (offline but the first), shared info and no memory. NULL: reported; out of memory or ids. */
struct domain *domain_create(const struct domain_config *config) __must_check;

/* Takes a reference, or NULL. DOMID_SELF is resolved to the caller's. */
struct domain *domain_get(domid_t id) __must_check;
void domain_put(struct domain *d);

void domain_pause(struct domain *d); /* nests; returns when none of its vCPUs runs on another CPU */
void domain_unpause(struct domain *d); /* may make it runnable */

/* Stops all its vCPUs for REASON (SHUTDOWN_*); then on_poweroff, on_reboot or on_crash decides. Any context of its own vCPUs or the console. */
void domain_shutdown(struct domain *d, u32 reason);

/* As a guest's fault that nothing else can answer: one line with FMT, the vCPU's registers, then domain_shutdown(crash). */
void domain_crash(struct domain *d, const char *fmt, ...) __printf(2, 3);

/* Ends it and gives its memory back; asynchronous, in a softirq-safe context. */
void domain_destroy(struct domain *d);

/* Calls FN for each domain with a reference held, in order of id. */
void domain_for_each(void (*fn)(struct domain *d, void *arg), void *arg);

/*
 * Allocates a block of frames for D: state in use, owner D, PAGE_ALLOCATED | 1 reference, type none. -ENOMEM, or -E2BIG above max_pages. mm flags as heap_alloc's.
 */
int domain_alloc_pages(struct domain *d, unsigned int order, unsigned int flags,
		       mfn_t *out) __must_check;

/* References: page_get fails when MFN is not D's or is going away. page_put of the last one frees the frame (dirty). */
bool page_get(struct page *pg, const struct domain *d) __must_check;
void page_put(struct page *pg);

static inline struct vcpu *domain_vcpu(const struct domain *d, unsigned int id)
{
	return id < d->nr_vcpus ? d->vcpus[id] : NULL;
}

#endif
