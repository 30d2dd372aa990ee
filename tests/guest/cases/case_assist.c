// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vm_assist: what a guest switches on and off of its interface. Each test leaves things as the others expect
 * them.
 */
#include "tiny_case.h"

#include <xen/physdev.h>

extern const char userland_start[], user_cli[];

static long assist(unsigned int command, uint64_t type)
{
	return hypercall2(__HYPERVISOR_vm_assist, command, type);
}

static void set_iopl(unsigned int level)
{
	physdev_set_iopl_t iopl = { .iopl = level };

	EXPECT_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iopl, (uint64_t)&iopl), 0);
}

TINY_TEST(assist_types, "assist.types",
	  "types that there are not are refused: guests act on the answer")
{
	static const uint64_t none[] = { 6, 31, 33, 63, 64, ~0ul };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++)
		EXPECT_EQ(assist(VMASST_CMD_enable, none[i]), -XEN_EINVAL);
	EXPECT_EQ(assist(VMASST_CMD_enable, VMASST_TYPE_4gb_segments), 0);
	EXPECT_EQ(assist(VMASST_CMD_disable, VMASST_TYPE_4gb_segments), 0);
	EXPECT_EQ(assist(77, VMASST_TYPE_4gb_segments), -XEN_ENOSYS);
}

TINY_TEST(assist_off, "assist.off",
	  "writes to live tables are done for a guest only as long as it wants that")
{
	uint64_t *page = page_alloc(), *entry = (uint64_t *)pte_of(page, 1), old = *entry;

	REQUIRE_EQ(assist(VMASST_CMD_enable, VMASST_TYPE_writable_pagetables), 0);
	PROBE("mov %1, (%0)", : : "r"(entry), "r"(old) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(assist(VMASST_CMD_disable, VMASST_TYPE_writable_pagetables), 0);
	PROBE("mov %1, (%0)", : : "r"(entry), "r"(old) : "memory");
	/* Xen does it for its initial domain all the same. */
	EXPECT_EQ(tiny_fault.vector, hypervisor_is_tine() ? TRAP_PAGE : TRAP_NONE);
	EXPECT_EQ(assist(VMASST_CMD_enable, VMASST_TYPE_writable_pagetables), 0);
	page_free(page);
}

static bool cli_allowed(void)
{
	PROBE("cli", : : : "memory");
	return tiny_fault.vector == TRAP_NONE;
}

/* In user mode, which is entered with IOPL in its flags. */
static bool user_cli_allowed(uint64_t iopl)
{
	struct tiny_regs left, regs = {
		.rip = TINY_USER_CODE + (uint64_t)(user_cli - userland_start),
		.cs = FLAT_USER_CS64,
		.rflags = EFLAGS_IF | 2 | iopl,
		.rsp = TINY_USER_STACK_TOP,
		.ss = FLAT_USER_SS64,
	};

	user_resume(&regs, false, &left);
	return left.vector == TRAP_INVALID_OPCODE; /* the one behind it */
}

TINY_TEST(assist_iopl, "assist.architectural-iopl",
	  "the flags of frames show the virtual IOPL and set it, and the kernel counts as ring 0")
{
	REQUIRE_EQ(user_init(), 0);
	set_iopl(1);
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.rflags & EFLAGS_IOPL, 0);
	EXPECT(!user_cli_allowed(EFLAGS_IOPL));
	REQUIRE_EQ(assist(VMASST_CMD_enable, VMASST_TYPE_architectural_iopl), 0);
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.rflags & EFLAGS_IOPL, 0x1000);
	EXPECT(user_cli_allowed(EFLAGS_IOPL));
	PROBE("ud2", : : : "memory");
	EXPECT_EQ(tiny_fault.rflags & EFLAGS_IOPL, EFLAGS_IOPL);
	EXPECT(!user_cli_allowed(0x2000));
	EXPECT(!user_cli_allowed(0));
	EXPECT(cli_allowed());
	EXPECT_EQ(assist(VMASST_CMD_disable, VMASST_TYPE_architectural_iopl), 0);
	EXPECT(!cli_allowed());
}

TINY_TEST(assist_runstate, "assist.runstate-update",
	  "a record that is being written is marked; whoever reads it later sees no mark")
{
	static vcpu_runstate_info_t area;
	struct vcpu_register_runstate_memory_area where = { 0 };
	volatile uint64_t *entry_time = &area.state_entry_time;
	unsigned int tries;

	REQUIRE_EQ(assist(VMASST_CMD_enable, VMASST_TYPE_runstate_update_flag), 0);
	set_xen_guest_handle(where.addr.h, &area);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_runstate_memory_area, 0, &where), 0);
	*entry_time = 0;
	for (tries = 0; tries < 20 && !*entry_time; tries++)
		REQUIRE_EQ(timer_sleep(3000000), 0);
	EXPECT(*entry_time != 0);
	EXPECT(!(*entry_time & XEN_RUNSTATE_UPDATE));
	EXPECT(*entry_time <= time_now());
	set_xen_guest_handle(where.addr.h, NULL);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_runstate_memory_area, 0, &where), 0);
	EXPECT_EQ(assist(VMASST_CMD_disable, VMASST_TYPE_runstate_update_flag), 0);
}
