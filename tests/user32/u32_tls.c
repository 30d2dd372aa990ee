// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Thread-local storage by set_thread_area: two descriptors of its own for each process, read through
 * %gs and %fs after each switch, by turns and by being preempted.
 */
#include "u32.h"

#define PROCESSES 3u
#define ROUNDS 60u
#define SPIN_TICKS 60000000u

static u32 blocks[PROCESSES][2];

static u32 word_for(u32 number, u32 slot)
{
	return 0x10000u * (number + 1) + slot;
}

/* Numbers of the two entries: the kernel's choice at first, the same for all after that. */
static u32 entries[2] = { (u32)-1, (u32)-1 };

static bool set_slot(u32 slot, u32 *block)
{
	struct user_desc desc = { entries[slot], (u32)block, 0xfffff, DESC_DATA };

	if (sys_set_thread_area(&desc))
		return false;
	entries[slot] = desc.entry;
	return true;
}

/* The last process of the ring has no TLS at all. */
static void setup_own(u32 number)
{
	u32 slot;

	if (number == PROCESSES - 1) {
		LOAD_SEGMENT("gs", 0);
		LOAD_SEGMENT("fs", 0);
		return;
	}
	for (slot = 0; slot < 2; slot++) {
		blocks[number][slot] = word_for(number, slot);
		if (!set_slot(slot, &blocks[number][slot]))
			sys_exit(99);
	}
	LOAD_SEGMENT("gs", entries[0] * 8 + 3);
	LOAD_SEGMENT("fs", entries[1] * 8 + 3);
}

static bool sees_own(u32 number)
{
	u32 selector;

	if (number == PROCESSES - 1) {
		__asm__ volatile("mov %%gs, %0" : "=r"(selector));
		return (selector & 0xffff) == 0;
	}
	return READ_SEGMENT("gs") == word_for(number, 0) &&
	       READ_SEGMENT("fs") == word_for(number, 1);
}

/* Long enough for the timer to take the CPU away many times. */
static bool sees_own_all_the_time(u32 number)
{
	u32 begin = (u32)__builtin_ia32_rdtsc();

	while ((u32)__builtin_ia32_rdtsc() - begin < SPIN_TICKS)
		if (!sees_own(number))
			return false;
	return true;
}

static u32 spin_together(void)
{
	u32 i, wrong;

	for (i = 1; i < PROCESSES; i++) {
		if (sys_fork())
			continue;
		setup_own(i);
		sys_exit(!sees_own_all_the_time(i));
	}
	setup_own(0);
	wrong = !sees_own_all_the_time(0);
	for (i = 1; i < PROCESSES; i++)
		wrong += (u32)sys_wait();
	return wrong;
}

void test_tls(void)
{
	struct user_desc bad = { 3, 0, 0xfffff, DESC_DATA };
	u32 other = 0x77777777;

	check(set_slot(0, &blocks[0][0]) && set_slot(1, &blocks[0][1]), "TLS", "set_thread_area");
	say("user32: entries %u and %u\n", entries[0], entries[1]);
	check(sys_set_thread_area(&bad) < 0, "TLS",
	      "set_thread_area of an entry that is not ours is refused");
	setup_own(0);
	check(sees_own(0), "TLS", "words through gs and fs");
	check(set_slot(0, &other) && READ_SEGMENT("gs") == other, "TLS",
	      "the base under a loaded gs is changed");
	check(ring(PROCESSES, ROUNDS, setup_own, sees_own) == 0, "TLS", "each its own, by turns");
	check(spin_together() == 0, "TLS", "each its own, when preempted");
}
