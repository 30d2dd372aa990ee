// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A 32-bit program for Linux in a 64-bit PV guest. Words:
 *   test              system calls, TLS and LDTs: a line for each check, exit code 1 if one failed
 *   price N           instructions of N system calls by each way into the kernel
 *   pingpong MODE N   N turns of two processes with TLS `different`, `same` or `none`
 */
#include "u32.h"

#define AT_SYSINFO 32

_Noreturn void u32_begin(u32 *stack);

static int test(void)
{
	test_calls();
	u32_way = BY_SYSINFO;
	test_tls();
	test_ldt();
	say("user32: %s\n", checks_failed() ? "some checks failed" : "all is well");
	return checks_failed() != 0;
}

/* The kernel's stack for a new process: argument count, arguments, 0, environment, 0, pairs. */
void u32_begin(u32 *stack)
{
	u32 count = stack[0];
	const char **arguments = (const char **)&stack[1];
	u32 *at = stack + count + 2;

	while (*at)
		at++;
	for (at++; at[0]; at += 2)
		if (at[0] == AT_SYSINFO)
			u32_sysinfo = at[1];
	if (!u32_sysinfo) {
		say("user32: the kernel names no way in (AT_SYSINFO)\n");
		sys_exit(2);
	}
	if (count == 2 && same_text(arguments[1], "test"))
		sys_exit(test());
	if (count == 3 && same_text(arguments[1], "price") && number_of(arguments[2]) >= 8) {
		prices(number_of(arguments[2]));
		sys_exit(0);
	}
	if (count == 4 && same_text(arguments[1], "pingpong") && number_of(arguments[3]) >= 8)
		sys_exit(pingpong(arguments[2], number_of(arguments[3])));
	say("usage: user32 test | price COUNT | pingpong different|same|none TURNS\n");
	sys_exit(2);
}
