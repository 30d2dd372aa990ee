// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug registers: breakpoints of the guest's own that really stop it, status, and what is refused
 * because it could stop the hypervisor.
 */
#include "tiny_case.h"

#define EFLAGS_RF 0x10000ul
#define DR6_EMPTY 0xffff0ff0ul
#define DR7_EMPTY 0x400ul
#define DR7_GENERAL_DETECT 0x2000ul
#define DR7_LOCAL(n) (1ul << 2 * (n))
#define DR7_KIND(n, kind) ((uint64_t)(kind) << (16 + 4 * (n)))
#define KIND_EXECUTE 0x0ul
#define KIND_WRITE_8 0x9ul

static volatile uint64_t watched;

static struct {
	volatile unsigned int count;
	volatile uint64_t rip;
} hit;

static bool on_debug(struct tiny_regs *regs)
{
	hit.count++;
	hit.rip = regs->rip;
	regs->rflags |= EFLAGS_RF; /* a breakpoint on an instruction comes before it */
	return true;
}

static long set(unsigned int reg, uint64_t value)
{
	return hypercall2(__HYPERVISOR_set_debugreg, reg, value);
}

static uint64_t get(unsigned int reg)
{
	return (uint64_t)hypercall1(__HYPERVISOR_get_debugreg, reg);
}

/* Breakpoint N at ADDRESS, the only one. */
static void arm(unsigned int n, uint64_t address, uint64_t kind)
{
	hit.count = 0;
	trap_set_hook(TRAP_DEBUG, on_debug);
	EXPECT_EQ(set(6, 0), 0);
	EXPECT_EQ(set(n, address), 0);
	EXPECT_EQ(set(7, DR7_EMPTY | DR7_LOCAL(n) | DR7_KIND(n, kind)), 0);
}

static void disarm(void)
{
	EXPECT_EQ(set(7, DR7_EMPTY), 0);
	trap_set_hook(TRAP_DEBUG, NULL);
}

TINY_TEST(debug_write, "debug.write",
	  "a watched word stops whoever writes it, and says which it was")
{
	arm(2, (uint64_t)&watched, KIND_WRITE_8);
	EXPECT_EQ(hit.count, 0);
	watched = 1;
	EXPECT_EQ(hit.count, 1);
	EXPECT_EQ(get(6) & 15, 4);
	(void)watched;
	EXPECT_EQ(hit.count, 1);
	EXPECT_EQ(set(6, 0), 0);
	EXPECT_EQ(get(6), DR6_EMPTY);
	disarm();
	watched = 2;
	EXPECT_EQ(hit.count, 1);
}

static __attribute__((noinline, noclone)) uint64_t somewhere(uint64_t value)
{
	asm volatile("" : "+r"(value));
	return value + 1;
}

TINY_TEST(debug_execute, "debug.execute",
	  "an instruction stops before it is done, and goes on then")
{
	arm(1, (uint64_t)somewhere, KIND_EXECUTE);
	EXPECT_EQ(somewhere(7), 8);
	EXPECT_EQ(hit.count, 1);
	EXPECT_EQ(hit.rip, somewhere);
	EXPECT_EQ(get(6) & 15, 2);
	disarm();
	EXPECT_EQ(somewhere(8), 9);
	EXPECT_EQ(hit.count, 1);
}

TINY_TEST(debug_kept, "debug.kept", "breakpoints are still there after the vCPU was away")
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		EXPECT_EQ(set(i, 0x1000ul * (i + 1)), 0);
	arm(3, (uint64_t)&watched, KIND_WRITE_8);
	REQUIRE_EQ(timer_sleep(3000000), 0);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(get(i), 0x1000ul * (i + 1));
	EXPECT_EQ(get(3), &watched);
	EXPECT_EQ(hit.count, 0);
	watched = 3;
	EXPECT_EQ(hit.count, 1);
	disarm();
}

TINY_TEST(debug_refused, "debug.refused",
	  "nothing that would stop the hypervisor, or that no register holds")
{
	EXPECT_EQ(set(0, (uint64_t)&watched), 0);
	EXPECT(set(0, 0xffff800000000000) < 0);
	EXPECT(set(0, 0xffff820000000000) < 0);
	EXPECT(set(0, 0xffff87fffffffff8) < 0);
	EXPECT(set(0, 1ul << 47) < 0);
	EXPECT_EQ(get(0), &watched);
	EXPECT(set(7, DR7_EMPTY | DR7_GENERAL_DETECT) < 0);
	EXPECT(set(7, DR7_EMPTY | 1ul << 32) < 0);
	EXPECT_EQ(get(7), DR7_EMPTY);
	EXPECT(set(8, 0) < 0);
	EXPECT_EQ((long)get(8), -XEN_ENODEV);
}
