// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User mode: page tables of its own, in by the iret hypercall, out by system calls, gates, faults
 * and events, always onto the stack that stack_switch named.
 */
#include "tiny_case.h"

extern const char userland_start[], user_syscall[], user_syscall_return[], user_int80[],
	user_int80_return[];
extern const char user_int_kernel_gate[], user_breakpoint[], user_undefined[], user_divide[],
	user_read[];
extern const char user_write[], user_fetch[], user_cli[], user_hlt[], user_forced_cpuid[],
	user_read_gs[];
extern const char user_read_fs[], user_stack[], user_spin[];

static bool ready;

static uint64_t user_address(const char *label)
{
	return TINY_USER_CODE + (label - userland_start);
}

TINY_TEST(user_tables, "user.tables",
	  "page tables must be typed bottom up: read-only first, pinned, then loaded")
{
	REQUIRE_EQ(user_init(), 0);
	ready = true;
}

TINY_TEST(user_system_call, "user.syscall",
	  "a system call must arrive with all registers and RCX and R11 as SYSCALL left them")
{
	struct tiny_regs left, again;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_syscall, 0x99, false, &left);
	EXPECT_EQ(left.vector, TRAP_SYSCALL);
	EXPECT_EQ(left.rax, 0x6666);
	EXPECT_EQ(left.rip, user_address(user_syscall_return));
	EXPECT_EQ(left.rcx, left.rip);
	EXPECT_EQ(left.r11 & 0xcd5, left.rflags & 0xcd5);
	EXPECT_EQ(left.cs, FLAT_USER_CS64);
	EXPECT_EQ(left.ss & 0xffff, FLAT_USER_SS64);
	EXPECT_EQ(left.rsp, TINY_USER_STACK_TOP);
	EXPECT_EQ(left.rflags & EFLAGS_IF, EFLAGS_IF);
	EXPECT_EQ(left.saved_upcall_mask, 0);
	EXPECT(left.rbx == 0x1111 && left.rbp == 0x2222 && left.r12 == 0x3333 &&
	       left.r15 == 0x4444);
	EXPECT(left.r8 == 0x5555 && left.rdi == 0x99);

	/* And back with a result, once right and once wrong. */
	left.rax = 1 + left.rdi;
	user_resume(&left, false, &again);
	EXPECT_EQ(again.vector, TRAP_SYSCALL);
	EXPECT_EQ(again.rax, 0x7777);
	EXPECT_EQ(again.rflags & EFLAGS_CF, 0);
	left.rax = left.rdi;
	user_resume(&left, false, &again);
	EXPECT_EQ(again.rflags & EFLAGS_CF, EFLAGS_CF);
}

TINY_TEST(user_kernel_stack, "user.kernel-stack",
	  "user mode must come back onto the stack that stack_switch named, 16-aligned")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_undefined, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_INVALID_OPCODE);
	EXPECT_EQ(user_entry_sp(), user_kernel_stack_top() - sizeof(struct tiny_regs));
	REQUIRE_EQ(hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top() - 1000), 0);
	user_run(user_undefined, 0, false, &left);
	EXPECT_EQ(user_entry_sp(),
		  ((user_kernel_stack_top() - 1000) & ~15ul) - sizeof(struct tiny_regs));
	EXPECT_EQ(hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top()), 0);
}

TINY_TEST(user_gates, "user.gates", "int 0x80 is for users, the kernel's gates are not")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_int80, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_USER_GATE);
	EXPECT_EQ(left.rax, 0x8080);
	EXPECT_EQ(left.rip, user_address(user_int80_return));
	EXPECT_EQ(left.cs & 3, 3);
	user_run(user_breakpoint, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_BREAKPOINT);
	user_run(user_int_kernel_gate, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_PROTECTION);
}

TINY_TEST(user_faults, "user.faults",
	  "faults of user mode show RPL 3 and the user bit in the page-fault code")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_divide, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_DIVIDE);
	EXPECT_EQ(left.cs & 3, 3);
	user_run(user_read, 0x700000, false, &left);
	EXPECT_EQ(left.vector, TRAP_PAGE);
	EXPECT_EQ(left.error, PF_USER);
	EXPECT_EQ(tiny_vcpu->arch.cr2, 0x700000);
	user_run(user_write, TINY_USER_CODE, false, &left);
	EXPECT_EQ(left.error, PF_USER | PF_WRITE | PF_PRESENT);
	user_run(user_fetch, TINY_USER_DATA, false, &left);
	EXPECT_EQ(left.vector, TRAP_PAGE);
	EXPECT_EQ(left.error, PF_USER | PF_FETCH | PF_PRESENT);
	EXPECT_EQ(left.rip, TINY_USER_DATA);
	user_run(user_write, 0, false, &left);
	EXPECT_EQ(left.error, PF_USER | PF_WRITE);
	EXPECT_EQ(tiny_vcpu->arch.cr2, 0);
}

