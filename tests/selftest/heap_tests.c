// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heap on the real machine: drained and refilled, used by all CPUs at once, its placement, its scrubbing. Frames that a
 * test holds are linked through their structs, so no test needs memory of its own. On a large machine the drains
 * confine themselves to addresses below 1 GiB.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/selftest.h>
#include <tine/string.h>
#include <tine/time.h>

#define SMALL_MACHINE (GiB(1) >> PAGE_SHIFT)
#define SECRET 0x5ec2e7a11c0ffeeeUL

/* Frames that a test holds, the last taken first. */
struct stack {
	u32 top;
	unsigned long count;
};

static void push(struct stack *stack, mfn_t mfn)
{
	mfn_to_page(mfn)->next = stack->top;
	stack->top = (u32)mfn_x(mfn);
	stack->count++;
}

static mfn_t pop(struct stack *stack)
{
	mfn_t mfn = _mfn(stack->top);

	stack->top = mfn_to_page(mfn)->next;
	stack->count--;
	return mfn;
}

/* All there is that suits; each frame holds its own number. */
static void drain(struct stack *stack, nodeid_t node, unsigned int bits, unsigned int flags)
{
	mfn_t mfn;

	while (!mfn_eq(mfn = heap_alloc(0, node, bits, flags | HEAP_DIRTY_OK), INVALID_MFN)) {
		*(unsigned long *)mfn_to_virt(mfn) = mfn_x(mfn);
		push(stack, mfn);
	}
}

/* Frees all, and returns how many frames no longer held their number: two owners had them. */
static unsigned long refill(struct stack *stack)
{
	unsigned long wrong = 0;

	while (stack->count) {
		mfn_t mfn = pop(stack);
		unsigned long *word = mfn_to_virt(mfn);

		wrong += *word != mfn_x(mfn);
		*word = 0;
		heap_free(mfn, 0, false);
	}
	return wrong;
}

/* The lists of all nodes as counts: what must be the same when all was given back. */
struct shape {
	unsigned long free[MAX_NUMA_NODES];
	unsigned long blocks[MAX_NUMA_NODES][HEAP_MAX_ORDER + 1];
};
static struct shape before, after;

static void take_shape(struct shape *shape)
{
	memset(shape, 0, sizeof(*shape));
	for (unsigned int i = 0; i < numa_nr_nodes(); i++) {
		struct heap_node_stats stats;

		heap_node_stats((nodeid_t)i, &stats);
		shape->free[i] = stats.free_pages;
		memcpy(shape->blocks[i], stats.free_blocks, sizeof(shape->blocks[i]));
	}
}

static bool shape_is_as_before(void)
{
	take_shape(&after);
	return !memcmp(&before, &after, sizeof(before));
}

SELFTEST(heap, is_consistent)
{
	EXPECT(heap_check() == 0);
}

/* Below 1 MiB all may be taken, and on arm64 RAM starts higher than some widths reach. */
static bool any_free_below(unsigned int width)
{
	for (unsigned int zone = 1; zone <= width - PAGE_SHIFT; zone++)
		for (nodeid_t node = 0; node < numa_nr_nodes(); node++)
			if (heap_zone_free(node, zone))
				return true;
	return false;
}

/* All of a small machine (0); else what is below 1 GiB, or the first power of two that has any. */
static unsigned int width_to_drain(void)
{
	unsigned int bits = 30;

	if (heap_free_total() <= SMALL_MACHINE)
		return 0;
	while (!any_free_below(bits))
		bits++;
	return bits;
}

SELFTEST(heap, drain_and_refill)
{
	struct stack stack = { PAGE_LINK_END, 0 };
	unsigned int bits = width_to_drain();
	unsigned long total = heap_free_total();

	take_shape(&before);
	drain(&stack, 0, bits, 0);
	EXPECT(stack.count > 0);
	EXPECT(heap_free_total() == total - stack.count);
	EXPECT(bits != 0 || heap_free_total() == 0);
	EXPECT(mfn_eq(heap_alloc(0, 0, bits, 0), INVALID_MFN));
	EXPECT(heap_check() == 0);
	EXPECT(refill(&stack) == 0);
	EXPECT(shape_is_as_before());
	EXPECT(heap_check() == 0);
}

/* ---- All CPUs at once ---- */

#define ROUNDS 4000
#define LONG_ENOUGH                                                                                \
	(2 *                                                                                       \
	 NSEC_PER_SEC) /* where CPUs are threads of a busy host, a lock may take long to come round */
#define HELD 48

static unsigned long wrong_on[MAX_CPUS];

static unsigned long next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 20;
}

