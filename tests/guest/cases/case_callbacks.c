// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the hypervisor enters the guest other than by the trap table, and the stack it enters on.
 */
#include "tiny_case.h"

extern const char trap_stub_event[], trap_stub_failsafe[], trap_stub_syscall[];

#define NON_CANONICAL 0x0000800000000000ul

static long register_one(uint16_t type, uint64_t address)
{
	struct callback_register callback = { .type = type, .address = address };

	return hv_callback_op(CALLBACKOP_register, &callback);
}

static long unregister_one(uint16_t type)
{
	struct callback_unregister callback = { .type = type };

	return hv_callback_op(CALLBACKOP_unregister, &callback);
}

TINY_TEST(callbacks_set, "callbacks.set",
	  "the older call that sets three callbacks at once must do the same as the newer one")
{
	uint64_t before = timer_count();

	REQUIRE_EQ(hv_set_callbacks((uint64_t)trap_stub_event, (uint64_t)trap_stub_failsafe,
				    (uint64_t)trap_stub_syscall),
		   0);
	REQUIRE_EQ(timer_set(time_now()), 0);
	timer_wait(before);
	trap_restore_callbacks();
}

TINY_TEST(callbacks_errors, "callbacks.errors", "unknown types and addresses that cannot be code")
{
	EXPECT_EQ(register_one(CALLBACKTYPE_event, NON_CANONICAL), -XEN_EINVAL);
	EXPECT_EQ(register_one(CALLBACKTYPE_syscall, NON_CANONICAL), -XEN_EINVAL);
	EXPECT_EQ(register_one(99, (uint64_t)trap_stub_event), -XEN_ENOSYS);
	EXPECT_EQ(unregister_one(CALLBACKTYPE_event), -XEN_EINVAL);
	EXPECT_EQ(unregister_one(CALLBACKTYPE_failsafe), -XEN_EINVAL);
	EXPECT_EQ(unregister_one(CALLBACKTYPE_syscall), -XEN_EINVAL);
	EXPECT_EQ(hv_callback_op(99, NULL), -XEN_ENOSYS);
	EXPECT_EQ(hv_callback_op(CALLBACKOP_register, (void *)0x123456789000), -XEN_EFAULT);
}

TINY_TEST(callbacks_nmi, "callbacks.nmi", "the NMI callback can be set and taken back")
{
	EXPECT_EQ(register_one(CALLBACKTYPE_nmi, (uint64_t)trap_stub_event), 0);
	EXPECT_EQ(unregister_one(CALLBACKTYPE_nmi), 0);
}

TINY_TEST(stack_switch_values, "callbacks.stack-switch",
	  "stack_switch takes any stack; a wrong one shows when user mode comes back")
{
	EXPECT_EQ(hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top()), 0);
	EXPECT_EQ(hv_stack_switch(FLAT_KERNEL_SS & ~3, user_kernel_stack_top()), 0);
}
