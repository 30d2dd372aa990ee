// SPDX-License-Identifier: GPL-2.0-or-later
/* Trees and the guests in them: see forest.h. Every fact about a frame is kept a second time here, by the simplest means. */
#include "host_machine.h"
#include "forest.h"
#include "host_caches.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <xen/xen.h>
#include "forest_frames.h"
#include "../../mm/p2m_internal.h"

#define SMALL_FRAMES 712

bool forest_small, forest_impatient;
unsigned long forest_asked, forest_most_at_once;
struct tree trees[TREES];
const struct p2m_codec *forest_codec;

u16 forest_owner[FOREST_FRAMES];
unsigned long forest_nr_cow;
static unsigned long lowest = FOREST_FRAMES; /* of the frames that ever had an owner */
static unsigned long heap_before;
static unsigned long at_once; /* frames given up since other work was asked for */

static u16 number_of(const struct tree *t)
{
	return (u16)(t - trees + 1);
}

static struct tree *tree_of(struct domain *d)
{
	return (struct tree *)d;
}

/* ---- Frames ---- */

static void take_owner(struct tree *t, mfn_t mfn)
{
	forest_owner[mfn_x(mfn)] = number_of(t);
	lowest = min(lowest, mfn_x(mfn));
	t->nr_pages++;
}

static int frames_alloc(struct domain *d, unsigned int order, bool overwritten, mfn_t *out)
{
	*out = heap_alloc(order, 0, 0, overwritten ? HEAP_DIRTY_OK : 0);
	if (mfn_eq(*out, INVALID_MFN))
		return -ENOMEM;
	host_caches_have(*out, order);
	for (unsigned long i = 0; i < BIT(order); i++) {
		assert_int_equal(forest_owner[mfn_x(*out) + i], OWNER_NONE);
		take_owner(tree_of(d), mfn_add(*out, i));
		mfn_to_page(mfn_add(*out, i))->count_info += PAGE_MAPPED + 1;
	}
	return 0;
}

/* No CPU may know it any more. */
static void check_forgotten(mfn_t mfn, unsigned int order)
{
	for (struct tree *t = trees; t < trees + TREES; t++) {
		for (unsigned int i = 0; t->running && i < TLB; i++)
			assert_false(t->tlb[i].valid && mfn_x(t->tlb[i].mfn) >= mfn_x(mfn) &&
				     mfn_x(t->tlb[i].mfn) < mfn_x(mfn) + BIT(order));
	}
}

static void give_up(mfn_t mfn)
{
	u16 *o = &forest_owner[mfn_x(mfn)];

	if (*o == OWNER_COW)
		forest_nr_cow--;
	else if (*o != OWNER_NONE)
		trees[*o - 1].nr_pages--;
	*o = OWNER_NONE;
	mfn_to_page(mfn)->type_info = 0;
}

static void put_one(mfn_t mfn, bool give)
{
	struct page *pg = mfn_to_page(mfn);

	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, 1);
	assert_int_equal(pg->count_info & (PAGE_MAPPED | PAGE_MAPS_MASK), 0);
	pg->count_info--;
	if (give || forest_owner[mfn_x(mfn)] == OWNER_COW)
		give_up(mfn);
	if (forest_owner[mfn_x(mfn)] == OWNER_NONE)
		heap_free(mfn, 0, true);
}

/* Who waits for other CPUs, or gives frames back, may hold up nobody who wants a tree. */
static void check_unlocked(void)
{
	for (struct tree *t = trees; t < trees + TREES; t++)
		assert_false(t->alive && spin_is_mine(&t->p2m.lock));
}

static void given_up(unsigned int order)
{
	at_once += BIT(order);
	forest_most_at_once = max(forest_most_at_once, at_once);
}

static void frames_put(struct domain *d, mfn_t mfn, unsigned int order)
{
	check_unlocked();
	given_up(order);
	check_forgotten(mfn, order);
	for (unsigned long i = 0; i < BIT(order); i++)
		put_one(mfn_add(mfn, i), false);
}

