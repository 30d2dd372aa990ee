// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The p2m against a naive model, a list of (frame, type) by gfn, with both codecs: random changes, splits, batches, filling, and memory
 * exhausted at every allocation in turn. A small TLB remembers translations as a CPU may: no frame may be given up while it has one.
 */
#include "host_machine.h"
#include "host_log.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/p2m.h>

#define BASE GiB(3)        /* where the model begins, in bytes */
#define WINDOW (2UL << 18) /* frames: two 1 GiB leaves */
#define FRAMES (6UL << 18) /* of the machine */
#define IO_MFN (FRAMES * 4)
#define TLB 64

static const struct p2m_codec *const codecs[] = { &svm_npt_codec, &stage2_codec };

static struct p2m p2m;
static struct model {
	u32 mfn;
	u8 type;
} model[WINDOW];
static u8 refs[FRAMES];                 /* references that trees have on each frame */
static unsigned long nr_refs, unmapped; /* all of them; those of frames that a test has in hand */
static struct {
	bool valid;
	u32 gfn, mfn;
} tlb[TLB];
static unsigned long flushes, flushes_locked; /* all; those while the tree is being changed */
static bool running;                          /* the guest may have translations */

static gfn_t gfn_of(unsigned long i)
{
	return _gfn((BASE >> PAGE_SHIFT) + i);
}

/* ---- Frames, and a CPU ---- */

/* As a caller of p2m_set() has them. */
static int frames_get(unsigned int order, mfn_t *out)
{
	*out = heap_alloc(order, 0, 0, HEAP_DIRTY_OK);
	if (mfn_eq(*out, INVALID_MFN))
		return -ENOMEM;
	for (unsigned long i = 0; i < BIT(order); i++)
		assert_int_equal(refs[mfn_x(*out) + i]++, 0);
	nr_refs += BIT(order);
	return 0;
}

static int frames_alloc(struct domain *d, unsigned int order, bool overwritten, mfn_t *out)
{
	int ret = frames_get(order, out);

	for (unsigned long i = 0; i < BIT(order) && !ret; i++)
		mfn_to_page(mfn_add(*out, i))->count_info |= PAGE_MAPPED;
	return ret;
}

static void frames_free(struct domain *d, mfn_t mfn, unsigned int order)
{
	for (unsigned long i = 0; i < BIT(order); i++)
		assert_int_equal(refs[mfn_x(mfn) + i]--, 1);
	nr_refs -= BIT(order);
	heap_free(mfn, order, true);
}

static void frames_put(struct domain *d, mfn_t mfn, unsigned int order)
{
	assert_false(IS_ENABLED(CONFIG_DEBUG_LOCKS) && spin_is_mine(&p2m.lock));
	for (unsigned int i = 0; running && i < TLB; i++)
		assert_false(tlb[i].valid && tlb[i].mfn >= mfn_x(mfn) &&
			     tlb[i].mfn < mfn_x(mfn) + BIT(order));
	frames_free(d, mfn, order);
}

/* There is one tree and one domain. */
static void frames_leave(struct domain *d, mfn_t mfn)
{
	fail_msg("frame %lx has nowhere to go", mfn_x(mfn));
}

static bool frames_owns(const struct domain *d, mfn_t mfn)
{
	return true;
}

static int frames_adopt(struct domain *d, mfn_t mfn)
{
	return 0;
}

static bool frames_keeps(const struct domain *d, mfn_t mfn)
{
	return false;
}

static const struct p2m_frames frames = {
	.alloc = frames_alloc,
	.put = frames_put,
	.free = frames_free,
	.leave = frames_leave,
	.owns = frames_owns,
	.adopt = frames_adopt,
	.keeps = frames_keeps,
};

void arch_p2m_flush(struct p2m *p)
{
	assert_ptr_equal(p, &p2m);
	memset(tlb, 0, sizeof(tlb));
	flushes++;
	flushes_locked += spin_is_mine(&p->lock);
}

