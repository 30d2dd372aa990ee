// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exceptions bounced to the kernel's trap table: vector, error code, frame, and what a gate's flags
 * do.
 */
#include "tiny_case.h"

/* Where a hook leaves what it saw, before the exception table deals with the fault. */
static struct tiny_regs seen;
static uint64_t seen_frame_top;
static uint8_t seen_mask;

static bool capture(struct tiny_regs *regs)
{
	seen = *regs;
	seen_frame_top = (uint64_t)(regs + 1);
	seen_mask = tiny_vcpu->evtchn_upcall_mask;
	return false;
}

static void capture_ud2(void)
{
	trap_set_hook(TRAP_INVALID_OPCODE, capture);
	PROBE("ud2",
	      :
	      : "a"(0xa1), "b"(0xb2), "c"(0xc3), "d"(0xd4), "S"(0xe5), "D"(0xf6)
	      : "memory");
	trap_set_hook(TRAP_INVALID_OPCODE, NULL);
}

TINY_TEST(trap_divide, "traps.divide", "the plainest fault: no error code, RIP at the instruction")
{
	PROBE("divl %%ecx", : : "a"(1), "d"(0), "c"(0) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_DIVIDE);
	EXPECT_EQ(tiny_fault.error, 0);
}

TINY_TEST(trap_frame, "traps.frame",
	  "kernel mode must show as RPL 0, IF as the upcall mask, IOPL as 0, all registers kept")
{
	capture_ud2();
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);
	EXPECT_EQ(seen.cs, FLAT_KERNEL_CS64 & ~3);
	EXPECT_EQ(seen.ss & 0xfffc, FLAT_KERNEL_SS & ~3);
	EXPECT_EQ(seen.saved_upcall_mask, 0);
	EXPECT_EQ(seen.rflags & (EFLAGS_IF | EFLAGS_IOPL | EFLAGS_TF), EFLAGS_IF);
	EXPECT_EQ(seen_frame_top & 15, 0);
	EXPECT(seen_frame_top <= seen.rsp && seen.rsp - seen_frame_top < 16);
	EXPECT(seen.rax == 0xa1 && seen.rbx == 0xb2 && seen.rcx == 0xc3);
	EXPECT(seen.rdx == 0xd4 && seen.rsi == 0xe5 && seen.rdi == 0xf6);
}

TINY_TEST(trap_mask, "traps.mask",
	  "a gate that masks events must do so, after noting what the mask was")
{
	bool on = events_off();

	capture_ud2();
	EXPECT_EQ(seen.saved_upcall_mask, 1);
	EXPECT_EQ(seen.rflags & EFLAGS_IF, 0);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 1);
	events_on();
	capture_ud2();
	EXPECT_EQ(seen_mask, 1);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);

	/* The gate of #OF does not mask. */
	trap_set_hook(TRAP_OVERFLOW, capture);
	PROBE("int $4", : : : "memory");
	trap_set_hook(TRAP_OVERFLOW, NULL);
	EXPECT_EQ(tiny_fault.vector, TRAP_OVERFLOW);
	EXPECT_EQ(seen_mask, 0);
	events_restore(on);
}

TINY_TEST(trap_breakpoint, "traps.breakpoint",
	  "int3 reports the instruction behind it, and needs no kernel privilege")
{
	uint64_t rip;

	PROBE("int3", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_BREAKPOINT);
	asm volatile("lea 772b(%%rip), %0" : "=r"(rip));
	EXPECT_EQ(tiny_fault.rip, rip);
}

static bool count_step(struct tiny_regs *regs)
{
	seen = *regs;
	regs->rflags &= ~EFLAGS_TF;
	return true;
}

TINY_TEST(trap_debug, "traps.debug",
	  "a single step must reach the guest, with TF off in its handler")
{
	memset(&seen, 0, sizeof(seen));
	trap_set_hook(TRAP_DEBUG, count_step);
	asm volatile("pushfq; orl $0x100, (%%rsp); popfq; nop; nop" : : : "memory", "cc");
	trap_set_hook(TRAP_DEBUG, NULL);
	EXPECT_EQ(seen.vector, TRAP_DEBUG);
	EXPECT(seen.rip != 0);
	EXPECT_EQ(seen.rflags & EFLAGS_TF, EFLAGS_TF);
}

