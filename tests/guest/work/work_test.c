// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `test`: all functional tests, or with `only=traps,gdt.in-use` those whose
 * names start so.
 */
#include "tiny_work.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"

const char *work_test(const char *line)
{
	return ktap_run(cmdline_value(line, "only")) ? "functional tests" : NULL;
}
