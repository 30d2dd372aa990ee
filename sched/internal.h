/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of sched/ share among themselves: run queues, and pieces of a domain's and a
 * vCPU's life.
 */
#ifndef SCHED_INTERNAL_H
#define SCHED_INTERNAL_H

#include <tine/console.h>
#include <tine/sched.h>

/*
 * A CPU's run queue. `waiting` holds what could run but does not, by vruntime, lowest first.
 * `floor` is a vruntime that nothing here is far below, and near which newcomers start.
 */
struct run_queue {
	struct spinlock lock;
	struct list waiting;
	unsigned int nr_waiting;
	u64 floor;
	struct vcpu *curr, *idle;
	struct timer slice;
	bool slice_set;    /* while somebody waits, and perhaps a little longer */
	bool slice_missed; /* when it was last over, nobody waited any more */
	bool compare_soon; /* since then: queues are compared when somebody comes to wait */
	unsigned long switches, arrivals;
};

#define SCHED_SLICE (10 * NSEC_PER_MSEC)
#define SCHED_SLICE_SHORT NSEC_PER_MSEC
#define SCHED_WAKE_CREDIT (5 * NSEC_PER_MSEC)
#define SCHED_LAG_MAX (4 * SCHED_SLICE) /* between a newcomer and its queue, or two queues */
#define SCHED_WEIGHT_NOMINAL 256

/* sched/run_queue.c: the order of one queue; its lock is held. */
void run_queue_init(struct run_queue *rq);
void run_queue_insert(struct run_queue *rq, struct vcpu *v);
void run_queue_remove(struct run_queue *rq, struct vcpu *v);
struct vcpu *run_queue_first(const struct run_queue *rq);
u64 run_queue_weighted(const struct vcpu *v, stime_t ns); /* NS of V's running, in vruntime */
void run_queue_charge(struct run_queue *rq, struct vcpu *v, stime_t now);
void run_queue_admit(struct run_queue *rq, struct vcpu *v, bool slept);
u64 run_queue_lift(struct run_queue *rq, u64 level);
bool run_queue_preempts(const struct run_queue *rq, const struct vcpu *v);

/*
 * sched/balance.c: for a CPU with nothing to do; for one whose vCPU falls asleep while others wait in its queue; and at the end of a slice,
 * while some wait.
 */
void sched_steal_for(unsigned int cpu);
void sched_pull_for(unsigned int cpu);
void sched_balance(unsigned int cpu);

/* sched/scheduler.c: V may have become runnable, or has ceased to be. Any context. */
void sched_wake(struct vcpu *v);
void sched_sleep(struct vcpu *v);
/* V, stopped, neither runs nor is touched by any CPU's scheduler, nor will be. */
bool sched_is_gone(struct vcpu *v);
/* Locks the run queue that V belongs to, interrupts off. */
struct run_queue *sched_lock_queue(struct vcpu *v, unsigned long *flags);
/*
 * For balance.c, the lock of the queue that V belongs to held. A vCPU in no queue is given to CPU,
 * with that queue's lock to be taken next; one that should run is put into RQ, its CPU's, which is
 * interrupted if V should go first. SLEPT: it comes from no queue.
 */
struct run_queue *sched_queue_of(unsigned int cpu);
bool sched_nowhere(const struct vcpu *v);
void sched_hand_over(struct vcpu *v, unsigned int cpu);
void sched_enqueue(struct run_queue *rq, struct vcpu *v, bool slept);

/* sched/vcpu.c: the CPU has switched to V and its registers are loaded. */
void vcpu_switched_in(struct vcpu *v);

/* sched/domain.c */
void domain_unlink(struct domain *d); /* from list and table; nobody finds it any more */

/* sched/domain_pages.c: gives up a batch of D's frames; true when its list is empty. */
bool domain_pages_reap(struct domain *d, unsigned int batch);
/* For domain_p2m.c: a frame that the caller overwrites before D can see it; one of D's becomes DOMID_COW's; the reverse (-E2BIG, -EINVAL: D is dying). */
int domain_alloc_unseen(struct domain *d, mfn_t *out) __must_check;
void domain_leave_page(struct domain *d, struct page *pg);
int domain_adopt_page(struct domain *d, struct page *pg) __must_check;
unsigned long domain_cow_pages(void); /* how many DOMID_COW has */

/* sched/consistency.c: of a stopped domain before it is taken apart; the total, reported; all by hand */
void consistency_of_ended(struct domain *d);
unsigned long consistency_at_end(void);
void consistency_check_all(void);

/* sched/domain_end.c */
void domain_end_init(void);
void domain_last_put(struct domain *d);
void domain_watchdogs_init(struct domain *d);
void domain_watchdogs_kill(struct domain *d); /* its vCPUs are stopped */

