// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What takes a second vCPU: segment registers that cannot be loaded when the first one comes back
 * to the CPU that it shares, and NMIs from one vCPU to the other; its context, with debug registers, and run
 * states. Skipped with one vCPU; what needs
 * a shared CPU also unless the command line says `one-cpu`, for a machine that has only one: the
 * guest cannot know, and with a CPU of its own nothing is ever loaded again.
 */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#define BAD_SELECTOR SELECTOR(GDT_TLS)
#define DR7_WRITES_2 0x09000410ul /* breakpoint 2, 8 bytes written */
#define PATIENCE 10000000000UL    /* ns; its CPU may be one that the host has lent to others */

extern uint64_t failsafe_selectors[4]; /* DS ES FS GS of the frame */
extern const char trap_stubs[], user_spin[];

static char stack[8192] __attribute__((aligned(16)));
static vcpu_guest_context_t context;
static volatile uint64_t watched; /* by the second's debug registers */

static struct {
	volatile unsigned int turns, blocked, woken, nmis, debugs;
	volatile bool sleep, stop, shoot, touch;
} second;

static struct {
	volatile unsigned int count;
	struct tiny_regs regs;
	uint8_t mask;
} failsafe;

static bool on_failsafe(struct tiny_regs *regs)
{
	failsafe.count++;
	failsafe.regs = *regs;
	failsafe.mask = tiny_vcpu->evtchn_upcall_mask;
	return true;
}

static bool on_nmi(struct tiny_regs *regs)
{
	second.nmis +=
		regs->rsp > (uint64_t)stack && regs->rsp <= (uint64_t)(stack + sizeof(stack));
	return true;
}

/* It takes turns with the first by yielding, sleeps (all ports are the first's), or is down. */
static void __noreturn second_main(void)
{
	for (;;) {
		second.turns++;
		if (second.shoot) {
			second.shoot = false;
			hv_vcpu_op(VCPUOP_send_nmi, 0, NULL);
		}
		if (second.touch) {
			second.touch = false;
			watched++;
		}
		if (second.stop) {
			hv_vcpu_op(VCPUOP_down, 1, NULL);
		} else if (second.sleep) {
			second.blocked++;
			hv_sched_op(SCHEDOP_block, NULL);
			second.woken++;
		} else {
			hv_sched_op(SCHEDOP_yield, NULL);
		}
	}
}

static bool have_second(void)
{
	return hv_vcpu_op(VCPUOP_is_up, 1, NULL) >= 0;
}

static void handle_in_context(unsigned int vector)
{
	context.trap_ctxt[vector] =
		(trap_info_t){ (uint8_t)vector, 4, FLAT_KERNEL_CS64,
			       (uint64_t)(trap_stubs + vector * TRAP_STUB_BYTES) };
}

static void fill_context(void)
{
	memset(&context, 0, sizeof(context));
	context.flags = VGCF_in_kernel;
	context.user_regs.rip = (uint64_t)second_main;
	context.user_regs.rsp = (uint64_t)(stack + sizeof(stack)) - 8;
	context.user_regs.cs = FLAT_KERNEL_CS64;
	context.user_regs.ss = FLAT_KERNEL_SS;
	context.ctrlreg[3] = virt_to_machine((const void *)tiny_start_info->pt_base);
	handle_in_context(TRAP_DEBUG);
	handle_in_context(TRAP_NMI);
	context.debugreg[2] = (uint64_t)&watched;
	context.debugreg[7] = DR7_WRITES_2;
}

static int start_second(void)
{
	long rc;

	fill_context();
	rc = hv_vcpu_op(VCPUOP_initialise, 1, &context);
	second.stop = second.sleep = false;
	/* A test before this one may have started and stopped it. */
	return rc && rc != -XEN_EEXIST ? (int)rc : (int)hv_vcpu_op(VCPUOP_up, 1, NULL);
}

static void stop_second(void)
{
	second.stop = true;
	while (hv_vcpu_op(VCPUOP_is_up, 1, NULL) == 1)
		hv_sched_op(SCHEDOP_yield, NULL);
}