static void frames_free(struct domain *d, mfn_t mfn, unsigned int order)
{
	check_unlocked();
	given_up(order);
	check_forgotten(mfn, order);
	for (unsigned long i = 0; i < BIT(order); i++) {
		u16 o = forest_owner[mfn_x(mfn) + i];

		put_one(mfn_add(mfn, i), o == number_of(tree_of(d)));
	}
}

/* What mm/share.c relies on in struct page. */
static void to_cow(mfn_t mfn)
{
	forest_owner[mfn_x(mfn)] = OWNER_COW;
	mfn_to_page(mfn)->owner = DOMID_COW;
	mfn_to_page(mfn)->type_info = 0;
	forest_nr_cow++;
}

static void frames_leave(struct domain *d, mfn_t mfn)
{
	struct tree *t = tree_of(d);

	assert_true(spin_is_mine(p2m_frame_lock(mfn)));
	if (forest_owner[mfn_x(mfn)] != number_of(t))
		return;
	t->nr_pages--;
	to_cow(mfn);
	given_up(0);
}

static bool frames_owns(const struct domain *d, mfn_t mfn)
{
	return forest_owner[mfn_x(mfn)] == number_of((const struct tree *)d);
}

static int frames_adopt(struct domain *d, mfn_t mfn)
{
	u16 *o = &forest_owner[mfn_x(mfn)];

	assert_true(spin_is_mine(p2m_frame_lock(mfn)));
	if (*o == number_of(tree_of(d)))
		return 0;
	if (*o != OWNER_COW)
		return -EPERM;
	forest_nr_cow--;
	mfn_to_page(mfn)->type_info = 0;
	mfn_to_page(mfn)->owner = PAGE_NO_OWNER;
	take_owner(tree_of(d), mfn);
	return 0;
}

/* Now and then. */
static bool frames_interrupted(void)
{
	forest_asked++;
	at_once = 0;
	return forest_impatient || !rnd_below(64);
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
	.interrupted = frames_interrupted,
};

/* As a domain's end does with the frames that are still its own. */
static void reap(struct tree *t)
{
	for (unsigned long i = lowest; i < FOREST_FRAMES && t->nr_pages; i++) {
		struct page *pg = mfn_to_page(_mfn(i));

		if (forest_owner[i] != number_of(t))
			continue;
		if (pg->count_info & PAGE_MAPPED) {
			to_cow(_mfn(i));
			t->nr_pages--;
			continue;
		}
		give_up(_mfn(i));
		assert_int_equal(pg->count_info & PAGE_COUNT_MASK, 0);
		heap_free(_mfn(i), 0, true);
	}
}

/* ---- CPUs ---- */

void arch_p2m_flush(struct p2m *p2m)
{
	struct tree *t = tree_of(p2m->domain);

	if (!forest_codec->break_before_make)
		check_unlocked();
	memset(t->tlb, 0, sizeof(t->tlb));
}

gfn_t mark_gfn(unsigned int mark)
{
	unsigned long kind = mark % 4, n = mark / 4;

	switch (kind) {
	case 0: /* all over a 1 GiB leaf */
		return _gfn(n * (forest_small ? 6 : 2621));
	case 1: /* close together in the same */
		return _gfn((forest_small ? 610 : 4096) + n);
	case 2: /* in four of 2 MiB */
		return _gfn(BIT(18) + n * (forest_small ? 5 : 20));
	default: /* pages */
		return _gfn((3UL << 18) + 7 + n);
	}
}

