// SPDX-License-Identifier: GPL-2.0-or-later
/* Many CPUs on one heap, with the address sanitizer watching. */
#include "host_machine.h"
#include "smp_hammer.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

static void hammer(void **state)
{
	machine_seed();
	assert_int_equal(smp_hammer(machine_seconds(5)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(hammer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
