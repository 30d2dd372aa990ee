// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page types and page tables of PV guests: rules one by one, and a guest that tries everything at
 * random while each count is recomputed from the tables. TINE_SEED and TINE_SECONDS as elsewhere.
 */
#include "pv_tables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "host_machine.h"

#define FRAMES 40
#define STEPS_PER_CHECK 25

static void a_guest_that_tries_everything(void **state)
{
	double end = machine_now() + machine_seconds(4);
	struct pv_guest guest = { .random = machine_seed() };
	unsigned long steps = 0;

	pv_tables_start(FRAMES);
	while (machine_now() < end) {
		for (unsigned int i = 0; i < STEPS_PER_CHECK; i++)
			pv_guest_step(&guest);
		steps += STEPS_PER_CHECK;
		if (pv_tables_check(&guest, 1))
			fail_msg("after %lu steps", steps);
	}
	pv_guest_release(&guest);
	pv_tables_stop();
	printf("%lu steps; pinned %lu %lu %lu %lu, refused %lu; updated %lu %lu %lu %lu, refused "
	       "%lu; held %lu, refused %lu\n",
	       steps, pv_tables_seen.pinned[1], pv_tables_seen.pinned[2], pv_tables_seen.pinned[3],
	       pv_tables_seen.pinned[4], pv_tables_seen.pin_refused, pv_tables_seen.updated[1],
	       pv_tables_seen.updated[2], pv_tables_seen.updated[3], pv_tables_seen.updated[4],
	       pv_tables_seen.update_refused, pv_tables_seen.held, pv_tables_seen.hold_refused);
	for (unsigned int level = 1; level <= 4; level++) {
		assert_true(pv_tables_seen.pinned[level] > 0);
		assert_true(pv_tables_seen.updated[level] > 0);
	}
	assert_true(pv_tables_seen.pin_refused && pv_tables_seen.update_refused &&
		    pv_tables_seen.held && pv_tables_seen.hold_refused && pv_tables_seen.paused &&
		    pv_tables_seen.reap_paused && pv_tables_seen.linear);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_that_tries_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