/* As hardware walks the tables. */
static bool hardware(struct tree *t, gfn_t gfn, bool write, mfn_t *mfn)
{
	const struct p2m_codec *c = forest_codec;
	mfn_t table = t->p2m.root;
	bool w = true;

	for (unsigned int level = c->levels;; level--) {
		unsigned int index = (unsigned int)(gfn_x(gfn) >> 9 * (level - 1)) & 511;
		struct p2m_entry e = p2m_read(&t->p2m, table, index, level);

		w &= e.writable || (e.table && !c->hierarchical_write);
		if (e.table && !c->hierarchical_write && !e.writable)
			return false;
		if (e.table) {
			table = e.mfn;
			continue;
		}
		*mfn = mfn_add(e.mfn, gfn_x(gfn) & (BIT(9 * (level - 1)) - 1));
		if (e.type == P2M_RAM)
			assert_true(host_caches_are_clean(*mfn));
		return e.type != P2M_HOLE && (!write || w);
	}
}

static bool in_tlb(struct tree *t, unsigned int mark, bool write, mfn_t *mfn)
{
	for (unsigned int i = 0; i < TLB; i++) {
		if (t->tlb[i].valid && t->tlb[i].mark == mark && (!write || t->tlb[i].writable)) {
			*mfn = t->tlb[i].mfn;
			return true;
		}
	}
	return false;
}

static int translate(struct tree *t, unsigned int mark, bool write, mfn_t *mfn)
{
	unsigned int at = (unsigned int)rnd_below(TLB);

	if (in_tlb(t, mark, write, mfn))
		return 0;
	if (!hardware(t, mark_gfn(mark), write, mfn)) {
		int ret = p2m_fault(&t->p2m, mark_gfn(mark), write);

		if (ret)
			return ret;
		assert_true(hardware(t, mark_gfn(mark), write, mfn));
	}
	t->tlb[at].valid = true;
	t->tlb[at].writable = write;
	t->tlb[at].mark = mark;
	t->tlb[at].mfn = *mfn;
	return 0;
}

static u64 *word_of(mfn_t mfn)
{
	return (u64 *)mfn_to_virt(mfn) + 77;
}

int guest_write(struct tree *t, unsigned int mark, u64 value)
{
	mfn_t mfn;
	int ret = translate(t, mark, true, &mfn);

	if (!t->marks[mark]) {
		assert_int_equal(ret, -ENOENT);
		return 0;
	}
	if (ret) {
		assert_int_equal(ret, -ENOMEM);
		return ret;
	}
	assert_int_equal(*word_of(mfn), t->marks[mark]);
	*word_of(mfn) = t->marks[mark] = value;
	return 0;
}

int guest_read(struct tree *t, unsigned int mark)
{
	mfn_t mfn;
	int ret = translate(t, mark, false, &mfn);

	assert_int_equal(ret, t->marks[mark] ? 0 : -ENOENT);
	if (!ret)
		assert_int_equal(*word_of(mfn), t->marks[mark]);
	return 0;
}

/* The page at GFN leaves the guest, if there is one. */
static int balloon_out(struct tree *t, gfn_t gfn)
{
	mfn_t mfn;
	int ret = p2m_unshare(&t->p2m, gfn);

	if (ret == -ENOENT)
		return 0;
	mfn = p2m_lookup(&t->p2m, gfn, NULL, NULL);
	assert_true(ret || forest_owner[mfn_x(mfn)] == number_of(t));
	if (!ret)
		ret = p2m_clear(&t->p2m, gfn, 0);
	if (ret) {
		assert_int_equal(ret, -ENOMEM);
		return ret;
	}
	give_up(mfn);
	heap_free(mfn, 0, true);
	return 0;
}

int guest_balloon_out(struct tree *t, unsigned int mark)
{
	int ret = balloon_out(t, mark_gfn(mark));

	if (!ret)
		t->marks[mark] = 0;
	return ret;
}

int guest_balloon_out_2m(struct tree *t, unsigned int mark)
{
	gfn_t first = _gfn(ROUND_DOWN(gfn_x(mark_gfn(mark)), 512UL));

	for (unsigned long i = 0; i < 512; i++) {
		int ret = balloon_out(t, gfn_add(first, i));

		if (ret)
			return ret;
		for (unsigned int n = 0; n < MARKS; n++) {
			if (gfn_eq(mark_gfn(n), gfn_add(first, i)))
				t->marks[n] = 0;
		}
	}
	return 0;
}

