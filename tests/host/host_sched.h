/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sched/ asks of an architecture, for host tests: CPUs that one thread plays in turn, a clock
 * that stands until it is moved, interrupts that are counted, and a machine whose end can be looked
 * at.
 */
#ifndef HOST_SCHED_H
#define HOST_SCHED_H

#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/sched.h>

extern stime_t host_time;
extern stime_t host_timer[MAX_CPUS]; /* what each CPU's timer is programmed for */
extern unsigned int host_ipis[MAX_CPUS];
extern void (*host_on_ipi)(void); /* called where one is sent, perhaps with a run queue's lock */
extern unsigned long
	host_spent; /* frames that a test leaves in use, and the next ones do without */
extern unsigned int host_guest_frames; /* mapped for the hypervisor now */

#define HOST_BAD_ADDRESS 0xbadUL /* where no grant can be mapped */

/* Set when arch_poweroff() or arch_reboot() was called; they then jump back to host_run(). */
enum host_end { HOST_UP, HOST_OFF_GOOD, HOST_OFF_BAD, HOST_REBOOT };
extern enum host_end host_end;

/*
 * Memory that is translated for domains, if a test wants any (host_translated.h); NULL: they have none. Each as the function of tine/arch.h or arch_fork.h with a
 * like name.
 */
struct p2m;
struct host_memory {
	int (*create)(struct domain *d);
	int (*destroy)(struct domain *d);
	int (*fork)(struct domain *child, struct domain *parent);
	int (*checkpoint)(struct domain *child);
	int (*reset)(struct domain *child);
	int (*map)(struct domain *d, unsigned long frame, struct page **pg);
	void (*unmap)(struct page *pg);
	struct p2m *(*p2m)(const struct domain *d);
};
extern const struct host_memory *host_memory;

/* NR CPUs that run nothing, and a heap of 64 MiB, the same one for all tests of a program. */
void host_sched_start(unsigned int nr);

/*
 * Ends what domains there are. Fails the test when anything of them is left: one that is listed,
 * runs, or has not given back its memory.
 */
void host_sched_stop(void);

/* Takes the part of CPU. */
void host_be(unsigned int cpu);

/* Lets every CPU run its softirqs until none has any. */
void host_settle(void);

/* Moves the clock to WHEN in steps, with timer interrupts where they are due. */
void host_run_until(stime_t when);

#endif