/* Every CPU marks what it holds and finds its marks again; scrubs now and then. Gives all back at the end. */
static void hammer(void *arg)
{
	stime_t until = system_time() + LONG_ENOUGH;
	unsigned int cpu = smp_processor_id();
	struct {
		mfn_t mfn;
		unsigned int order;
	} held[HELD];
	u64 random = 0x9e3779b97f4a7c15UL * (cpu + 1), mark = SECRET ^ cpu;
	unsigned int n = 0;
	bool more = true;

	for (unsigned int round = 0; more || n; round++) {
		more = round < ROUNDS && system_time() < until;
		if (n < HELD && more && next_random(&random) % 2) {
			unsigned int order = next_random(&random) % 4;
			unsigned int flags = next_random(&random) % 2 ? HEAP_DIRTY_OK : 0;
			mfn_t mfn = heap_alloc(order, NUMA_NO_NODE, 0, flags);
			u64 *word;

			if (mfn_eq(mfn, INVALID_MFN))
				continue;
			word = mfn_to_virt(mfn);
			wrong_on[cpu] += !flags && (*word & ~63UL) == (SECRET & ~63UL);
			*word = mark;
			held[n].order = order;
			held[n++].mfn = mfn;
		} else if (n) {
			unsigned int at = next_random(&random) % n;

			wrong_on[cpu] += *(u64 *)mfn_to_virt(held[at].mfn) != mark;
			heap_free(held[at].mfn, held[at].order, true);
			held[at] = held[--n];
		}
		if (round % 16 == 0)
			(void)heap_scrub_idle();
	}
}

SELFTEST(heap, all_cpus_at_once)
{
	unsigned int cpu;

	take_shape(&before);
	memset(wrong_on, 0, sizeof(wrong_on));
	smp_call(&cpu_online_map, hammer, NULL);
	for_each_online_cpu (cpu)
		EXPECT(wrong_on[cpu] == 0);
	EXPECT(shape_is_as_before());
	EXPECT(heap_check() == 0);
}

/* ---- Placement ---- */

static bool node_has_memory(nodeid_t node)
{
	struct heap_node_stats stats;

	heap_node_stats(node, &stats);
	return stats.free_pages != 0;
}

/* The nearest node to NODE that has free memory. */
static nodeid_t expected_node(nodeid_t node)
{
	for (unsigned int i = 0; i < numa_nr_nodes(); i++) {
		if (node_has_memory(numa_fallback(node, i)))
			return numa_fallback(node, i);
	}
	return NUMA_NO_NODE;
}

static void check_placement(nodeid_t node)
{
	mfn_t exact = heap_alloc(0, node, 0, HEAP_EXACT_NODE | HEAP_DIRTY_OK);
	mfn_t near = heap_alloc(0, node, 0, HEAP_DIRTY_OK);

	EXPECT(mfn_eq(exact, INVALID_MFN) == !node_has_memory(node));
	REQUIRE(!mfn_eq(near, INVALID_MFN));
	EXPECT(numa_node_of(near) == expected_node(node));
	heap_free(near, 0, false);
	if (mfn_eq(exact, INVALID_MFN))
		return;
	EXPECT(numa_node_of(exact) == node);
	heap_free(exact, 0, false);
}

SELFTEST(heap, numa_placement)
{
	if (numa_nr_nodes() == 1)
		selftest_skip("one NUMA node");
	for (unsigned int i = 0; i < numa_nr_nodes(); i++)
		check_placement((nodeid_t)i);
}

static unsigned int nodes_with_memory(void)
{
	unsigned int count = 0;

	for (unsigned int node = 0; node < numa_nr_nodes(); node++)
		count += node_has_memory((nodeid_t)node);
	return count;
}

/* A node without memory left: its allocations go to its nearest neighbour that has some. */
SELFTEST(heap, numa_fallback)
{
	struct stack stack = { PAGE_LINK_END, 0 };
	unsigned int node = 0;
	struct heap_node_stats stats;

	for (; node < numa_nr_nodes(); node++) {
		heap_node_stats((nodeid_t)node, &stats);
		if (stats.free_pages && stats.free_pages <= SMALL_MACHINE)
			break;
	}
	if (nodes_with_memory() < 2 || node == numa_nr_nodes()) {
		selftest_skip("no small node beside another");
		return;
	}
	take_shape(&before);
	drain(&stack, (nodeid_t)node, 0, HEAP_EXACT_NODE);
	EXPECT(stack.count == stats.free_pages);
	check_placement((nodeid_t)node);
	EXPECT(refill(&stack) == 0);
	EXPECT(shape_is_as_before());
}

static bool local_on[MAX_CPUS];

static void allocate_locally(void *arg)
{
	unsigned int cpu = smp_processor_id();
	mfn_t mfn = heap_alloc(0, NUMA_NO_NODE, 0, HEAP_DIRTY_OK);

	local_on[cpu] = false;
	if (mfn_eq(mfn, INVALID_MFN))
		return;
	local_on[cpu] = numa_node_of(mfn) == expected_node(cpu_to_node(cpu));
	heap_free(mfn, 0, false);
}

SELFTEST(heap, each_cpu_gets_its_own_nodes)
{
	unsigned int cpu;

	smp_call(&cpu_online_map, allocate_locally, NULL);
	for_each_online_cpu (cpu)
		EXPECT(local_on[cpu]);
}

