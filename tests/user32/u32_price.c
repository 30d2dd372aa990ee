// SPDX-License-Identifier: GPL-2.0-or-later
/* What the shortest system call costs by each way into the kernel, all of it: there and back. */
#include "u32.h"

#define NR_GETPID 20

static u32 price(enum way way, u32 count)
{
	struct u32_regs regs = { NR_GETPID, 0, 0, 0, 0, 0, 0, 0x202 };
	u32 begin = 0, i;

	for (i = 0; i < count; i++) {
		if (i == count / 4)
			begin = (u32)__builtin_ia32_rdtsc();
		regs.eax = NR_GETPID;
		u32_call(way, &regs);
	}
	return ((u32)__builtin_ia32_rdtsc() - begin) / (count - count / 4);
}

void prices(u32 count)
{
	say("user32: price way=int80 instructions=%u\n", price(BY_INT80, count));
	say("user32: price way=%s instructions=%u\n", sysinfo_instruction(),
	    price(BY_SYSINFO, count));
}
