// SPDX-License-Identifier: GPL-2.0-or-later
/* NMIs that a vCPU sends itself: they pass the event mask, but not each other. */
#include "tiny_case.h"

#include <xen/nmi.h>

extern const char trap_stubs[];

#define STUB ((uint64_t)(trap_stubs + TRAP_NMI * TRAP_STUB_BYTES))

static struct {
	unsigned int count, depth, deepest, again;
	struct tiny_regs regs;
	uint8_t mask; /* of events, in the handler */
} nmi;

static long send(unsigned int vcpu)
{
	return hv_vcpu_op(VCPUOP_send_nmi, vcpu, NULL);
}

static bool on_nmi(struct tiny_regs *regs)
{
	nmi.count++;
	nmi.depth++;
	nmi.deepest = nmi.depth > nmi.deepest ? nmi.depth : nmi.deepest;
	nmi.regs = *regs;
	nmi.mask = tiny_vcpu->evtchn_upcall_mask;
	if (nmi.again) {
		nmi.again--;
		send(0);
		hv_sched_op(SCHEDOP_yield, NULL);
	}
	nmi.depth--;
	return true;
}

static void begin(unsigned int again)
{
	memset(&nmi, 0, sizeof(nmi));
	nmi.again = again;
	trap_set_hook(TRAP_NMI, on_nmi);
	EXPECT_EQ(trap_restore_table(), 0); /* another test took the handler away */
}

TINY_TEST(nmi_frame, "nmi.frame", "an NMI comes before the next instruction, events masked or not")
{
	begin(0);
	events_off();
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 1);
	EXPECT_EQ(nmi.regs.saved_upcall_mask, 1);
	EXPECT_EQ(nmi.regs.error, 0);
	EXPECT_EQ(nmi.regs.rax, 0);
	EXPECT(!(nmi.regs.rflags & EFLAGS_IF));
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 1);
	events_on();
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 2);
	EXPECT_EQ(nmi.regs.saved_upcall_mask, 0);
	EXPECT(nmi.regs.rflags & EFLAGS_IF);
	EXPECT_EQ(nmi.mask, 1);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);
}

TINY_TEST(nmi_nested, "nmi.nested", "one that is sent in the handler waits for its iret")
{
	begin(3);
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 4);
	EXPECT_EQ(nmi.deepest, 1);
}

TINY_TEST(nmi_errors, "nmi.errors", "no argument, no other domain's vCPU, no address but code")
{
	struct callback_register callback = { .type = CALLBACKTYPE_nmi, .address = 1ul << 47 };
	uint64_t word = 0;

	EXPECT_EQ(hv_vcpu_op(VCPUOP_send_nmi, 0, &word), -XEN_EINVAL);
	EXPECT_EQ(send(5000), -XEN_ENOENT);
	EXPECT_EQ(hv_callback_op(CALLBACKOP_register, &callback), -XEN_EINVAL);
}

TINY_TEST(nmi_handler, "nmi.handler",
	  "the callback is entry 2 of the trap table; an NMI that finds none is lost")
{
	struct callback_unregister none = { .type = CALLBACKTYPE_nmi };
	struct callback_register callback = { .type = CALLBACKTYPE_nmi, .address = STUB };
	struct xennmi_callback older = { .handler_address = STUB };

	begin(0);
	EXPECT_EQ(hv_callback_op(CALLBACKOP_unregister, &none), 0);
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 0);
	EXPECT_EQ(hv_callback_op(CALLBACKOP_register, &callback), 0);
	EXPECT_EQ(nmi.count, 0);
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 1);
	EXPECT_EQ(nmi.mask, 1);
	EXPECT_EQ(hypercall2(__HYPERVISOR_nmi_op, XENNMI_unregister_callback, 0), 0);
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 1);
	EXPECT_EQ(hypercall2(__HYPERVISOR_nmi_op, XENNMI_register_callback, (uint64_t)&older), 0);
	EXPECT_EQ(send(0), 0);
	EXPECT_EQ(nmi.count, 2);
	EXPECT_EQ(trap_restore_table(), 0);
	trap_set_hook(TRAP_NMI, NULL);
}