/* The guest touches a page: what it finds may stay in the TLB. */
static void touch(unsigned long i)
{
	mfn_t mfn = p2m_lookup(&p2m, gfn_of(i), NULL, NULL);
	unsigned int at = (unsigned int)rnd_below(TLB);

	if (mfn_eq(mfn, INVALID_MFN))
		return;
	tlb[at].valid = true;
	tlb[at].gfn = (u32)i;
	tlb[at].mfn = (u32)mfn_x(mfn);
}

/* ---- The model ---- */

static void model_set(unsigned long i, unsigned int order, mfn_t mfn, enum p2m_type type)
{
	for (unsigned long n = 0; n < BIT(order); n++)
		model[i + n] = (struct model){ (u32)(mfn_x(mfn) + n), (u8)type };
}

static void model_clear(unsigned long i, unsigned int order)
{
	memset(&model[i], 0, sizeof(model[0]) << order);
}

static void check_fault(unsigned long i, enum p2m_type type)
{
	int write = type == P2M_HOLE ? -ENOENT : type == P2M_RO ? -EACCES : 0;

	assert_int_equal(p2m_fault(&p2m, gfn_of(i), true), write);
	assert_int_equal(p2m_fault(&p2m, gfn_of(i), false), type == P2M_HOLE ? -ENOENT : 0);
}

/* Nobody else has what is shared: who writes to it gets the whole leaf, but of 1 GiB, which becomes pieces. */
static void take_leaf(unsigned long i)
{
	enum p2m_type type;
	unsigned int order;

	(void)p2m_lookup(&p2m, gfn_of(i), &type, &order);
	if (type != P2M_SHARED || p2m_fault(&p2m, gfn_of(i), true))
		return;
	(void)p2m_lookup(&p2m, gfn_of(i), &type, &order);
	i &= ~(BIT(order) - 1);
	for (unsigned long n = i; n < i + BIT(order); n++)
		model[n].type = P2M_RAM;
}

static unsigned long check_leaf(unsigned long i)
{
	enum p2m_type type;
	unsigned int order;
	mfn_t mfn = p2m_lookup(&p2m, gfn_of(i), &type, &order);
	unsigned long end = ((i + BIT(order)) & ~(BIT(order) - 1));

	if (type != P2M_SHARED)
		check_fault(i, type);
	for (unsigned long n = i; n < end && n < WINDOW; n++) {
		if (model[n].type != type)
			fail_msg("gfn %lx: type %u, should be %u", n, type, model[n].type);
		if (type != P2M_HOLE && model[n].mfn != mfn_x(mfn) + n - i)
			fail_msg("gfn %lx: frame %lx, should be %x", n, mfn_x(mfn) + n - i,
				 model[n].mfn);
	}
	assert_true(type != P2M_HOLE || mfn_eq(mfn, INVALID_MFN));
	return end;
}

static void check_all(void)
{
	struct p2m_stats stats;
	unsigned long counted = 0;

	for (unsigned long i = 0; i < WINDOW;)
		i = check_leaf(i);
	for (unsigned long i = 0; i < WINDOW; i++) {
		if (model[i].type == P2M_HOLE || model[i].type == P2M_IO)
			continue;
		counted++;
		assert_int_equal(refs[model[i].mfn], 1);
	}
	assert_int_equal(counted + unmapped, nr_refs);
	assert_int_equal(p2m_check(&p2m, &stats), 0);
}

/* ---- Random changes ---- */

static unsigned int random_order(void)
{
	unsigned long n = rnd_below(400);

	return n == 0 ? 18 : n < 60 ? 9 : 0;
}

/* Mostly where others were before. */
static unsigned long random_place(unsigned int order)
{
	unsigned long i = rnd_below(2) ? rnd_below(WINDOW) : rnd_below(4096);

	return i & ~(BIT(order) - 1);
}

