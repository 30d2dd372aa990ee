// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ports: who may use them by virtual IOPL and by the guest's own bitmap, and what they give where
 * nothing is.
 */
#include "tiny_case.h"

#include <xen/physdev.h>

#define PORT 0x1234 /* nothing is there, neither on Xen's machine */
#define PORTS 65536

extern const char user_in_byte[], user_in_word[], user_cli[];

static uint8_t bitmap[PORTS / 8] __page_aligned;

static void set_iopl(unsigned int level)
{
	physdev_set_iopl_t iopl = { .iopl = level };

	EXPECT_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iopl, (uint64_t)&iopl), 0);
}

static long set_bitmap(uint8_t *bits, uint32_t ports)
{
	physdev_set_iobitmap_t set = { .nr_ports = ports };

	set_xen_guest_handle(set.bitmap, bits);
	return hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iobitmap, (uint64_t)&set);
}

static void open_port(unsigned int port, bool open)
{
	uint8_t bit = 1u << port % 8;

	bitmap[port / 8] = (uint8_t)(open ? bitmap[port / 8] & ~bit : bitmap[port / 8] | bit);
}

/* In the kernel. */
static bool in_works(unsigned int port)
{
	uint64_t value = 0x1111;

	PROBE("inb %%dx, %%al", : "+a"(value) : "d"(port));
	if (tiny_fault.vector == TRAP_NONE)
		EXPECT_EQ(value, 0x11ff);
	else
		EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	return tiny_fault.vector == TRAP_NONE;
}

/* In user mode, by a program that ends with a system call. */
static bool user_works(const char *program, unsigned int port)
{
	struct tiny_regs left;

	user_run(program, port, false, &left);
	if (left.vector == TRAP_SYSCALL)
		EXPECT_EQ(left.rax, program == user_in_byte ? 0xff : 0xffff);
	else
		EXPECT_EQ(left.vector, TRAP_PROTECTION);
	return left.vector == TRAP_SYSCALL;
}

TINY_TEST(ports_kernel, "ports.kernel", "the kernel's ports with IOPL 1, and none with IOPL 0")
{
	EXPECT(!in_works(PORT));
	set_iopl(1);
	EXPECT(in_works(PORT));
	PROBE("outb %%al, %%dx", : : "a"(0), "d"(PORT));
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	set_iopl(0);
	EXPECT(!in_works(PORT));
}

TINY_TEST(ports_string, "ports.string", "a repeated input fills memory and moves the registers")
{
	uint8_t got[20] = { 0 };
	uint64_t to = (uint64_t)got, count = 9;

	set_iopl(1);
	PROBE("rep insw", : "+D"(to), "+c"(count) : "d"(PORT) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	EXPECT_EQ(count, 0);
	EXPECT_EQ(to, &got[18]);
	EXPECT(got[0] == 0xff && got[17] == 0xff && got[18] == 0);
	to = 0x123456789000;
	count = 3;
	PROBE("rep insb", : "+D"(to), "+c"(count) : "d"(PORT) : "memory");
	EXPECT(tiny_fault.vector == TRAP_PAGE || tiny_fault.vector == TRAP_PROTECTION);
	EXPECT_EQ(count, 3);
	set_iopl(0);
}

TINY_TEST(ports_user, "ports.user", "user mode has ports and interrupt flag with IOPL 3 only")
{
	struct tiny_regs left;
	unsigned int level;

	REQUIRE_EQ(user_init(), 0);
	for (level = 0; level < 3; level++) {
		set_iopl(level);
		EXPECT(!user_works(user_in_byte, PORT));
	}
	set_iopl(3);
	EXPECT(user_works(user_in_byte, PORT));
	EXPECT(user_works(user_in_word, PORT));
	user_run(user_cli, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_INVALID_OPCODE); /* the one behind it */
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);
	set_iopl(0);
	user_run(user_cli, 0, false, &left);
	EXPECT_EQ(left.vector, TRAP_PROTECTION);
}

TINY_TEST(ports_bitmap, "ports.bitmap", "without IOPL the bitmap says, for each port of an access")
{
	memset(bitmap, 0xff, sizeof(bitmap));
	open_port(PORT, true);
	EXPECT(!user_works(user_in_byte, PORT));
	REQUIRE_EQ(set_bitmap(bitmap, PORTS), 0);
	EXPECT(user_works(user_in_byte, PORT));
	EXPECT(in_works(PORT));
	EXPECT(!user_works(user_in_byte, PORT + 1));
	EXPECT(!user_works(user_in_byte, PORT - 1));
	EXPECT(!user_works(user_in_word, PORT));
	open_port(PORT + 1, true);
	EXPECT(user_works(user_in_word, PORT));
	open_port(PORT, false);
	EXPECT(!user_works(user_in_word, PORT));
	EXPECT(!user_works(user_in_byte, PORT));
	open_port(PORT, true);
	PROBE("cli", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(set_bitmap(bitmap, PORT - 100), 0);
	EXPECT(!user_works(user_in_byte, PORT));
	EXPECT_EQ(set_bitmap(NULL, 0), 0);
	EXPECT(!user_works(user_in_byte, PORT));
}

TINY_TEST(ports_bitmap_bad, "ports.bitmap-bad",
	  "a bitmap that is not there, or the hypervisor's, opens nothing")
{
	EXPECT(set_bitmap(bitmap, PORTS + 1) < 0);
	EXPECT_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iobitmap, 0x123456789000),
		  -XEN_EFAULT);
	(void)!set_bitmap((uint8_t *)0x123456780000, PORTS); /* now, or when it is used */
	EXPECT(!user_works(user_in_byte, PORT));
	(void)!set_bitmap((uint8_t *)0xffff820000100000, PORTS);
	EXPECT(!user_works(user_in_byte, PORT));
	EXPECT(!in_works(PORT));
	EXPECT_EQ(set_bitmap(NULL, 0), 0);
}
