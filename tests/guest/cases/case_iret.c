// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The iret hypercall within the kernel: every word of its frame, and what the hypervisor forces
 * (abi page 5.4).
 */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#define IN_SYSCALL 0x100ul /* return as from a system call: RCX and R11 are not restored */
#define EFLAGS_ZF 0x40ul
#define EFLAGS_FIXED 0x02ul

struct frame {
	uint64_t rax, r11, rcx, flags, rip, cs, rflags, rsp, ss;
};

/* Filled by landing_pad in this order. */
struct seen {
	uint64_t rax, rcx, r11, rsp, rflags, cs, ss;
};

struct seen landing_seen;
uint64_t landing_saved_sp;

void landing_iret(const void *frame, uint64_t *saved_sp);
extern const char landing_pad[];

/* An event may come in on it, with all its C frames. */
static char stack[8192] __attribute__((aligned(16)));

static struct frame plain_frame(void)
{
	return (struct frame){
		.rax = 0xaaaa,
		.r11 = 0xbbbb,
		.rcx = 0xcccc,
		.rip = (uint64_t)landing_pad,
		.cs = FLAT_KERNEL_CS64 & ~3,
		.rflags = EFLAGS_FIXED,
		.rsp = (uint64_t)&stack[sizeof(stack) - 64],
		.ss = FLAT_KERNEL_SS & ~3,
	};
}

/* With events masked until the frame is used: it is no stack to be interrupted on. */
static void go(const struct frame *frame)
{
	struct frame copy = *frame;

	events_off();
	memset(&landing_seen, 0, sizeof(landing_seen));
	landing_iret(&copy, &landing_saved_sp);
}

TINY_TEST(iret_registers, "iret.registers",
	  "RAX, RCX, R11, RSP, RFLAGS and the segments must come from the frame")
{
	struct frame frame = plain_frame();

	frame.rflags |= EFLAGS_ZF | EFLAGS_CF | EFLAGS_DF;
	go(&frame);
	EXPECT_EQ(landing_seen.rax, 0xaaaa);
	EXPECT_EQ(landing_seen.rcx, 0xcccc);
	EXPECT_EQ(landing_seen.r11, 0xbbbb);
	EXPECT_EQ(landing_seen.rsp, frame.rsp);
	EXPECT_EQ(landing_seen.cs, FLAT_KERNEL_CS64);
	EXPECT_EQ(landing_seen.ss, FLAT_KERNEL_SS);
	EXPECT_EQ(landing_seen.rflags & (EFLAGS_ZF | EFLAGS_CF | EFLAGS_DF),
		  EFLAGS_ZF | EFLAGS_CF | EFLAGS_DF);
	events_on();
}

TINY_TEST(iret_mask, "iret.mask",
	  "IF in the frame is the guest's event mask; the processor's own IF stays on")
{
	struct frame frame = plain_frame();

	go(&frame);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 1);
	EXPECT(landing_seen.rflags & EFLAGS_IF);
	frame.rflags |= EFLAGS_IF;
	go(&frame);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);
	EXPECT(landing_seen.rflags & EFLAGS_IF);
	events_on();
}

TINY_TEST(iret_flags, "iret.flags", "IOPL must not be taken from the frame, AC and ID must")
{
	struct frame frame = plain_frame();

	frame.rflags |= EFLAGS_IOPL | EFLAGS_AC | EFLAGS_ID;
	go(&frame);
	EXPECT_EQ(landing_seen.rflags & (EFLAGS_IOPL | EFLAGS_AC | EFLAGS_ID),
		  EFLAGS_AC | EFLAGS_ID);
	events_on();
}

TINY_TEST(iret_in_syscall, "iret.in-syscall",
	  "the quick return may leave RCX and R11 as SYSRET does")
{
	struct frame frame = plain_frame();

	frame.flags = IN_SYSCALL;
	go(&frame);
	EXPECT_EQ(landing_seen.rax, 0xaaaa);
	EXPECT_EQ(landing_seen.rsp, frame.rsp);
	EXPECT(landing_seen.rcx != 0xcccc);
	events_on();
}

TINY_TEST(iret_own_segments, "iret.own-segments",
	  "Linux returns to selectors of its own GDT; RPL 0 in the frame means kernel mode")
{
	struct frame frame = plain_frame();

	REQUIRE_EQ(gdt_init(), 0);
	frame.cs = GDT_CODE64 << 3;
	frame.ss = GDT_DATA << 3;
	go(&frame);
	EXPECT_EQ(landing_seen.cs, SELECTOR(GDT_CODE64));
	EXPECT_EQ(landing_seen.ss, SELECTOR(GDT_DATA));
	frame = plain_frame();
	go(&frame);
	EXPECT_EQ(landing_seen.cs, FLAT_KERNEL_CS64);
	events_on();
}

TINY_TEST(iret_pending, "iret.pending",
	  "an event that waits must come in with the iret that opens the mask")
{
	struct frame frame = plain_frame();
	uint64_t before = timer_count();

	events_off();
	REQUIRE_EQ(timer_set(time_now()), 0);
	while (!event_port_pending(timer_port()))
		hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT_EQ(timer_count(), before);
	frame.rflags |= EFLAGS_IF;
	go(&frame);
	EXPECT_EQ(timer_count(), before + 1);
	events_on();
}

/* What stopped the iret; the frame is mended and used again. */
static struct tiny_regs stopped;

static bool mend_frame(struct tiny_regs *regs)
{
	stopped = *regs;
	regs->cs = FLAT_KERNEL_CS64 & ~3;
	regs->ss = FLAT_KERNEL_SS & ~3;
	regs->rip = (uint64_t)landing_pad;
	return true;
}

static void go_wrong(const struct frame *frame, uint32_t error)
{
	stopped.vector = TRAP_NONE;
	trap_set_hook(TRAP_PROTECTION, mend_frame);
	go(frame);
	trap_set_hook(TRAP_PROTECTION, NULL);
	EXPECT_EQ(stopped.vector, TRAP_PROTECTION);
	EXPECT_EQ(stopped.error, error);
	EXPECT_EQ(stopped.rip, frame->rip);
	EXPECT_EQ(stopped.rsp, frame->rsp);
	EXPECT_EQ(landing_seen.rax, frame->rax);
	EXPECT_EQ(landing_seen.r11, frame->r11);
	events_on();
}

TINY_TEST(iret_bad_frame, "iret.bad-frame",
	  "an IRET that faults inside the hypervisor is the guest's #GP, as if its target had "
	  "faulted")
{
	struct frame frame = plain_frame();

	REQUIRE_EQ(gdt_init(), 0);
	frame.cs = GDT_DATA << 3;
	go_wrong(&frame, GDT_DATA << 3);
	frame.cs = GDT_TLS << 3;
	go_wrong(&frame, GDT_TLS << 3);
	frame = plain_frame();
	frame.ss = GDT_TLS << 3;
	go_wrong(&frame, GDT_TLS << 3);
	frame = plain_frame();
	frame.rip = 0x0000800000000000;
	go_wrong(&frame, 0);
}
