// SPDX-License-Identifier: GPL-2.0-or-later
/* The command-line word `test`: all functional tests. */
#include "tiny_work.h"
#include "tiny_ktap.h"

const char *work_test(void)
{
	return ktap_run_all() ? "functional tests" : NULL;
}
