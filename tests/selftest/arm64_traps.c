// SPDX-License-Identifier: GPL-2.0-or-later
/* What arm64's exceptions have besides traps_tests.c, and the registers that libraries may use. */
#include <tine/arch.h>
#include <tine/selftest.h>

static __noinline unsigned long deeper(unsigned long n)
{
	volatile char room[256];

	room[0] = (char)n;
	return n ? deeper(n - 1) + (unsigned long)room[0] : 0;
}

/* Ends the machine, with "Stack overflow" and where it happened: tests/qemu/test_arm64.py looks. */
SELFTEST(traps, overflow, .by_name_only = true)
{
	EXPECT(deeper(1000000) == 1);
}

/* A guest's floating-point registers are in the CPU while the hypervisor runs. */
SELFTEST(library, floating_point_registers_come_back)
{
	u64 want = 0x123456789abcdef0, got;
	unsigned long flags;

	__asm__ volatile(".arch_extension fp\n\tfmov d0, %0\n\tfmov d31, %0" : : "r"(want));
	flags = arch_library_begin();
	__asm__ volatile(".arch_extension fp\n\tfmov d0, xzr\n\tfmov d31, xzr" : :);
	arch_library_end(flags);
	__asm__ volatile(".arch_extension fp\n\tfmov %0, d0" : "=r"(got));
	EXPECT(got == want);
	__asm__ volatile(".arch_extension fp\n\tfmov %0, d31" : "=r"(got));
	EXPECT(got == want);
}