/* Until *COUNTER is no longer SEEN; false if it stays so, for PATIENCE ns. */
static bool moves_within(uint64_t patience, const volatile unsigned int *counter, unsigned int seen)
{
	uint64_t end = time_now() + patience;

	while (*counter == seen && time_now() < end)
		hv_sched_op(SCHEDOP_yield, NULL);
	return *counter != seen;
}

static bool moves_on(const volatile unsigned int *counter, unsigned int seen)
{
	return moves_within(PATIENCE, counter, seen);
}

/* If it does not sleep it has a turn, else the time to fall asleep. */
static void be_away(void)
{
	moves_within(PATIENCE / 100, &second.turns, second.turns);
}

/* Each right but for one thing. Before the vCPU has got one that is right: it keeps that. */
TINY_TEST(bad_contexts, "second-vcpu.contexts",
	  "what the CPU could not load must be refused with all the rest")
{
	static uint64_t *const wrong[] = {
		&context.fs_base,
		&context.gs_base_kernel,
		&context.gs_base_user,
		&context.event_callback_eip,
		&context.syscall_callback_eip,
		&context.failsafe_callback_eip,
		&context.user_regs.rip,
		&context.trap_ctxt[77].address,
	};
	unsigned int i;

	SKIP_IF(!have_second(), "one vCPU");
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		fill_context();
		*wrong[i] = 1ul << 47;
		if (!EXPECT_EQ(hv_vcpu_op(VCPUOP_initialise, 1, &context), -XEN_EINVAL))
			printf("# context %u\n", i);
	}
	fill_context();
	context.ldt_ents = 8193;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_initialise, 1, &context), -XEN_EINVAL);
	fill_context();
	context.gdt_ents = 7169;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_initialise, 1, &context), -XEN_EINVAL);
	fill_context();
	context.ctrlreg[3] = virt_to_machine(tiny_start_info) & PAGE_MASK;
	EXPECT(hv_vcpu_op(VCPUOP_initialise, 1, &context) < 0);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_initialise, 1, (void *)0x123456789000), -XEN_EFAULT);
	EXPECT(hv_vcpu_op(VCPUOP_up, 1, NULL) < 0);
}

static bool on_debug(struct tiny_regs *regs)
{
	second.debugs +=
		regs->rsp > (uint64_t)stack && regs->rsp <= (uint64_t)(stack + sizeof(stack));
	return true;
}

TINY_TEST(own_debug_registers, "second-vcpu.debug-registers",
	  "each vCPU has its own, from its context on: a breakpoint of one never stops the other")
{
	SKIP_IF(!have_second(), "one vCPU");
	trap_set_hook(TRAP_DEBUG, on_debug);
	REQUIRE_EQ(start_second(), 0);
	REQUIRE(moves_on(&second.turns, second.turns));
	EXPECT_EQ(hypercall1(__HYPERVISOR_get_debugreg, 2) == (long)&watched, false);
	watched = 1;
	be_away();
	watched = 2;
	EXPECT_EQ(second.debugs, 0);
	second.touch = true;
	EXPECT(moves_on(&second.debugs, 0));
	be_away();
	EXPECT_EQ(watched, 3);
	EXPECT_EQ(second.debugs, 1);
	stop_second();
	trap_set_hook(TRAP_DEBUG, NULL);
}

static bool in_state(int state)
{
	vcpu_runstate_info_t now;
	uint64_t end = time_now() + PATIENCE;

	do {
		if (hv_vcpu_op(VCPUOP_get_runstate_info, 1, &now))
			return false;
		if (now.state == state)
			return now.state_entry_time <= time_now();
		hv_sched_op(SCHEDOP_yield, NULL);
	} while (time_now() < end);
	return false;
}

TINY_TEST(runstate_of_other, "second-vcpu.runstate",
	  "what another vCPU does, and what it did so far")
{
	vcpu_runstate_info_t before, after;

	SKIP_IF(!have_second(), "one vCPU");
	REQUIRE_EQ(start_second(), 0);
	REQUIRE(moves_on(&second.turns, second.turns));
	second.sleep = true;
	EXPECT(in_state(RUNSTATE_blocked));
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_get_runstate_info, 1, &before), 0);
	REQUIRE_EQ(timer_sleep(2000000), 0);
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_get_runstate_info, 1, &after), 0);
	EXPECT(after.time[RUNSTATE_blocked] >= before.time[RUNSTATE_blocked] + 2000000);
	EXPECT_EQ(after.time[RUNSTATE_running], before.time[RUNSTATE_running]);
	second.sleep = false;
	trap_set_hook(TRAP_NMI, on_nmi);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_send_nmi, 1, NULL), 0); /* wakes it */
	stop_second();
	trap_set_hook(TRAP_NMI, NULL);
	EXPECT(in_state(RUNSTATE_offline));
	EXPECT_EQ(hv_vcpu_op(VCPUOP_get_runstate_info, 5000, &after), -XEN_ENOENT);
}

