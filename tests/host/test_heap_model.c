// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heap against a model that knows one byte a frame: millions of random allocations, frees of wholes and parts,
 * offlinings and scrubbing steps on several machines. Every answer is checked against the model, and again and again
 * all lists against the reference in ref_blocks.h. Owners write a secret into their frames; nobody who asked for clean memory may find one.
 */
#include "host_machine.h"
#include "host_log.h"
#include "ref_blocks.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/cpu.h>
#include <tine/errno.h>
#include <tine/numa.h>

#define SECRET 0x5ec2e7a11c0ffeeeUL
#define MOST_MODEL_FRAMES (1UL << 20)
#define MOST_HELD 200000

enum state { NOT_OURS, FREE, USED, OFFLINE };

struct frame {
	u8 state;
	bool leaving; /* used, goes offline when freed */
	bool secret;  /* may hold what an owner wrote, be he gone or not */
	nodeid_t node;
};

struct held {
	mfn_t mfn;
	unsigned int order;
};

static struct frame frames[MOST_MODEL_FRAMES];
static struct held held[MOST_HELD];
static unsigned long nr_frames, nr_held, nr_free, nr_offline;
static unsigned long operations, allocations, failures, fallbacks;
static unsigned int largest; /* order that is asked for often */
static struct ref_set expected, actual, at_start;

/* ---- The model ---- */

static void note_block(const struct heap_block *b, void *arg)
{
	for (unsigned long i = 0; i < 1UL << b->order; i++) {
		struct frame *f = &frames[mfn_x(b->mfn) + i];

		assert_int_equal(f->state, NOT_OURS);
		*f = (struct frame){ FREE, false, false, numa_node_of(mfn_add(b->mfn, i)) };
		assert_int_equal(f->node, b->node);
	}
	nr_free += 1UL << b->order;
}

static void model_start(void)
{
	nr_frames = mfn_x(bootmem_end_of_ram());
	assert_true(nr_frames <= MOST_MODEL_FRAMES);
	memset(frames, 0, sizeof(frames));
	nr_held = nr_free = nr_offline = 0;
	heap_for_each_block(note_block, NULL);
	ref_actual(&at_start);
}

static void model_ranges(struct ref_set *out)
{
	static struct mfn_range ranges[MOST_MODEL_FRAMES / 2];
	unsigned int n = 0;

	for (unsigned long i = 0; i < nr_frames; i++) {
		if (frames[i].state != FREE)
			continue;
		if (n && mfn_x(ranges[n - 1].end) == i)
			ranges[n - 1].end = _mfn(i + 1);
		else
			ranges[n++] = (struct mfn_range){ _mfn(i), _mfn(i + 1) };
	}
	ref_expect(out, ranges, n, numa_node_of, numa_range_end);
}

static void check_all(void)
{
	unsigned long offline = 0;

	if (heap_check())
		fail_msg("after %lu operations:\n%s", operations, host_log_text());
	assert_int_equal(heap_free_total(), nr_free);
	model_ranges(&expected);
	ref_actual(&actual);
	ref_assert_equal(&expected, &actual, "lists against the model");
	for (unsigned int id = 0; id < numa_nr_nodes(); id++) {
		struct heap_node_stats s;

		heap_node_stats((nodeid_t)id, &s);
		offline += s.offline_pages;
		assert_true(s.dirty_pages <= s.free_pages && s.free_pages <= s.total_pages);
	}
	assert_int_equal(offline, nr_offline);
	host_log_clear();
}

static unsigned long first_frame_beyond(unsigned int bits)
{
	return bits == 0 || bits >= 52 ? nr_frames
	       : bits < 12             ? 0
				       : min(nr_frames, 1UL << (bits - 12));
}

/* Is there an aligned run of free frames on NODE? */
static bool model_has(unsigned int order, nodeid_t node, unsigned int bits)
{
	unsigned long size = 1UL << order, limit = first_frame_beyond(bits);

	for (unsigned long at = 0; at + size <= limit; at += size) {
		unsigned long i = 0;

		while (i < size && frames[at + i].state == FREE && frames[at + i].node == node)
			i++;
		if (i == size)
			return true;
	}
	return false;
}

/* ---- Operations ---- */

static u64 *word(mfn_t mfn, unsigned int at)
{
	return (u64 *)mfn_to_virt(mfn) + at;
}

static void check_contents(mfn_t mfn, unsigned int flags)
{
	if (!(flags & HEAP_DIRTY_OK)) {
		assert_true(*word(mfn, 0) != SECRET);
		assert_true(*word(mfn, 511) != SECRET);
	}
	if (flags & HEAP_ZERO) {
		assert_int_equal(*word(mfn, 0), 0);
		assert_int_equal(*word(mfn, rnd_below(512)), 0);
	}
}