TINY_TEST(user_isolation, "user.isolation",
	  "user mode must reach neither the kernel's memory nor the hypervisor's")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_read, (uint64_t)&ready, false, &left);
	EXPECT_EQ(left.vector, TRAP_PAGE);
	EXPECT(left.error & PF_USER);
	EXPECT_EQ(tiny_vcpu->arch.cr2, &ready);
	user_run(user_read, 0xffff830000000000, false, &left);
	EXPECT_EQ(left.vector, TRAP_PAGE);
	user_run(user_write, TINY_M2P, false, &left);
	EXPECT_EQ(left.vector, TRAP_PAGE);
}

TINY_TEST(user_privileged, "user.privileged",
	  "nothing is emulated for user mode but the forced cpuid")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_cli, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_PROTECTION);
	user_run(user_hlt, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_PROTECTION);
	user_run(user_forced_cpuid, 0x40000000, false, &left);
	EXPECT_EQ(left.vector, TRAP_SYSCALL);
	EXPECT_EQ(left.rbx, 0x566e6558);
}

TINY_TEST(user_segment_bases, "user.segment-bases",
	  "the kernel's GS base and the user's are swapped on each crossing")
{
	struct tiny_regs left;
	static uint64_t kernel_word = 0x4b4b4b;
	uint64_t value;

	SKIP_IF(!ready, "no user page tables");
	REQUIRE_EQ(hv_set_segment_base(SEGBASE_GS_USER, TINY_USER_DATA), 0);
	REQUIRE_EQ(hv_set_segment_base(SEGBASE_GS_KERNEL, (uint64_t)&kernel_word), 0);
	user_run(user_read_gs, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_SYSCALL);
	EXPECT_EQ(left.rax, TINY_USER_DATA);
	asm volatile("mov %%gs:0, %0" : "=r"(value));
	EXPECT_EQ(value, kernel_word);
	REQUIRE_EQ(hv_set_segment_base(SEGBASE_FS, TINY_USER_DATA), 0);
	user_run(user_read_fs, 0, false, &left);
	EXPECT_EQ(left.rax, TINY_USER_DATA);
}

TINY_TEST(user_memory, "user.memory", "user mode must have the pages its tables give it")
{
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	user_run(user_stack, 0x5ca1ab1e, false, &left);
	EXPECT_EQ(left.vector, TRAP_SYSCALL);
	EXPECT_EQ(left.rax, 0x5ca1ab1e);
	user_run(user_write, TINY_USER_DATA + 8, false, &left);
	EXPECT_EQ(left.vector, TRAP_INVALID_OPCODE);
	user_run(user_read, TINY_USER_DATA + 8, false, &left);
	EXPECT_EQ(left.rax, TINY_USER_DATA + 8);
}

TINY_TEST(user_event, "user.event", "an event must interrupt user mode that never calls")
{
	struct tiny_regs left = { .rax = 0 };
	unsigned int tries;

	SKIP_IF(!ready, "no user page tables");
	/* With the mask closed the event cannot come before user mode has begun; on a slow host it comes at once. */
	for (tries = 0; tries < 20 && left.rax == 0; tries++) {
		uint64_t before = timer_count();

		events_off();
		REQUIRE_EQ(timer_set(time_now() + 2000000), 0);
		user_run(user_spin, 0, true, &left);
		events_on();
		EXPECT_EQ(left.vector, TRAP_EVENT);
		EXPECT_EQ(left.cs & 3, 3);
		EXPECT_EQ(timer_count(), before + 1);
	}
	EXPECT(left.rax > 0);
}

TINY_TEST(user_round_trips, "user.round-trips",
	  "nothing may leak or drift over many crossings, with events in between")
{
	unsigned int i, wrong = 0;
	struct tiny_regs left;

	SKIP_IF(!ready, "no user page tables");
	for (i = 0; i < 1000; i++) {
		if (i % 100 == 0)
			REQUIRE_EQ(timer_set(time_now() + 20000), 0);
		user_run(i & 1 ? user_syscall : user_int80, i, false, &left);
		wrong += left.vector != (i & 1 ? TRAP_SYSCALL : TRAP_USER_GATE) || left.rdi != i;
	}
	EXPECT_EQ(wrong, 0);
}