TINY_TEST(failsafe_selector, "second-vcpu.failsafe",
	  "a segment that went away while its vCPU did not run is the failsafe callback's")
{
	uint64_t valid = gdt_data_descriptor(0, 0xfffff);
	uint16_t fs = 0;

	SKIP_IF(!have_second(), "one vCPU");
	SKIP_IF(!cmdline_has_word((const char *)tiny_start_info->cmd_line, "one-cpu"),
		"not said to share a CPU");
	REQUIRE_EQ(gdt_init(), 0);
	REQUIRE_EQ(start_second(), 0);
	REQUIRE(moves_on(&second.turns, second.turns));
	trap_set_hook(TRAP_FAILSAFE, on_failsafe);
	failsafe.count = 0;
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), valid), 0);
	asm volatile("mov %0, %%fs" : : "r"(BAD_SELECTOR));
	be_away();
	EXPECT_EQ(failsafe.count, 0);
	asm volatile("mov %%fs, %0" : "=r"(fs));
	EXPECT_EQ(fs, BAD_SELECTOR);
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), 0), 0);
	be_away();
	EXPECT_EQ(failsafe.count, 1);
	EXPECT_EQ(failsafe_selectors[2] & 0xffff, BAD_SELECTOR);
	EXPECT_EQ(failsafe.mask, 1);
	EXPECT_EQ(failsafe.regs.saved_upcall_mask, 0);
	EXPECT_EQ(failsafe.regs.cs, FLAT_KERNEL_CS64 & ~3);
	asm volatile("mov %%fs, %0" : "=r"(fs));
	EXPECT_EQ(fs & ~3, 0);
	be_away();
	EXPECT_EQ(failsafe.count, 1);
	stop_second();
	trap_set_hook(TRAP_FAILSAFE, NULL);
}

TINY_TEST(nmi_wakes, "second-vcpu.nmi", "an NMI reaches another vCPU, also one that is blocked")
{
	unsigned int woken;

	SKIP_IF(!have_second(), "one vCPU");
	REQUIRE_EQ(start_second(), 0);
	REQUIRE(moves_on(&second.turns, second.turns));
	trap_set_hook(TRAP_NMI, on_nmi);
	second.nmis = 0;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_send_nmi, 1, NULL), 0);
	EXPECT(moves_on(&second.nmis, 0));
	second.sleep = true;
	EXPECT(moves_on(&second.blocked, second.blocked));
	be_away();
	woken = second.woken;
	second.sleep = false;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_send_nmi, 1, NULL), 0);
	EXPECT(moves_on(&second.woken, woken));
	EXPECT_EQ(second.nmis, 2);
	stop_second();
	trap_set_hook(TRAP_NMI, NULL);
}

/* One that hits the kernel on its way to user mode was too early. */
static bool once_more_if_early(struct tiny_regs *regs)
{
	second.shoot = true;
	return !regs_from_user(regs);
}

TINY_TEST(nmi_in_user_mode, "second-vcpu.nmi-user", "an NMI takes a vCPU out of user mode")
{
	struct tiny_regs left;

	SKIP_IF(!have_second(), "one vCPU");
	REQUIRE_EQ(user_init(), 0);
	REQUIRE_EQ(start_second(), 0);
	trap_set_hook(TRAP_NMI, once_more_if_early);
	second.shoot = true;
	user_run(user_spin, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_NMI);
	EXPECT_EQ(left.cs & 3, 3);
	EXPECT_EQ(left.saved_upcall_mask, 0);
	trap_set_hook(TRAP_NMI, on_nmi);
	second.shoot = false;
	stop_second();
	trap_set_hook(TRAP_NMI, NULL);
}