/* sched/console_guest.c */
int console_domain_init(struct domain *d) __must_check; /* -ENOMEM */
void console_domain_free(struct domain *d);
void console_guest_type(struct domain *d, char c);
/* sched/console_ring.c: typed bytes that wait go into D's ring, as far as it has one with room */
void console_ring_init(void);
void console_ring_feed(struct domain *d);
void console_ring_disconnect(struct domain *d); /* its vCPUs are stopped */
void console_ring_free(struct domain *d);
struct page *console_ring_page(const struct domain *d); /* NULL: none is mapped */
/* sched/xenstore.c */
void xenstore_init(void);
void xenstore_disconnect(struct domain *d); /* its vCPUs are stopped */
void xenstore_free(struct domain *d);
struct page *xenstore_page(const struct domain *d); /* NULL: none is mapped */
/* sched/console_input.c: -1 is the hypervisor */
void console_init(void);
void console_domain_arrived(const struct domain *d);
void console_set_focus(int id);
bool console_has_focus(const struct domain *d);
/* sched/console_cmd.c, sched/debug_keys.c: a byte typed for the hypervisor */
void console_cmd_start(void);
bool console_cmd_key(char c);
void console_key(char c);
/* sched/console_ask.c: commands that a guest must follow itself */
void console_ask_poweroff(struct domain *d, const char *rest);
void console_ask_reboot(struct domain *d, const char *rest);
void console_ask_balloon(struct domain *d, const char *size);
void console_show_vcpu(struct vcpu *v);

/* Pages that a forked domain has with the hypervisor in common; the domains are stopped. sched/fork_pages.c */
struct fork_state;
int fork_pages_save(struct fork_state *s, struct domain *d) __must_check;
void fork_pages_free(struct fork_state *s);
int fork_pages_of_child(struct domain *child, const struct domain *parent) __must_check;
int fork_pages_let_go(struct domain *d) __must_check; /* before a reset. -ERESTART */
void fork_pages_reset(struct domain *d);
/* FRAME of D's, a fork, becomes its own, with the contents that were saved; as arch_map_guest_frame(). */
int fork_hold_page(struct domain *d, unsigned long frame, struct page **pg, void **va) __must_check;
/* The rings' part: which frame, and where it is mapped (false: no ring); the child's ring, in the moment of the fork (store) or after. */
bool console_ring_frame(const struct domain *d, unsigned long *frame, const void **there);
bool xenstore_frame(const struct domain *d, unsigned long *frame, const void **there);
int console_ring_fork(struct domain *child, const struct domain *parent) __must_check;
int xenstore_fork(struct domain *child, struct domain *parent) __must_check;
int xenstore_fork_map(struct domain *child) __must_check;
void xenstore_reset(struct domain *d);
void console_ring_reset(struct domain *d);
/* FRAME, which is mapped THERE, has the contents of the fork again. */
void fork_restore_page(const struct domain *d, unsigned long frame, const void *there);

/* sched/domain_fork.c */
void fork_init(void);
/* sched/fork_child.c: an empty domain like PARENT, with a reference; CALLER: who asked for it by a hypercall. -ENOMEM, -ENOSPC */
int fork_make_child(struct domain *parent, const struct vcpu *caller,
		    struct domain **child) __must_check;

/* sched/evtchn_send.c: marks PORT pending for V and lets it know. D is V's domain. */
void evtchn_raise(struct domain *d, u32 port, struct vcpu *v);

/* The binding's place, NULL when there is none yet; PORT may be any number. */
static inline struct evtchn *evtchn_slot(const struct domain *d, u32 port)
{
	struct evtchn *bucket;

	if (unlikely(port >= EVTCHN_PORTS))
		return NULL;
	bucket = __atomic_load_n(&d->evtchn.buckets[port / EVTCHN_BUCKET], __ATOMIC_ACQUIRE);
	return bucket ? &bucket[port % EVTCHN_BUCKET] : NULL;
}

/* A binding read and written whole, as others may do at the same time. */
static inline struct evtchn evtchn_read(const struct evtchn *slot)
{
	union {
		u64 word;
		struct evtchn e;
	} u = { .word = __atomic_load_n((const u64 *)(const void *)slot, __ATOMIC_ACQUIRE) };

	return u.e;
}

static inline void evtchn_write(struct evtchn *slot, struct evtchn e)
{
	union {
		struct evtchn e;
		u64 word;
	} u = { .e = e };

	__atomic_store_n((u64 *)(void *)slot, u.word, __ATOMIC_RELEASE);
}

#endif
