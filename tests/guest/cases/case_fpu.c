// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * FPU and SSE registers: kept by the hypervisor while the vCPU is away, and handed from task to
 * task by the guest with the virtual TS bit (fpu_taskswitch), as a kernel does that saves them only
 * when another task wants them.
 */
#include "tiny_case.h"
#include "tiny_task.h"

#define ROUNDS 50

struct state {
	uint8_t bytes[512] __attribute__((aligned(16)));
};

static void load_pattern(uint64_t seed)
{
	asm volatile("movq %0, %%xmm0; movq %1, %%xmm15; movq %2, %%xmm7; fninit; fildll %3"
		     :
		     : "r"(seed), "r"(~seed), "r"(seed * 3), "m"(seed)
		     : "memory");
}

static bool holds_pattern(uint64_t seed)
{
	uint64_t a, b, c, top;

	asm volatile("movq %%xmm0, %0; movq %%xmm15, %1; movq %%xmm7, %2; fistpll %3; fildll %3"
		     : "=r"(a), "=r"(b), "=r"(c), "=m"(top));
	return a == seed && b == ~seed && c == seed * 3 && top == seed;
}

TINY_TEST(fpu_initial, "fpu.initial",
	  "a guest starts with the FPU as after reset, and no one's data in it")
{
	uint16_t control;
	uint32_t mxcsr;

	asm volatile("fnstcw %0; stmxcsr %1" : "=m"(control), "=m"(mxcsr));
	EXPECT_EQ(control, 0x37f);
	EXPECT_EQ(mxcsr, 0x1f80);
}

TINY_TEST(fpu_kept, "fpu.kept", "registers must survive calls, yielding, blocking and faults")
{
	load_pattern(0x123456789abcdef);
	hv_xen_version(XENVER_version, NULL);
	hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT(holds_pattern(0x123456789abcdef));
	REQUIRE_EQ(timer_sleep(3000000), 0);
	EXPECT(holds_pattern(0x123456789abcdef));
	PROBE("ud2", : : : "memory");
	EXPECT(holds_pattern(0x123456789abcdef));
}

TINY_TEST(fpu_taskswitch, "fpu.taskswitch",
	  "with TS set the first use is #NM, which clears it again")
{
	uint64_t cr0;

	load_pattern(0x55);
	EXPECT_EQ(hv_fpu_taskswitch(true), 0);
	asm volatile("mov %%cr0, %0" : "=r"(cr0));
	EXPECT(cr0 & 8);
	PROBE("fnop", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NO_FPU);
	PROBE("fnop", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT(holds_pattern(0x55));
	EXPECT_EQ(hv_fpu_taskswitch(true), 0);
	EXPECT_EQ(hv_fpu_taskswitch(false), 0);
	PROBE("fnop", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
}

TINY_TEST(fpu_ts_kept, "fpu.ts-kept", "TS must still be set after the vCPU was away")
{
	EXPECT_EQ(hv_fpu_taskswitch(true), 0);
	REQUIRE_EQ(timer_sleep(2000000), 0);
	PROBE("fnop", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NO_FPU);
}

/*
 * Two tasks and a lazy hand-over: on a switch only TS is set, in #NM the owner's registers go and
 * the current task's come.
 */
static struct state saved[TASKS_MAX];
static struct task *owner;
static unsigned int handed_over, lost;

static void set_ts(struct task *from, struct task *to)
{
	(void)from;
	if (to != owner)
		EXPECT_EQ(hv_fpu_taskswitch(true), 0);
	else
		EXPECT_EQ(hv_fpu_taskswitch(false), 0);
}

static bool hand_over(struct tiny_regs *regs)
{
	struct task *task = task_current();

	(void)regs;
	handed_over++;
	if (owner)
		asm volatile("fxsave64 %0" : "=m"(saved[owner->id]));
	asm volatile("fxrstor64 %0" : : "m"(saved[task->id]));
	owner = task;
	return true;
}

static void fpu_task(void *argument)
{
	uint64_t seed = (uint64_t)argument;
	unsigned int i;

	load_pattern(seed);
	for (i = 0; i < ROUNDS; i++) {
		task_yield();
		lost += !holds_pattern(seed);
	}
}

TINY_TEST(fpu_tasks, "fpu.tasks",
	  "tasks that take turns at the FPU must each find their own numbers in it")
{
	unsigned int i;

	owner = NULL;
	lost = handed_over = 0;
	for (i = 0; i < TASKS_MAX; i++)
		asm volatile("fninit; fxsave64 %0" : "=m"(saved[i]));
	task_start(fpu_task, (void *)0x1111111111111);
	task_start(fpu_task, (void *)0x2222222222222);
	trap_set_hook(TRAP_NO_FPU, hand_over);
	task_set_switch_hook(set_ts);
	task_run_all();
	task_set_switch_hook(NULL);
	trap_set_hook(TRAP_NO_FPU, NULL);
	EXPECT_EQ(hv_fpu_taskswitch(false), 0);
	EXPECT_EQ(lost, 0);
	EXPECT(handed_over >= 2 * ROUNDS);
}