SELFTEST(heap, address_width)
{
	static const unsigned int widths[] = { 20, 24, 28, 32, 40 };

	for (unsigned int i = 0; i < ARRAY_SIZE(widths); i++) {
		mfn_t mfn = heap_alloc(0, 0, widths[i], HEAP_DIRTY_OK);

		if (mfn_eq(mfn, INVALID_MFN)) {
			EXPECT(!any_free_below(widths[i]));
			continue;
		}
		EXPECT(mfn_x(mfn) >> (widths[i] - PAGE_SHIFT) == 0);
		heap_free(mfn, 0, false);
	}
	EXPECT(mfn_eq(heap_alloc(0, 0, 12, 0), INVALID_MFN));
}

/* ---- Scrubbing, offlining, small objects ---- */

static bool page_holds_secret(mfn_t mfn)
{
	const u64 *word = mfn_to_virt(mfn);

	for (unsigned int i = 0; i < PAGE_SIZE / sizeof(*word); i++) {
		if (word[i] == SECRET)
			return true;
	}
	return false;
}

SELFTEST(heap, secrets_do_not_pass_on)
{
	struct stack stack = { PAGE_LINK_END, 0 };
	unsigned long seen = 0;

	for (unsigned int i = 0; i < 512; i++) {
		mfn_t mfn = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		u64 *word;

		REQUIRE(!mfn_eq(mfn, INVALID_MFN));
		word = mfn_to_virt(mfn);
		for (unsigned int k = 0; k < PAGE_SIZE / sizeof(*word); k++)
			word[k] = SECRET;
		push(&stack, mfn);
	}
	while (stack.count)
		heap_free(pop(&stack), 0, true);
	for (unsigned int i = 0; i < 1024; i++) {
		mfn_t mfn = heap_alloc(0, 0, 0, 0);

		REQUIRE(!mfn_eq(mfn, INVALID_MFN));
		seen += page_holds_secret(mfn);
		push(&stack, mfn);
	}
	EXPECT(seen == 0);
	while (stack.count)
		heap_free(pop(&stack), 0, false);
	EXPECT(heap_check() == 0);
}

static unsigned long dirty_pages(void)
{
	unsigned long dirty = 0;

	for (unsigned int i = 0; i < numa_nr_nodes(); i++) {
		struct heap_node_stats stats;

		heap_node_stats((nodeid_t)i, &stats);
		dirty += stats.dirty_pages;
	}
	return dirty;
}

SELFTEST(heap, idle_scrubbing_cleans)
{
	mfn_t mfn = heap_alloc(4, 0, 0, HEAP_DIRTY_OK);
	unsigned long dirty;

	REQUIRE(!mfn_eq(mfn, INVALID_MFN));
	heap_free(mfn, 4, true);
	dirty = dirty_pages();
	for (unsigned int steps = 0; steps < 200; steps++)
		(void)heap_scrub_idle();
	EXPECT(dirty == 0 || dirty_pages() < dirty);
	EXPECT(heap_check() == 0);
}

SELFTEST(heap, offlining)
{
	mfn_t mfn;

	take_shape(&before);
	mfn = heap_alloc(2, 0, 0, HEAP_DIRTY_OK);
	REQUIRE(!mfn_eq(mfn, INVALID_MFN));
	EXPECT(heap_offline(mfn_add(mfn, 1)) == -EBUSY);
	heap_free(mfn, 2, true);
	EXPECT(heap_offline(mfn_add(mfn, 1)) == 0); /* is already */
	EXPECT(heap_offline(mfn_add(mfn, 2)) == 0);
	EXPECT(heap_check() == 0);
	EXPECT(heap_online(mfn_add(mfn, 1)) == 0);
	EXPECT(heap_online(mfn_add(mfn, 2)) == 0);
	EXPECT(heap_online(mfn_add(mfn, 2)) == -EINVAL);
	EXPECT(heap_offline(_mfn(0)) == -EINVAL);
	EXPECT(shape_is_as_before());
	EXPECT(heap_check() == 0);
}

static unsigned long slab_wrong[MAX_CPUS];

static void use_objects(void *arg)
{
	unsigned int cpu = smp_processor_id();
	unsigned char *obj[32] = { NULL };
	stime_t until = system_time() + LONG_ENOUGH;
	u64 random = cpu + 77;

	for (unsigned int round = 0; round < ROUNDS && system_time() < until; round++) {
		unsigned int i = next_random(&random) % ARRAY_SIZE(obj);
		size_t size = 1 + next_random(&random) % 3000;

		if (obj[i]) {
			slab_wrong[cpu] += obj[i][0] != (unsigned char)(cpu + 1);
			kfree(obj[i]);
			obj[i] = NULL;
			continue;
		}
		obj[i] = kzalloc(size);
		if (!obj[i])
			continue;
		slab_wrong[cpu] += obj[i][0] || obj[i][size - 1];
		memset(obj[i], (int)cpu + 1, size);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(obj); i++)
		kfree(obj[i]);
}

SELFTEST(heap, small_objects_on_all_cpus)
{
	unsigned int cpu;

	memset(slab_wrong, 0, sizeof(slab_wrong));
	smp_call(&cpu_online_map, use_objects, NULL);
	for_each_online_cpu (cpu)
		EXPECT(slab_wrong[cpu] == 0);
	EXPECT(heap_check() == 0);
}
