// SPDX-License-Identifier: GPL-2.0-or-later
/* Any table cut anywhere, its header made to match: nothing is read beyond the end (the sanitizer watches). */
#include "host_acpi.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

static void cut_at_every_byte(void **state)
{
	static const char names[][5] = { "APIC", "SRAT", "SLIT", "FACP", "HPET" };

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		for (size_t size = 36; size < 300; size++) {
			acpi_setup(state);
			table_start(&table, names[i], 3);
			memset(table.bytes + 36, (int)(size % 3 ? 1 : 8), size - 36);
			table.size = size;
			add_table();
			some_cpus();
			read_tables();
			assert_true(x86_acpi.present);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cut_at_every_byte, acpi_setup, acpi_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
