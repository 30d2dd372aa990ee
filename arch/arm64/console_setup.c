// SPDX-License-Identifier: GPL-2.0-or-later
/* Which consoles print: console=dtuart|none; dtuart, the one that the device tree names, when nothing is said. */
#include <asm/pl011.h>
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/string.h>

static bool use_uart = true;

/* com1 is what tools and habits say on x86: the first serial line, whatever it is. */
static int parse_console(const char *value)
{
	if (!strcmp(value, "dtuart") || !strcmp(value, "com1"))
		use_uart = true;
	else if (!strcmp(value, "none"))
		use_uart = false;
	else
		return -EINVAL;
	return 0;
}
CMDLINE_CUSTOM_OPTION("console", console, parse_console);

void arch_console_init(void)
{
	if (use_uart)
		pl011_init();
}

void arch_console_start_input(void)
{
	pl011_start_input();
}