static int random_set(struct p2m_batch *b)
{
	static const enum p2m_type types[] = { P2M_RAM, P2M_RAM, P2M_RO, P2M_SHARED, P2M_IO };
	enum p2m_type type = types[rnd_below(ARRAY_SIZE(types))];
	unsigned int order = random_order();
	unsigned long i = random_place(order);
	mfn_t mfn = _mfn(IO_MFN + (rnd_below(64) << order));
	int ret;

	if (type != P2M_IO && frames_get(order, &mfn))
		return -ENOMEM;
	ret = b ? p2m_batch_set(b, gfn_of(i), mfn, order, type)
		: p2m_set(&p2m, gfn_of(i), mfn, order, type);
	if (!ret)
		model_set(i, order, mfn, type);
	else if (type != P2M_IO)
		frames_free(NULL, mfn, order);
	return ret;
}

static int random_clear(struct p2m_batch *b)
{
	unsigned int order = random_order();
	unsigned long i = random_place(order);
	int ret = b ? p2m_batch_clear(b, gfn_of(i), order) : p2m_clear(&p2m, gfn_of(i), order);

	if (!ret)
		model_clear(i, order);
	return ret;
}

static int random_batch(void)
{
	struct p2m_batch b;
	int ret = 0;

	p2m_begin(&b, &p2m);
	for (unsigned long n = rnd_below(300); n && !ret; n--)
		ret = rnd_below(2) ? random_set(&b) : random_clear(&b);
	p2m_end(&b);
	return ret;
}

static int random_populate(void)
{
	unsigned long i = random_place(0), count = 1 + rnd_below(rnd_below(50) ? 2000 : WINDOW);
	unsigned long n = 0;
	int ret;

	count = min(count, WINDOW - i);
	ret = p2m_populate(&p2m, gfn_of(i), count);
	for (; n < count && model[i + n].type == P2M_HOLE; n++) {
		enum p2m_type type;
		mfn_t mfn = p2m_lookup(&p2m, gfn_of(i + n), &type, NULL);

		if (ret == -ENOMEM && type == P2M_HOLE)
			return ret;
		assert_int_equal(type, P2M_RAM);
		model_set(i + n, 0, mfn, type);
	}
	if (ret != -ENOMEM)
		assert_int_equal(ret, n < count ? -EEXIST : 0);
	return ret == -EEXIST ? 0 : ret;
}

static int random_step(void)
{
	switch (rnd_below(40)) {
	case 0:
		return random_batch();
	case 1:
		return random_populate();
	default:
		return rnd_below(3) ? random_set(NULL) : random_clear(NULL);
	}
}

static void start(const struct p2m_codec *codec)
{
	memset(model, 0, sizeof(model));
	running = true;
	assert_int_equal(p2m_init(&p2m, NULL, codec, &frames), 0);
}

static void stop(unsigned long heap_before)
{
	running = false;
	memset(tlb, 0, sizeof(tlb));
	assert_int_equal(p2m_destroy(&p2m), 0);
	assert_int_equal(nr_refs, 0);
	assert_int_equal(heap_free_total(), heap_before);
	assert_int_equal(heap_check(), 0);
}

static void as_the_model_says(const struct p2m_codec *codec)
{
	unsigned long before = heap_free_total(), steps = 0, failed = 0;
	double end = machine_now() + machine_seconds(4);

	machine_seed();
	start(codec);
	for (; machine_now() < end; steps++) {
		failed += random_step() != 0;
		for (unsigned int i = 0; i < 8; i++)
			touch(random_place(0));
		take_leaf(random_place(0));
		check_leaf(random_place(0));
		if (steps % 2000 == 0)
			check_all();
	}
	check_all();
	stop(before);
	printf("# %lu steps, %lu out of memory, %lu flushes\n", steps, failed, flushes);
	assert_true(steps > 100 && failed < steps / 4);
}

static void nested_paging_as_the_model_says(void **state)
{
	as_the_model_says(&svm_npt_codec);
}

static void stage2_as_the_model_says(void **state)
{
	as_the_model_says(&stage2_codec);
}

