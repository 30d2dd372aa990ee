// SPDX-License-Identifier: GPL-2.0-or-later
/* How often p2ms map a frame: see mapcount.h. Locks: p2m_frame_lock(), one for all frames of a 1 GiB, inside p2m->lock. */
#include "mapcount.h"
#include <tine/errno.h>

#define LOCKS 16U
#define ORDER_2M P2M_TABLE_ORDER
#define ORDER_1G (2 * P2M_TABLE_ORDER)

static struct spinlock locks[LOCKS] = { [0 ... LOCKS - 1] = SPINLOCK_INIT(LOCK_MAPCOUNT) };

struct spinlock *p2m_frame_lock(mfn_t mfn)
{
	return &locks[(mfn_x(mfn) >> ORDER_1G) % LOCKS];
}

static unsigned int small_count(const struct page *pg)
{
	return (unsigned int)((READ_ONCE(pg->count_info) & PAGE_MAPS_MASK) >> PAGE_MAPS_SHIFT);
}

static bool is_mapped(const struct page *pg)
{
	return READ_ONCE(pg->count_info) & PAGE_MAPPED;
}

static struct page *head_of(mfn_t mfn, unsigned int order)
{
	mfn_t head = _mfn(ROUND_DOWN(mfn_x(mfn), BIT(order)));

	return mfn_to_page(head) + (order == ORDER_1G);
}

/*
 * How many entries of ORDER name the block around MFN. What is at its start may be no RAM, asleep, or something else: a frame that the heap gives
 * out or takes back just now. Its state changes by whole words, none of which has the flag.
 */
static __race_ok unsigned int large_count(mfn_t mfn, unsigned int order)
{
	const struct page *pg = head_of(mfn, order);

	if (order > SECTION_ORDER && section_state(page_to_mfn(pg)) != SECTION_LIVE)
		return 0;
	smp_rmb(); /* pairs with the release in set_state() */
	return READ_ONCE(pg->count_info) & PAGE_MAPPED_LARGE ? READ_ONCE(pg->aux) : 0;
}

unsigned int mapcount_of(mfn_t mfn)
{
	return small_count(mfn_to_page(mfn)) + large_count(mfn, ORDER_2M) +
	       large_count(mfn, ORDER_1G);
}

/* Seldom has to look at more than the first. */
static bool is_named(mfn_t mfn)
{
	return small_count(mfn_to_page(mfn)) || large_count(mfn, ORDER_2M) ||
	       large_count(mfn, ORDER_1G);
}

unsigned int mapcount_of_order(mfn_t mfn, unsigned int order)
{
	return order ? large_count(mfn, order) : small_count(mfn_to_page(mfn));
}

/* ---- More of them ---- */

/* It may be the first. With the lock, or when nobody else has the frames. */
static void add(mfn_t mfn, unsigned int order)
{
	struct page *pg = head_of(mfn, order);

	if (order && !(READ_ONCE(pg->count_info) & PAGE_MAPPED_LARGE)) {
		pg->aux = 0;
		(void)__atomic_fetch_or(&pg->count_info, PAGE_MAPPED_LARGE, __ATOMIC_RELEASE);
	}
	mapcount_get(mfn, order);
}

/* With the lock. */
static void remove_large(mfn_t mfn, unsigned int order)
{
	struct page *pg = head_of(mfn, order);

	if (!__atomic_sub_fetch(&pg->aux, 1, __ATOMIC_RELEASE))
		(void)__atomic_fetch_and(&pg->count_info, ~PAGE_MAPPED_LARGE, __ATOMIC_RELAXED);
}

void mapcount_new(mfn_t mfn, unsigned int order)
{
	add(mfn, order);
}

/* Of frames that trees have already, the reference that came along is one too many. */
void mapcount_take(mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);

	spin_lock(lock);
	for (unsigned long i = 0; i < BIT(order); i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));
		u64 old = __atomic_fetch_or(&pg->count_info, PAGE_MAPPED, __ATOMIC_RELAXED);

		if (!(old & PAGE_MAPPED))
			continue;
		ASSERT((old & PAGE_COUNT_MASK) > 1);
		(void)__atomic_fetch_sub(&pg->count_info, 1, __ATOMIC_RELAXED);
	}
	add(mfn, order);
	spin_unlock(lock);
}

void mapcount_get_piece(mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);

	spin_lock(lock);
	add(mfn, order);
	spin_unlock(lock);
}

void mapcount_split(mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	unsigned int below = order - P2M_TABLE_ORDER;

	spin_lock(lock);
	for (unsigned long i = 0; i < P2M_ENTRIES; i++)
		add(mfn_add(mfn, i << below), below);
	remove_large(mfn, order);
	spin_unlock(lock);
}

/* ---- Fewer ---- */

