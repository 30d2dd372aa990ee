// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which consoles print: console=com1|vga|none, several separated by commas; com1 when nothing is
 * said.
 */
#include <asm/power.h>
#include <asm/uart.h>
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/string.h>

static bool use_com1 = true, use_vga, set_up;

static int parse_console(const char *value)
{
	bool com1 = false, vga = false;

	for (;;) {
		const char *end = strchr(value, ',');
		size_t len = end ? (size_t)(end - value) : strlen(value);

		if (len == 4 && !strncmp(value, "com1", len))
			com1 = true;
		else if (len == 3 && !strncmp(value, "vga", len))
			vga = true;
		else if (len != 4 || strncmp(value, "none", len))
			return -EINVAL;
		if (!end)
			break;
		value = end + 1;
	}
	use_com1 = com1;
	use_vga = vga;
	return 0;
}
CMDLINE_CUSTOM_OPTION("console", console, parse_console);

void arch_console_init(void)
{
	set_up = true;
	if (use_vga)
		x86_vga_init();
	if (use_com1)
		x86_uart_init();
}

void arch_console_start_input(void)
{
	x86_uart_start_input();
}

void x86_console_last_resort(void)
{
	if (!set_up)
		x86_uart_init();
	set_up = true;
}