/* ---- Memory runs out ---- */

static mfn_t hoard[FRAMES]; /* all that was free, as blocks of one frame */
static unsigned long hoarded;

static void take_all(void)
{
	for (hoarded = 0;; hoarded++) {
		hoard[hoarded] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		if (mfn_eq(hoard[hoarded], INVALID_MFN))
			return;
	}
}

static void give_back(unsigned long count)
{
	while (count-- && hoarded)
		heap_free(hoard[--hoarded], 0, true);
}

/* A change that needs NEED tables fails with fewer and changes nothing. */
static void short_by_some(unsigned long need, int (*fn)(mfn_t mfn), mfn_t mfn)
{
	for (unsigned long have = 0; have <= need; have++) {
		unsigned long was = flushes;

		take_all();
		give_back(have);
		assert_int_equal(heap_free_total(), have);
		assert_int_equal(fn(mfn), have < need ? -ENOMEM : 0);
		if (have < need) {
			assert_int_equal(heap_free_total(), have);
			assert_int_equal(flushes, was);
			check_all();
		}
		give_back(FRAMES);
	}
}

static int set_far(mfn_t mfn)
{
	return p2m_set(&p2m, gfn_of(3), mfn, 0, P2M_RAM);
}

static int set_inside_large(mfn_t mfn)
{
	return p2m_set(&p2m, gfn_of((1UL << 18) + 777), mfn, 0, P2M_RO);
}

static int clear_inside_2m(mfn_t mfn)
{
	return p2m_clear(&p2m, gfn_of((1UL << 18) + 1024 + 5), 0);
}

static void out_of_memory(void **state)
{
	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		unsigned long before = heap_free_total();
		mfn_t a, b;

		start(codecs[c]);
		assert_int_equal(frames_get(0, &a), 0);
		unmapped = 1;
		short_by_some(codecs[c]->levels - 1, set_far, a);
		unmapped = 0;
		model_set(3, 0, a, P2M_RAM);
		check_all();
		assert_int_equal(p2m_populate(&p2m, gfn_of(1UL << 18), 1UL << 18), 0);
		a = p2m_lookup(&p2m, gfn_of(1UL << 18), NULL, NULL);
		model_set(1UL << 18, 18, a, P2M_RAM);
		assert_int_equal(frames_get(0, &b), 0);
		unmapped = 1;
		short_by_some(2, set_inside_large, b);
		unmapped = 0;
		model_set((1UL << 18) + 777, 0, b, P2M_RO);
		check_all();
		short_by_some(1, clear_inside_2m, b);
		model_clear((1UL << 18) + 1024 + 5, 0);
		check_all();
		stop(before);
	}
}

/* Tables and frames compete for what is left: what was done stays, and nothing else. */
static void populate_without_enough(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned long have = 0; have < 40; have++) {
		unsigned long n = 0;
		int ret;

		start(&svm_npt_codec);
		take_all();
		give_back(have);
		ret = p2m_populate(&p2m, gfn_of(500), 30);
		for (; !mfn_eq(p2m_lookup(&p2m, gfn_of(500 + n), NULL, NULL), INVALID_MFN); n++)
			model_set(500 + n, 0, p2m_lookup(&p2m, gfn_of(500 + n), NULL, NULL),
				  P2M_RAM);
		/* Three tables for the first 12 pages, one more for the others. */
		assert_int_equal(n, have < 4 ? 0 : have < 16 ? have - 3 : min(have - 4, 30UL));
		assert_int_equal(ret, n < 30 ? -ENOMEM : 0);
		check_all();
		give_back(FRAMES);
		stop(before);
	}
}

/* ---- Sizes ---- */

static void expect_leaves(unsigned long small, unsigned long large, unsigned long huge,
			  unsigned long tables)
{
	struct p2m_stats stats;

	assert_int_equal(p2m_check(&p2m, &stats), 0);
	assert_int_equal(stats.leaves[0], small);
	assert_int_equal(stats.leaves[1], large);
	assert_int_equal(stats.leaves[2], huge);
	assert_int_equal(stats.tables, tables);
}