static void take(mfn_t mfn, unsigned int order, unsigned int flags)
{
	bool write = order <= 6 ? rnd_below(4) : false;

	for (unsigned long i = 0; i < 1UL << order; i++) {
		struct frame *f = &frames[mfn_x(mfn) + i];

		if (f->state != FREE)
			fail_msg("frame %lx was given out in state %u", mfn_x(mfn) + i, f->state);
		f->state = USED;
		if (write || order <= 6 || flags != HEAP_DIRTY_OK)
			f->secret = write; /* else: who took it dirty left it as it was */
		if (order <= 6 || i == 0)
			check_contents(mfn_add(mfn, i), flags);
		if (write)
			*word(mfn_add(mfn, i), 0) = *word(mfn_add(mfn, i), 511) = SECRET;
		else if (order <= 6) /* not dirty means: nothing of anybody's is in it */
			*word(mfn_add(mfn, i), 0) = *word(mfn_add(mfn, i), 511) = 1;
	}
	nr_free -= 1UL << order;
	held[nr_held++] = (struct held){ mfn, order };
}

/* No node nearer than FOUND (NUMA_NO_NODE: none at all) has what was asked for. */
static void check_preference(unsigned int order, nodeid_t node, unsigned int bits,
			     unsigned int flags, nodeid_t found)
{
	unsigned int tries = flags & HEAP_EXACT_NODE ? 1 : numa_nr_nodes();

	for (unsigned int i = 0; i < tries; i++) {
		nodeid_t n = numa_fallback(node, i);

		if (n == found)
			return;
		if (model_has(order, n, bits))
			fail_msg("order %u bits %u from node %u: %u was passed over", order, bits,
				 node, n);
	}
	assert_int_equal(found, NUMA_NO_NODE);
}

static void do_alloc(void)
{
	static const unsigned int flag_sets[] = { 0, 0, HEAP_DIRTY_OK, HEAP_ZERO,
						  HEAP_DIRTY_OK | HEAP_ZERO };
	unsigned int flags = flag_sets[rnd_below(5)] | (rnd_below(4) ? 0 : HEAP_EXACT_NODE);
	unsigned int order = min((unsigned int)__builtin_ctzl(rnd() | BIT(20)), largest);
	unsigned int bits = rnd_below(3) ? 0 : 8 + (unsigned int)rnd_below(48);
	nodeid_t node = rnd_below(3) ? (nodeid_t)rnd_below(numa_nr_nodes()) : NUMA_NO_NODE;
	nodeid_t wanted = node == NUMA_NO_NODE ? 0 : node;
	mfn_t mfn;

	if (!rnd_below(200))
		order = (unsigned int)rnd_below(22);
	if (order > 10)
		flags = (flags & HEAP_EXACT_NODE) | HEAP_DIRTY_OK;
	if (nr_held == MOST_HELD)
		return;
	mfn = heap_alloc(order, node, bits, flags);
	allocations++;
	if (mfn_eq(mfn, INVALID_MFN)) {
		failures++;
		if (order <= HEAP_MAX_ORDER)
			check_preference(order, wanted, bits, flags, NUMA_NO_NODE);
		return;
	}
	assert_true(IS_ALIGNED(mfn_x(mfn), 1UL << order));
	assert_true(mfn_x(mfn) + (1UL << order) <= first_frame_beyond(bits));
	if (frames[mfn_x(mfn)].node != wanted) {
		fallbacks++;
		check_preference(order, wanted, bits, flags, frames[mfn_x(mfn)].node);
	}
	take(mfn, order, flags & ~(unsigned int)HEAP_EXACT_NODE);
}

static void give_back(mfn_t mfn, unsigned int order)
{
	bool dirty = order <= 10 && !rnd_below(3);

	for (unsigned long i = 0; i < 1UL << order; i++) {
		struct frame *f = &frames[mfn_x(mfn) + i];

		dirty |= f->secret;
		f->state = f->leaving ? OFFLINE : FREE;
		nr_offline += f->leaving;
		nr_free += !f->leaving;
		f->leaving = false;
	}
	heap_free(mfn, order, dirty);
}

/* The whole of what somebody holds, or some aligned part of it; he keeps the rest. */
static void do_free(void)
{
	unsigned long i;
	struct held h;

	if (!nr_held)
		return;
	i = rnd_below(nr_held);
	h = held[i];
	held[i] = held[--nr_held];
	while (h.order && !rnd_below(4) && nr_held + 1 < MOST_HELD) {
		struct held half = { h.mfn, --h.order };

		if (rnd_below(2))
			h.mfn = mfn_add(h.mfn, 1UL << h.order);
		else
			half.mfn = mfn_add(half.mfn, 1UL << h.order);
		held[nr_held++] = half;
	}
	give_back(h.mfn, h.order);
}

static void do_offline(void)
{
	unsigned long i = rnd_below(nr_frames);
	struct frame *f = &frames[i];
	int rc = heap_offline(_mfn(i));

	switch (f->state) {
	case NOT_OURS:
		assert_int_equal(rc, -EINVAL);
		break;
	case USED:
		assert_int_equal(rc, -EBUSY);
		f->leaving = true;
		break;
	case FREE:
		f->state = OFFLINE;
		nr_offline++;
		nr_free--;
		/* fall through */
	default:
		assert_int_equal(rc, 0);
	}
}