int guest_balloon_in(struct tree *t, unsigned int mark, u64 value)
{
	int ret = p2m_populate(&t->p2m, mark_gfn(mark), 1);

	assert_true(ret == -ENOMEM || ret == (t->marks[mark] ? -EEXIST : 0));
	if (ret)
		return ret;
	*word_of(p2m_lookup(&t->p2m, mark_gfn(mark), NULL, NULL)) = value;
	t->marks[mark] = value;
	return 0;
}

/* ---- Trees ---- */

static struct tree *new_tree(void)
{
	for (struct tree *t = trees; t < trees + TREES; t++) {
		if (t->alive)
			continue;
		memset(t, 0, sizeof(*t));
		if (p2m_init(&t->p2m, (struct domain *)t, forest_codec, &frames))
			return NULL;
		t->alive = t->running = true;
		if ((t - trees) % 4 == 3) /* some lose their log at once */
			t->p2m.log.max_pages = 0;
		return t;
	}
	return NULL;
}

struct tree *forest_seed(void)
{
	struct tree *t = new_tree();

	assert_non_null(t);
	assert_int_equal(p2m_populate(&t->p2m, _gfn(0), forest_small ? SMALL_FRAMES : BIT(18)), 0);
	assert_int_equal(p2m_populate(&t->p2m, _gfn(BIT(18)), forest_small ? 512 : 2048), 0);
	assert_int_equal(p2m_populate(&t->p2m, _gfn((3UL << 18) + 7), 100), 0);
	for (unsigned int i = 0; i < MARKS; i++) {
		u64 *word = word_of(p2m_lookup(&t->p2m, mark_gfn(i), NULL, NULL));

		if (!t->marks[i])
			*word = t->marks[i] = 1000 + i;
	}
	return t;
}

static void end_tree(struct tree *t)
{
	t->running = false;
	while (p2m_destroy(&t->p2m) == -ERESTART)
		;
	reap(t);
	assert_int_equal(t->nr_pages, 0);
	t->alive = false;
}

struct tree *forest_fork(struct tree *parent, bool checkpoint)
{
	struct tree *t = new_tree();
	int ret;

	if (!t)
		return NULL;
	do
		ret = p2m_fork(&t->p2m, &parent->p2m);
	while (ret == -ERESTART);
	memcpy(t->marks, parent->marks, sizeof(t->marks));
	if (!ret && checkpoint)
		ret = p2m_checkpoint(&t->p2m);
	if (ret) {
		assert_int_equal(ret, -ENOMEM);
		end_tree(t);
		return NULL;
	}
	t->checkpointed = checkpoint;
	memcpy(t->origin, t->marks, sizeof(t->marks));
	return t;
}

int forest_reset(struct tree *t)
{
	int ret;

	do
		ret = p2m_reset(&t->p2m);
	while (ret == -ERESTART);
	assert_int_equal(ret, t->checkpointed ? 0 : -ENOENT);
	if (!ret)
		memcpy(t->marks, t->origin, sizeof(t->marks));
	return ret;
}

void forest_destroy(struct tree *t)
{
	end_tree(t);
}

/* ---- Memory ---- */

unsigned long forest_used(void)
{
	return heap_before - heap_free_total() - forest_hoarded;
}

void forest_boot(void)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(0, FOREST_FRAMES << PAGE_SHIFT);
	machine_boot_heap("bootscrub=off", 0, &stats);
}

void forest_start(const struct p2m_codec *codec)
{
	forest_codec = codec;
	heap_before = heap_free_total();
}

void forest_stop(void)
{
	for (struct tree *t = trees; t < trees + TREES; t++) {
		if (t->alive)
			end_tree(t);
	}
	assert_int_equal(forest_nr_cow, 0);
	assert_int_equal(p2m_tables_in_use(), 0);
	assert_int_equal(heap_free_total(), heap_before);
	assert_int_equal(heap_check(), 0);
}