static void leaves_are_as_large_as_can_be(void **state)
{
	unsigned long before = heap_free_total();

	start(&svm_npt_codec);
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 1UL << 18), 0);
	expect_leaves(0, 0, 1, 2);
	assert_int_equal(p2m_populate(&p2m, _gfn(1UL << 20), (3UL << 9) + 2), 0);
	expect_leaves(2, 3, 1, 4);
	assert_int_equal(p2m_populate(&p2m, _gfn((1UL << 19) - 513), 513), 0);
	expect_leaves(3, 4, 1, 6);
	/* One page taken out of 1 GiB, and put back: splits stay, a piece at each level is missing. */
	assert_int_equal(p2m_clear(&p2m, _gfn(70000), 0), 0);
	expect_leaves(3 + 511, 4 + 511, 0, 8);
	assert_int_equal(p2m_populate(&p2m, _gfn(70000), 1), 0);
	expect_leaves(3 + 512, 4 + 511, 0, 8);
	/* Whole subtrees go at once, with their tables. */
	assert_int_equal(p2m_clear(&p2m, _gfn(0), 18), 0);
	expect_leaves(3, 4, 0, 6);
	stop(before);

	start(&svm_npt_codec);
	p2m.largest_order = 9;
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 1UL << 18), 0);
	expect_leaves(0, 512, 0, 3);
	stop(before);
}

static void empty_tables_leave(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		start(codecs[c]);
		assert_int_equal(p2m_populate(&p2m, _gfn(5), 1), 0);
		assert_int_equal(p2m_populate(&p2m, _gfn((1UL << 18) + 5), 2), 0);
		expect_leaves(3, 0, 0, codecs[c]->levels == 4 ? 6 : 5);
		assert_int_equal(p2m_clear(&p2m, _gfn((1UL << 18) + 5), 0), 0);
		expect_leaves(2, 0, 0, codecs[c]->levels == 4 ? 6 : 5);
		assert_int_equal(p2m_clear(&p2m, _gfn((1UL << 18) + 6), 0), 0);
		expect_leaves(1, 0, 0, codecs[c]->levels);
		assert_int_equal(p2m_clear(&p2m, _gfn(5), 0), 0);
		expect_leaves(0, 0, 0, 1);
		assert_int_equal(heap_free_total(), before - 1);
		stop(before);
	}
}

/* The heap has no large blocks: smaller leaves do. */
static void populate_from_pieces(void **state)
{
	unsigned long before = heap_free_total(), kept = 0;

	start(&svm_npt_codec);
	take_all();
	for (unsigned long i = 0; i < hoarded; i++) {
		unsigned long mfn = mfn_x(hoard[i]);

		/* Every second 2 MiB block goes back, until there are 8, and half of the next 2. */
		if (mfn >> 9 & 1 && mfn >> 10 < 10 && (mfn >> 10 < 8 || mfn & 256))
			heap_free(hoard[i], 0, true);
		else
			hoard[kept++] = hoard[i];
	}
	hoarded = kept;
	/* Of the 512 small frames three become tables: a page is missing for each of them. */
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 9UL << 9), -ENOMEM);
	expect_leaves(512 - 3, 8, 0, 4);
	give_back(FRAMES);
	stop(before);
}

/* Only a format that asks for it gets a hole and a flush between two translations. */
static void break_before_make(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		unsigned long was;

		start(codecs[c]);
		assert_int_equal(p2m_populate(&p2m, _gfn(0), 512), 0);
		was = flushes_locked;
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN), 0, P2M_IO), 0); /* a split */
		assert_int_equal(flushes_locked - was, codecs[c]->break_before_make);
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN + 1), 0, P2M_IO), 0);
		assert_int_equal(flushes_locked - was, 2 * codecs[c]->break_before_make);
		assert_int_equal(p2m_clear(&p2m, _gfn(7), 0), 0);
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN), 0, P2M_IO), 0);
		assert_int_equal(flushes_locked - was, 2 * codecs[c]->break_before_make);
		stop(before);
	}
}