static void go_online(unsigned long i)
{
	struct frame *f = &frames[i];
	int rc = heap_online(_mfn(i));

	if (f->state == OFFLINE) {
		f->state = FREE;
		nr_offline--;
		nr_free++;
		assert_int_equal(rc, 0);
	} else if (f->state == USED && f->leaving) {
		f->leaving = false;
		assert_int_equal(rc, 0);
	} else {
		assert_int_equal(rc, -EINVAL);
	}
}

/* Frames that are off are rare: look for one. */
static void do_online(void)
{
	unsigned long i = rnd_below(nr_frames), n = 0;

	while (n++ < 4096 && frames[i].state != OFFLINE)
		i = (i + 1) % nr_frames;
	go_online(i);
}

static void do_something(unsigned int pressure)
{
	unsigned long dice = rnd_below(1000);

	operations++;
	host_cpu = (unsigned int)rnd_below(4);
	if (dice < 6)
		do_offline();
	else if (dice < 12)
		do_online();
	else if (dice < 60)
		(void)heap_scrub_idle();
	else if (rnd_below(100) < pressure)
		do_alloc();
	else
		do_free();
}

/* ---- Runs ---- */

static void end_as_it_began(void)
{
	while (nr_held) {
		nr_held--;
		give_back(held[nr_held].mfn, held[nr_held].order);
	}
	for (unsigned long i = 0; i < nr_frames; i++)
		if (frames[i].state == OFFLINE)
			go_online(i);
	check_all();
	ref_assert_equal(&at_start, &actual, "all given back");
}

static void run_machine(const char *options, double seconds)
{
	unsigned long since_check = 0, checks = 1;
	double start = machine_now();
	struct heap_init_stats stats;

	machine_boot_heap(options, 0, &stats);
	model_start();
	do {
		unsigned int pressure =
			10 + (unsigned int)rnd_below(80); /* per cent of allocations */
		unsigned long n = 1000 + rnd_below(20000);

		largest = rnd_below(3) ? (unsigned int)rnd_below(19) : (unsigned int)rnd_below(4);
		for (since_check += n; n--;)
			do_something(pressure);
		if (since_check > nr_frames / 4) {
			check_all();
			since_check = 0;
			checks++;
		}
	} while (machine_now() - start < seconds);
	end_as_it_began();
	printf("# %s: %lu operations so far, %lu allocations (%lu failed, %lu from afar), %lu full "
	       "checks\n",
	       options, operations, allocations, failures, fallbacks, checks);
}

static const char *random_options(void)
{
	static char text[80];
	static const char *const strategies[] = { "lazy", "lazy", "chunk", "page" };
	static const char *const scrub[] = { "off", "idle" };

	snprintf(text, sizeof(text), "heap-init=%s bootscrub=%s", strategies[rnd_below(4)],
		 scrub[rnd_below(2)]);
	return text;
}

/* Three nodes in slices of all sizes, and a fourth that has every page whose number is a multiple of 1000. */
static void interleaved(void **state)
{
	u64 at = 0;

	machine_new();
	machine_ram(0x1000, 0x9f000);
	machine_ram(MiB(1), MiB(90) + 0x7000);
	for (unsigned int i = 0; at < MiB(90) && i < 200; i++) {
		u64 size = (1 + rnd_below(rnd_below(2) ? 8 : 900)) << PAGE_SHIFT;

		machine_node(rnd_below(8) ? i % 3 : 3, at, at + size);
		at += size;
	}
	machine_node(2, at, GiB(1));
	run_machine(random_options(), machine_seconds(18) / 3);
}

static void holes_and_islands(void **state)
{
	machine_new();
	for (u64 at = 0; at < MiB(64); at += (1 + rnd_below(600)) << PAGE_SHIFT) {
		u64 end = at + ((1 + rnd_below(1200)) << PAGE_SHIFT);

		machine_ram(at, end);
		at = end;
	}
	machine_ram(MiB(64), MiB(80));
	machine_node(7, 0, MiB(35) + 0x3000);
	machine_node(4, MiB(35) + 0x3000, MiB(200));
	run_machine(random_options(), machine_seconds(18) / 3);
}

static void blocks_of_a_gigabyte(void **state)
{
	machine_new();
	machine_ram(MiB(1), MiB(3));
	machine_ram(GiB(1) - MiB(5), GiB(3) + MiB(11));
	machine_node(0, 0, GiB(2));
	machine_node(1, GiB(2), GiB(8));
	run_machine(rnd_below(4) ? "bootscrub=off" : "bootscrub=off heap-init=chunk",
		    machine_seconds(18) / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interleaved),
		cmocka_unit_test(holes_and_islands),
		cmocka_unit_test(blocks_of_a_gigabyte),
	};

	machine_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
