// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a switch between two processes costs, by a word to and fro over pipes: with TLS descriptors
 * that differ, that are equal, and with none.
 */
#include "u32.h"

static u32 block[2];

static bool set_tls(u32 number)
{
	struct user_desc desc = { (u32)-1, (u32)&block[number], 0xfffff, DESC_DATA };

	if (sys_set_thread_area(&desc))
		return false;
	LOAD_SEGMENT("gs", desc.entry * 8 + 3);
	return true;
}

static u32 rounds, begun, ended, turns;
static const char *mode_asked;

static void setup(u32 number)
{
	bool good = true;

	turns = 0;
	if (same_text(mode_asked, "different"))
		good = set_tls(number);
	else if (same_text(mode_asked, "same"))
		good = set_tls(0);
	if (!good)
		sys_exit(99);
}

/* The first rounds warm up; the clock runs from one of the first process's turns to its last. */
static bool turn(u32 number)
{
	if (number == 0 && turns == rounds / 4)
		begun = (u32)__builtin_ia32_rdtsc();
	if (number == 0 && turns == rounds - 1)
		ended = (u32)__builtin_ia32_rdtsc();
	turns++;
	return true;
}

int pingpong(const char *mode, u32 wanted)
{
	u32 wrong, switches;

	mode_asked = mode;
	rounds = wanted;
	wrong = ring(2, rounds, setup, turn);
	switches = 2 * (rounds - 1 - rounds / 4);
	say("user32: pingpong mode=%s switches=%u instructions_per_switch=%u wrong=%u\n", mode,
	    switches, (ended - begun) / switches, wrong);
	return wrong != 0;
}