TINY_TEST(trap_protection, "traps.protection",
	  "#GP error codes: the selector for a load, 0 for an address or instruction")
{
	PROBE("mov %%ax, %%ds", : : "a"(0x7fff8) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(tiny_fault.error, 0xfff8);
	PROBE("mov (%0), %%rax", : : "r"(0x8000000000000000) : "rax", "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(tiny_fault.error, 0);
	PROBE("hlt", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(tiny_fault.error, 0);
}

TINY_TEST(trap_software, "traps.software",
	  "int n is open to the kernel by its gate, else a #GP that names the vector")
{
	PROBE("int $0x80", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_USER_GATE);
	PROBE("int $0x28", : : : "memory");
	EXPECT(tiny_fault.vector == TRAP_KERNEL_GATE || tiny_fault.vector == TRAP_QEMU_GATE);

	/* Nothing is registered for 0x29, nor for what QEMU 7.2 makes of it. */
	PROBE("int $0x29", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT(tiny_fault.error == 0x29 * 8 + 2 || tiny_fault.error == 0x29 * 16 + 2);
	/* A page-fault gate is not for software: it would lack its error code. */
	PROBE("int $14", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

static bool nested(struct tiny_regs *regs)
{
	struct tiny_regs before = *regs;
	uint64_t cr2 = tiny_vcpu->arch.cr2;

	if (regs->vector != TRAP_PAGE || cr2 != 0x5550000)
		return false;
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);
	PROBE("mov (%0), %%rax", : : "r"(0x6660000ul) : "rax", "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, 0x6660000);
	EXPECT(!memcmp(&before, regs, sizeof(before)));
	tiny_vcpu->arch.cr2 = cr2;
	return false;
}

TINY_TEST(trap_nested, "traps.nested",
	  "a fault in a fault handler must not disturb the frame of the first")
{
	trap_set_hook(TRAP_PAGE, nested);
	PROBE("mov (%0), %%rax", : : "r"(0x5550000ul) : "rax", "memory");
	trap_set_hook(TRAP_PAGE, NULL);
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(tiny_fault.cr2, 0x5550000);
}

TINY_TEST(trap_fpu_error, "traps.fpu-error",
	  "an unmasked x87 exception is #MF, not an interrupt through the old controller")
{
	uint16_t control = 0x37f & ~4, reset = 0x37f;

	asm volatile(
		"fninit; fldcw %0; fldz; fld1; fdivp %%st, %%st(1); fldz; fld1; fdiv %%st(1), %%st"
		:
		: "m"(control)
		: "memory");
	PROBE("fwait", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_FPU);
	asm volatile("fnclex; fninit; fldcw %0" : : "m"(reset) : "memory");
}

TINY_TEST(trap_table_errors, "traps.table-errors",
	  "a bad table must be refused without losing the one in force")
{
	static const trap_info_t bad[] = {
		{ 0x90, 0, FLAT_KERNEL_CS64, 0x8000000000000000 },
		{ 0, 0, 0, 0 },
	};

	EXPECT_EQ(hv_set_trap_table(bad), -XEN_EINVAL);
	EXPECT_EQ(hv_set_trap_table((const trap_info_t *)0x123456789000), -XEN_EFAULT);
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);
}

TINY_TEST(trap_table_partial, "traps.table-partial",
	  "set_trap_table adds to what is there; only NULL clears")
{
	static const trap_info_t nothing[] = { { 0, 0, 0, 0 } };

	EXPECT_EQ(hv_set_trap_table(nothing), 0);
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);

	EXPECT_EQ(hv_set_trap_table(NULL), 0);
	EXPECT_EQ(trap_restore_table(), 0);
	PROBE("int $0x80", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_USER_GATE);
}
