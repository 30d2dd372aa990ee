// SPDX-License-Identifier: GPL-2.0-or-later
/* Many CPUs on one heap, with the thread sanitizer watching: every access that is not ordered by heap_lock is reported. */
#include "host_machine.h"
#include "smp_hammer.h"
#include <stdio.h>

int main(void)
{
	unsigned long wrong;

	machine_seed();
	wrong = smp_hammer(machine_seconds(5));
	printf(wrong ? "not ok: %lu things were wrong\n" : "ok\n", wrong);
	return wrong != 0;
}