static void mark_unmapped(struct page *pg)
{
	(void)__atomic_fetch_and(&pg->count_info, ~PAGE_MAPPED, __ATOMIC_RELAXED);
}

/* The frames of a domain that ends leave it by themselves: its list of them is looked through. */
static bool has_ended(const struct p2m *p2m)
{
	return mfn_eq(p2m->root, INVALID_MFN);
}

static void leave(const struct p2m *p2m, mfn_t mfn)
{
	if (!has_ended(p2m))
		p2m->frames->leave(p2m->domain, mfn);
}

void mapcount_leave(const struct p2m *p2m, mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);

	spin_lock(lock);
	for (unsigned long i = 0; i < BIT(order); i++)
		leave(p2m, mfn_add(mfn, i));
	spin_unlock(lock);
}

static void drop(const struct p2m *p2m, mfn_t mfn, unsigned int order, bool give_up)
{
	(give_up ? p2m->frames->free : p2m->frames->put)(p2m->domain, mfn, order);
}

static void put_small(const struct p2m *p2m, mfn_t mfn, bool give_up)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	struct page *pg = mfn_to_page(mfn);
	bool last;

	spin_lock(lock);
	ASSERT(small_count(pg) && is_mapped(pg));
	if (!mapcount_is_stuck(pg))
		(void)__atomic_fetch_sub(&pg->count_info, PAGE_MAPS_ONE, __ATOMIC_RELEASE);
	last = !is_named(mfn);
	if (last)
		mark_unmapped(pg);
	else
		leave(p2m, mfn);
	spin_unlock(lock);
	if (last)
		drop(p2m, mfn, 0, give_up);
}

/* Of a 2 MiB block that no large entry names any more: GONE gets a bit for each frame that nothing names. Their number. */
static unsigned int mark_gone(mfn_t mfn, unsigned long *gone)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		if (small_count(pg))
			continue;
		mark_unmapped(pg);
		gone[i / 64] |= BIT(i % 64);
		count++;
	}
	return count;
}

static void put_2m(const struct p2m *p2m, mfn_t mfn, bool give_up)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	unsigned long gone[P2M_ENTRIES / 64] = { 0 };
	unsigned int count = 0;

	spin_lock(lock);
	ASSERT(large_count(mfn, ORDER_2M));
	remove_large(mfn, ORDER_2M);
	if (!large_count(mfn, ORDER_2M) && !large_count(mfn, ORDER_1G))
		count = mark_gone(mfn, gone);
	for (unsigned int i = 0; i < P2M_ENTRIES && count < P2M_ENTRIES && !has_ended(p2m); i++) {
		if (!(gone[i / 64] >> i % 64 & 1))
			leave(p2m, mfn_add(mfn, i));
	}
	spin_unlock(lock);
	if (!count)
		return;
	if (count == P2M_ENTRIES) {
		drop(p2m, mfn, ORDER_2M, give_up);
		return;
	}
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		if (gone[i / 64] >> i % 64 & 1)
			drop(p2m, mfn_add(mfn, i), 0, give_up);
	}
}

/* One of several goes, and nobody asks whose the frames are. */
static bool put_one_of_many(const struct p2m *p2m, mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	bool many;

	spin_lock(lock);
	many = has_ended(p2m) && large_count(mfn, order) > 1;
	if (many)
		remove_large(mfn, order);
	spin_unlock(lock);
	return many;
}

void mapcount_put(const struct p2m *p2m, mfn_t mfn, unsigned int order, bool give_up)
{
	switch (order) {
	case 0:
		put_small(p2m, mfn, give_up);
		break;
	case ORDER_2M:
		put_2m(p2m, mfn, give_up);
		break;
	default:
		if (put_one_of_many(p2m, mfn, order))
			break;
		mapcount_split(mfn, order);
		for (unsigned long i = P2M_ENTRIES; i--;)
			put_2m(p2m, mfn_add(mfn, i << ORDER_2M), give_up);
	}
}

/* ---- Whose ---- */

static bool only_one(mfn_t mfn, unsigned int order)
{
	if (!order)
		return mapcount_of(mfn) == 1;
	if (large_count(mfn, ORDER_2M) + large_count(mfn, ORDER_1G) != 1)
		return false;
	for (unsigned long i = 0; i < BIT(order); i++) {
		if (small_count(mfn_to_page(mfn_add(mfn, i))))
			return false;
	}
	return true;
}

int mapcount_claim(const struct p2m *p2m, mfn_t mfn, unsigned int order)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	int ret;

	spin_lock(lock);
	ret = only_one(mfn, order) ? 0 : -EBUSY;
	for (unsigned long i = 0; i < BIT(order) && !ret; i++)
		ret = p2m->frames->adopt(p2m->domain, mfn_add(mfn, i));
	spin_unlock(lock);
	return ret;
}