/* A batch flushes once for all that fits in it; one that only adds does not. */
static void batches_flush_once(void **state)
{
	unsigned long before = heap_free_total(), was = flushes;
	struct p2m_batch b;

	start(&svm_npt_codec);
	p2m_begin(&b, &p2m);
	for (unsigned long i = 0; i < 100; i++)
		assert_int_equal(p2m_batch_set(&b, _gfn(i), _mfn(IO_MFN + i), 0, P2M_IO), 0);
	p2m_end(&b);
	assert_int_equal(flushes, was);
	p2m_begin(&b, &p2m);
	for (unsigned long i = 0; i < P2M_BATCH - 2 * codecs[0]->levels; i++)
		assert_int_equal(p2m_batch_clear(&b, _gfn(i), 0), 0);
	p2m_end(&b);
	assert_int_equal(flushes, was + 1);
	stop(before);
}

static void numbers_that_cannot_be(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		gfn_t beyond = _gfn(1UL << 9 * codecs[c]->levels);

		start(codecs[c]);
		assert_int_equal(p2m_set(&p2m, beyond, _mfn(512), 0, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(1), _mfn(512), 9, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(512), _mfn(1), 9, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(512), 1, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(0), 27, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(512), 0, P2M_HOLE), -EINVAL);
		assert_int_equal(p2m_clear(&p2m, beyond, 0), -EINVAL);
		assert_int_equal(p2m_populate(&p2m, gfn_add(beyond, ~0UL), 2), -EINVAL);
		assert_int_equal(p2m_populate(&p2m, _gfn(5), ~0UL), -EINVAL);
		assert_int_equal(p2m_fault(&p2m, beyond, false), -ENOENT);
		assert_true(mfn_eq(p2m_lookup(&p2m, INVALID_GFN, NULL, NULL), INVALID_MFN));
		check_all();
		stop(before);
	}
}

/* What every codec says of an entry is what it was told. */
static void codecs_round_trip(void **state)
{
	machine_seed();
	for (unsigned int n = 0; n < 100000; n++) {
		const struct p2m_codec *codec = codecs[rnd_below(ARRAY_SIZE(codecs))];
		unsigned int level = 1 + (unsigned int)rnd_below(3);
		struct p2m_entry e = { .table = level > 1 && rnd_below(2),
				       .writable = rnd_below(2),
				       .mfn = _mfn(rnd_below(1UL << 28) << 9 * (level - 1) &
						   ((1UL << 36) - 1)) };
		struct p2m_entry got;

		e.type = e.table ? P2M_HOLE : (enum p2m_type)(1 + rnd_below(P2M_IO));
		got = codec->decode(codec->encode(e, level), level);
		assert_int_equal(got.table, e.table);
		assert_int_equal(got.writable, e.writable);
		assert_int_equal(got.type, e.type);
		assert_int_equal(mfn_x(got.mfn), mfn_x(e.mfn));
		assert_int_equal(codec->decode(0, level).type, P2M_HOLE);
	}
}

static int boot(void **state)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(0, FRAMES << PAGE_SHIFT);
	machine_boot_heap("bootscrub=off", 0, &stats);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codecs_round_trip),
		cmocka_unit_test(leaves_are_as_large_as_can_be),
		cmocka_unit_test(empty_tables_leave),
		cmocka_unit_test(populate_from_pieces),
		cmocka_unit_test(break_before_make),
		cmocka_unit_test(batches_flush_once),
		cmocka_unit_test(numbers_that_cannot_be),
		cmocka_unit_test(nested_paging_as_the_model_says),
		cmocka_unit_test(stage2_as_the_model_says),
		cmocka_unit_test(populate_without_enough),
		cmocka_unit_test(out_of_memory),
	};

	return cmocka_run_group_tests(tests, boot, NULL);
}
