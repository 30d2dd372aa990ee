// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A balloon: frames given back and others got, by lists. What is done is counted by item, also where a list ends in the
 * middle of what the hypervisor does at once, cannot be read or written there, or asks for too much.
 */
#include "tiny_case.h"

#define MANY 80u

static uint64_t list[MANY], places[MANY];

static long reserve(unsigned int command, uint64_t *items, unsigned int count)
{
	struct xen_memory_reservation reservation = { .nr_extents = count, .domid = DOMID_SELF };

	set_xen_guest_handle(reservation.extent_start, items);
	return hypercall2(__HYPERVISOR_memory_op, command, (uint64_t)&reservation);
}

static long current_pages(void)
{
	domid_t self = DOMID_SELF;

	return hypercall2(__HYPERVISOR_memory_op, XENMEM_current_reservation, (uint64_t)&self);
}

/* The last frames of the domain, which nothing maps; the guest's own list of them is kept right. */
static bool give_back(void)
{
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		places[i] = tiny_start_info->nr_pages - MANY + i;
		list[i] = pfn_to_mfn(pfn(places[i])).n;
	}
	return reserve(XENMEM_decrease_reservation, list, MANY) == MANY;
}

static void note(const uint64_t *frames, unsigned int from, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		EXPECT_EQ(mfn_to_pfn(mfn(frames[i])).n, places[from + i]);
		((uint64_t *)tiny_start_info->mfn_list)[places[from + i]] = frames[i];
	}
}

/* Places FROM on get frames; what came is noted. */
static bool take(unsigned int from, unsigned int count)
{
	memcpy(list, places + from, count * sizeof(list[0]));
	if (reserve(XENMEM_populate_physmap, list, count) != count)
		return false;
	note(list, from, count);
	return true;
}

TINY_TEST(reservation_list, "reservation.list",
	  "a long list must be done whole, each frame where it was asked for and each once")
{
	long before = current_pages();
	unsigned int i, j, same = 0;

	REQUIRE(give_back());
	EXPECT_EQ(current_pages(), before - MANY);
	/* They are gone. */
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, list, MANY), 0);
	REQUIRE(take(0, MANY));
	EXPECT_EQ(current_pages(), before);
	for (i = 0; i < MANY; i++)
		for (j = 0; j < i; j++)
			same += list[i] == list[j];
	EXPECT_EQ(same, 0);
}

TINY_TEST(reservation_cut, "reservation.cut",
	  "a list that cannot be read further must be done as far as it could")
{
	unsigned int readable = 40;
	static char pages[2 * PAGE_SIZE] __page_aligned;
	char *next = pages + PAGE_SIZE;
	uint64_t *items = (uint64_t *)next - readable;

	REQUIRE(give_back());
	REQUIRE_EQ(page_map(next, 0), 0);
	memcpy(items, places, readable * sizeof(items[0]));
	EXPECT_EQ(reserve(XENMEM_populate_physmap, items, MANY), readable);
	note(items, 0, readable);
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, items, MANY), readable);
	EXPECT_EQ(page_set_writable(next), 0);
	EXPECT(take(0, MANY));
}

TINY_TEST(reservation_stop, "reservation.stop",
	  "an item that is not the guest's ends the list there, and what came before has happened")
{
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		places[i] = tiny_start_info->nr_pages - MANY + i;
		list[i] = pfn_to_mfn(pfn(places[i])).n;
	}
	list[50] = 0;
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, list, MANY), 50);
	EXPECT(take(0, 50));
}
