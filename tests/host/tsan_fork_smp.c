// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks that run on several CPUs at once, with the thread sanitizer watching: each thread has a fork of one parent, writes to it, reads, resets it, goes on with
 * a fork of the fork, and checks every word. They meet in the tables and frames that all of them share, and who is the last there changes all the time.
 */
#include "host_machine.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <asm/percpu.h>
#include <tine/errno.h>
#include <tine/fork.h>

#define FRAMES (1UL << 18)
#define CPUS 4
#define MARKS 96
#define ROUNDS 120
#define COW 0xff

struct guest {
	struct p2m p2m;
	u16 id;
	u64 marks[MARKS], origin[MARKS];
};

static u8 owner[FRAMES]; /* 1 + CPU, or COW; p2m_frame_lock() where the frame is mapped */
static struct guest parent;
static unsigned long writes, resets, forks;

static __thread u64 chance;

static unsigned int below(unsigned int n)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return (unsigned int)((chance >> 20) % n);
}

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "CPU %u: %s\n", host_cpu, what);
	abort();
}

/* A frame as a domain has it, without a domain: its memory goes back when nothing maps it. */
static u8 id_of(const struct domain *d)
{
	return (u8)((const struct guest *)d)->id;
}

/* Two domains of one thread follow each other, so an owner is not always alive; nobody but COW and itself matters. */
static int frames_alloc(struct domain *d, unsigned int order, bool overwritten, mfn_t *out)
{
	*out = heap_alloc(order, 0, 0, overwritten ? HEAP_DIRTY_OK : 0);
	if (mfn_eq(*out, INVALID_MFN))
		return -ENOMEM;
	for (unsigned long i = 0; i < BIT(order); i++) {
		__atomic_store_n(&owner[mfn_x(*out) + i], id_of(d), __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&mfn_to_page(mfn_add(*out, i))->count_info,
					 PAGE_MAPPED + 1, __ATOMIC_RELAXED);
	}
	return 0;
}

static void frames_put(struct domain *d, mfn_t mfn, unsigned int order)
{
	for (unsigned long i = 0; i < BIT(order); i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		must((__atomic_fetch_sub(&pg->count_info, 1, __ATOMIC_ACQ_REL) & PAGE_COUNT_MASK) ==
			     1,
		     "a frame had not one reference");
	}
	heap_free(mfn, order, true);
}

static void frames_leave(struct domain *d, mfn_t mfn)
{
	if (owner[mfn_x(mfn)] == id_of(d))
		__atomic_store_n(&owner[mfn_x(mfn)], COW, __ATOMIC_RELAXED);
}

static bool frames_owns(const struct domain *d, mfn_t mfn)
{
	return __atomic_load_n(&owner[mfn_x(mfn)], __ATOMIC_RELAXED) == id_of(d);
}

static int frames_adopt(struct domain *d, mfn_t mfn)
{
	__atomic_store_n(&owner[mfn_x(mfn)], id_of(d), __ATOMIC_RELAXED);
	return 0;
}

static bool frames_keeps(const struct domain *d, mfn_t mfn)
{
	return false;
}

static const struct p2m_frames frames = {
	.alloc = frames_alloc,
	.put = frames_put,
	.free = frames_put,
	.leave = frames_leave,
	.owns = frames_owns,
	.adopt = frames_adopt,
	.keeps = frames_keeps,
};

void arch_p2m_flush(struct p2m *p2m)
{
}

/* A frame's struct is looked at for a block that it may begin, whatever else it is just becoming: the flag tells, and is only then relied on. */
const char *__tsan_default_suppressions(void)
{
	return "race:large_count\n";
}

static gfn_t gfn_of(unsigned int mark)
{
	return mark % 2 ? _gfn(mark * 170) : _gfn(BIT(18) + 3 + mark);
}

static u64 *word_of(struct guest *g, unsigned int mark)
{
	mfn_t mfn;

	must(!p2m_hold(&g->p2m, gfn_of(mark), false, &mfn), "a page is gone");
	(void)__atomic_fetch_sub(&mfn_to_page(mfn)->count_info, 1, __ATOMIC_RELEASE);
	return (u64 *)mfn_to_virt(mfn) + 9;
}

