// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Local descriptor tables by modify_ldt: one of a single entry, one of two pages, none; data through
 * %fs and code to run in, after each switch.
 */
#include "u32.h"

#define PROCESSES 3u
#define ROUNDS 40u
#define FAR_ENTRY 600u /* on the second page */
#define CODE_ENTRY 1u

#define SELECTOR(entry) ((entry)*8 + 7)

static u32 words[PROCESSES];

static bool write_entry(u32 entry, u32 base, u32 flags)
{
	struct user_desc desc = { entry, base, flags == DESC_EMPTY ? 0 : 0xfffff, flags };

	return sys_write_ldt(&desc) == 0;
}

/* Process 0 has a small table, 1 a large one, 2 none. */
static u32 data_entry(u32 number)
{
	return number == 1 ? FAR_ENTRY : 0;
}

static void setup_own(u32 number)
{
	words[number] = 0xabc0 + number;
	if (number == 2) {
		LOAD_SEGMENT("fs", 0);
		return;
	}
	if (!write_entry(data_entry(number), (u32)&words[number], DESC_DATA) ||
	    !write_entry(CODE_ENTRY, 0, DESC_CODE))
		sys_exit(99);
	LOAD_SEGMENT("fs", SELECTOR(data_entry(number)));
}

static bool sees_own(u32 number)
{
	if (number == 2)
		return u32_try_load_gs(SELECTOR(CODE_ENTRY)) == -1;
	return READ_SEGMENT("fs") == 0xabc0 + number &&
	       u32_in_segment(SELECTOR(CODE_ENTRY)) == SELECTOR(CODE_ENTRY);
}

static bool refuses_after_clearing(void)
{
	return write_entry(0, 0, DESC_EMPTY) && u32_try_load_gs(SELECTOR(0)) == -1;
}

void test_ldt(void)
{
	/* Processes made before there is a table do not inherit one. */
	check(ring(PROCESSES, ROUNDS, setup_own, sees_own) == 0, "LDT", "each its own, by turns");
	check(write_entry(FAR_ENTRY, (u32)&words[1], DESC_DATA), "LDT",
	      "it grows to a second page");
	LOAD_SEGMENT("fs", SELECTOR(FAR_ENTRY));
	words[1] = 0x1234;
	check(READ_SEGMENT("fs") == 0x1234, "LDT", "its entry works");
	LOAD_SEGMENT("fs", 0);
	check(refuses_after_clearing(), "LDT", "an entry that was cleared does not load");
	check(u32_in_segment(SELECTOR(CODE_ENTRY)) == SELECTOR(CODE_ENTRY), "LDT",
	      "code in an LDT segment");
}
