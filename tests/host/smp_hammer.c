// SPDX-License-Identifier: GPL-2.0-or-later
/* See smp_hammer.h. Each thread has its own numbers and its own books; only the heap is shared. */
#include "smp_hammer.h"
#include "host_machine.h"
#include "ref_blocks.h"
#include <pthread.h>
#include <stdio.h>
#include <tine/cpu.h>
#include <tine/errno.h>
#include <tine/numa.h>
#include <asm/irqflags.h>

#define USERS 4
#define SCRUBBERS 2
#define MOST_HELD 600
#define MARK 0x5ec2e70000000000UL /* with the CPU and a count in its low bits */

struct worker {
	pthread_t thread;
	unsigned int cpu;
	u64 random;
	double until;
	unsigned long operations, failed, wrong, count;
	unsigned int nr_held;
	struct {
		mfn_t mfn;
		unsigned int order;
		u64 mark;
	} held[MOST_HELD];
};

static struct worker workers[USERS + SCRUBBERS + 1];

static unsigned long pick(struct worker *w, unsigned long n)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return (w->random >> 11) % n;
}

static u64 *last_word(mfn_t mfn)
{
	return (u64 *)mfn_to_virt(mfn) + 511;
}

static void allocate(struct worker *w)
{
	unsigned int order = (unsigned int)pick(w, pick(w, 20) ? 4 : 11);
	unsigned int flags = pick(w, 2) ? HEAP_DIRTY_OK : 0;
	mfn_t mfn = heap_alloc(order, (nodeid_t)pick(w, 2), pick(w, 4) ? 0 : 26, flags);
	u64 mark = MARK | (u64)w->cpu << 32 | (u32)++w->count;

	if (mfn_eq(mfn, INVALID_MFN)) {
		w->failed++;
		return;
	}
	for (unsigned long i = 0; i < 1UL << order; i++) {
		u64 *word = last_word(mfn_add(mfn, i));

		w->wrong += !(flags & HEAP_DIRTY_OK) && (*word & MARK) == MARK;
		*word = mark;
	}
	w->held[w->nr_held].mfn = mfn;
	w->held[w->nr_held].order = order;
	w->held[w->nr_held++].mark = mark;
}

static void release(struct worker *w)
{
	unsigned int at = (unsigned int)pick(w, w->nr_held), order = w->held[at].order;
	mfn_t mfn = w->held[at].mfn;
	bool wipe = !pick(w, 3);

	for (unsigned long i = 0; i < 1UL << order; i++) {
		u64 *word = last_word(mfn_add(mfn, i));

		w->wrong += *word != w->held[at].mark;
		if (wipe)
			*word = 0;
	}
	w->held[at] = w->held[--w->nr_held];
	if (order && !pick(w, 4)) { /* in halves */
		heap_free(mfn_add(mfn, 1UL << (order - 1)), order - 1, !wipe);
		order--;
	}
	heap_free(mfn, order, !wipe);
}

static void *user(void *arg)
{
	struct worker *w = arg;

	host_cpu = w->cpu;
	host_chaos = (unsigned int)w->random | 1;
	while (machine_now() < w->until) {
		unsigned long grow = pick(w, 100);

		for (unsigned int i = 0; i < 500; i++, w->operations++) {
			if (w->nr_held < MOST_HELD && pick(w, 100) < grow)
				allocate(w);
			else if (w->nr_held)
				release(w);
		}
	}
	while (w->nr_held)
		release(w);
	return NULL;
}

static void *scrubber(void *arg)
{
	struct worker *w = arg;

	host_cpu = w->cpu;
	host_chaos = (unsigned int)w->random | 1;
	while (machine_now() < w->until)
		w->operations += heap_scrub_idle();
	return NULL;
}

static void *offliner(void *arg)
{
	struct worker *w = arg;

	host_cpu = w->cpu;
	host_chaos = (unsigned int)w->random | 1;
	while (machine_now() < w->until) {
		mfn_t mfn = _mfn(0x100 + pick(w, 0x3000));
		int rc = heap_offline(mfn);

		(void)page_of_guest_mfn(mfn_x(mfn));
		for (unsigned long i = pick(w, 3000); i > 0; i--)
			barrier();
		if (rc == 0 || rc == -EBUSY)
			w->wrong += heap_online(mfn) != 0;
		w->operations++;
	}
	return NULL;
}

static void start(unsigned int i, void *(*fn)(void *), double seconds)
{
	workers[i] =
		(struct worker){ .cpu = i, .random = rnd() | 1, .until = machine_now() + seconds };
	pthread_create(&workers[i].thread, NULL, fn, &workers[i]);
}

/* Two nodes, 48 MiB: little enough for the users to exhaust it now and then. */
static void boot(void)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(MiB(1), MiB(49));
	machine_node(0, 0, MiB(21) + 0x5000);
	machine_node(1, MiB(21) + 0x5000, MiB(64));
	machine_boot_heap("bootscrub=idle", 0, &stats);
}

unsigned long smp_hammer(double seconds)
{
	static struct ref_set before, after;
	unsigned long wrong = 0, operations = 0, failed = 0, n = 0;

	boot();
	ref_actual(&before);
	for (; n < USERS; n++)
		start((unsigned int)n, user, seconds);
	for (; n < USERS + SCRUBBERS; n++)
		start((unsigned int)n, scrubber, seconds);
	start((unsigned int)n++, offliner, seconds);
	for (unsigned int i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		wrong += workers[i].wrong;
		operations += i < USERS ? workers[i].operations : 0;
		failed += workers[i].failed;
	}
	wrong += heap_check();
	ref_actual(&after);
	ref_assert_equal(&before, &after, "all given back");
	printf("# %lu operations, %lu allocations failed, %lu steps of scrubbing, %lu offlinings\n",
	       operations, failed, workers[USERS].operations + workers[USERS + 1].operations,
	       workers[n - 1].operations);
	return wrong;
}
