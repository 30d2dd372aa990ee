// SPDX-License-Identifier: GPL-2.0-or-later
/* The PVH guest that has pages which another has, too (work_sharing.c): it writes the same to them again and again, and looks whether it is still there. */
#include "tiny_equal.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinypvh.h"

#define TURNS 400ul

static volatile uint64_t *word(unsigned long page)
{
	return (volatile uint64_t *)((EQUAL_GFN + page) * PAGE_SIZE) + page % 512;
}

static uint64_t pattern(unsigned long page)
{
	return 0x657175616c000000ul + page;
}

void tinypvh_equal(void)
{
	for (unsigned long page = 0; page < EQUAL_PAGES; page++)
		*word(page) = pattern(page);
	for (unsigned long turn = 0; turn < TURNS; turn++) {
		for (unsigned long page = 0; page < EQUAL_PAGES; page++) {
			uint64_t is = *word(page);

			/* The other one had not begun when its page was taken for ours. */
			if (!is && turn < TURNS / 2)
				*word(page) = is = pattern(page);
			if (is != pattern(page))
				tiny_fail("page %lu holds %lx", page, is);
			if ((page + turn) % 7 == 0)
				*word(page) = pattern(page);
		}
		hypercall2(__HYPERVISOR_sched_op, SCHEDOP_yield, 0);
	}
}