static void write_mark(struct guest *g, unsigned int mark)
{
	must(!p2m_fault(&g->p2m, gfn_of(mark), true), "no memory");
	must(*word_of(g, mark) == g->marks[mark], "another's word, at a write");
	g->marks[mark] = (u64)host_cpu << 56 | __atomic_add_fetch(&writes, 1, __ATOMIC_RELAXED);
	*word_of(g, mark) = g->marks[mark];
}

static void read_mark(struct guest *g, unsigned int mark)
{
	must(!p2m_fault(&g->p2m, gfn_of(mark), false), "a page is gone");
	must(*word_of(g, mark) == g->marks[mark], "another's word");
}

static struct guest *fork_of(struct guest *from, u16 id)
{
	struct guest *g = calloc(1, sizeof(*g));

	g->id = id;
	must(!p2m_init(&g->p2m, (struct domain *)g, from->p2m.codec, &frames), "no memory");
	must(!p2m_fork(&g->p2m, &from->p2m) && !p2m_checkpoint(&g->p2m), "no fork");
	memcpy(g->marks, from->marks, sizeof(g->marks));
	memcpy(g->origin, from->marks, sizeof(g->marks));
	__atomic_fetch_add(&forks, 1, __ATOMIC_RELAXED);
	return g;
}

static void end(struct guest *g)
{
	must(!p2m_destroy(&g->p2m), "it does not end");
	if (g != &parent)
		free(g);
}

static void reset(struct guest *g)
{
	must(!p2m_reset(&g->p2m), "no reset");
	memcpy(g->marks, g->origin, sizeof(g->marks));
	__atomic_fetch_add(&resets, 1, __ATOMIC_RELAXED);
}

/* It goes on as a fork of itself. */
static struct guest *move_on(struct guest *g)
{
	struct guest *next = fork_of(g, g->id);

	if (below(2))
		write_mark(g, below(MARKS));
	end(g);
	return next;
}

static struct guest *starts[CPUS];

static void *cpu(void *arg)
{
	struct guest *g = arg;

	host_cpu = g->id - 1U;
	chance = 88172645463325252UL * g->id;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (unsigned int i = 0; i < 24; i++)
			(below(3) ? write_mark : read_mark)(g, below(MARKS));
		if (!below(3))
			reset(g);
		if (!below(4))
			g = move_on(g);
	}
	for (unsigned int i = 0; i < MARKS; i++)
		read_mark(g, i);
	end(g);
	return NULL;
}

static void together(const struct p2m_codec *codec)
{
	unsigned long before = heap_free_total();
	pthread_t threads[CPUS];

	memset(&parent, 0, sizeof(parent));
	parent.id = CPUS + 1;
	must(!p2m_init(&parent.p2m, (struct domain *)&parent, codec, &frames), "no memory");
	must(!p2m_populate(&parent.p2m, _gfn(0), 32 << 9), "no memory");
	must(!p2m_populate(&parent.p2m, _gfn(BIT(18) + 3), 100), "no memory");
	for (unsigned int i = 0; i < MARKS; i++)
		*word_of(&parent, i) = parent.marks[i] = i + 1;
	for (unsigned int i = 0; i < CPUS; i++)
		starts[i] = fork_of(&parent, (u16)(i + 1));
	end(&parent);
	for (unsigned int i = 0; i < CPUS; i++)
		must(!pthread_create(&threads[i], NULL, cpu, starts[i]), "no thread");
	for (unsigned int i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	must(heap_free_total() == before && !p2m_tables_in_use() && !heap_check(),
	     "memory is missing");
}

int main(void)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(0, FRAMES << PAGE_SHIFT);
	machine_boot_heap("bootscrub=off", 0, &stats);
	together(&svm_npt_codec);
	together(&stage2_codec);
	printf("# %lu writes, %lu forks, %lu resets\n", writes, forks, resets);
	return 0;
}
