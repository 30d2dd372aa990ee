// SPDX-License-Identifier: GPL-2.0-or-later
/* Segment bases: by hypercall, by emulated MSR access, and what they are good for. */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#define MSR_FS_BASE 0xc0000100
#define MSR_GS_BASE 0xc0000101
#define MSR_KERNEL_GS_BASE 0xc0000102
#define NON_CANONICAL 0x0000800000000000ul

static uint64_t word = 0x1122334455667788;

static uint64_t read_msr(uint32_t msr)
{
	uint32_t low, high;

	asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (uint64_t)high << 32 | low;
}

static void write_msr(uint32_t msr, uint64_t value)
{
	asm volatile("wrmsr"
		     :
		     : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
		     : "memory");
}

TINY_TEST(segments_base, "segments.base",
	  "set_segment_base must reach the segment the guest reads through")
{
	uint64_t value = 0;

	EXPECT_EQ(hv_set_segment_base(SEGBASE_FS, (uint64_t)&word), 0);
	asm volatile("mov %%fs:0, %0" : "=r"(value));
	EXPECT_EQ(value, word);
	EXPECT_EQ(hv_set_segment_base(SEGBASE_GS_KERNEL, (uint64_t)&word), 0);
	asm volatile("mov %%gs:0, %0" : "=r"(value));
	EXPECT_EQ(value, word);
	EXPECT_EQ(read_msr(MSR_FS_BASE), (uint64_t)&word);
	EXPECT_EQ(read_msr(MSR_GS_BASE), (uint64_t)&word);
	/* The user's base is another one. */
	EXPECT_EQ(hv_set_segment_base(SEGBASE_GS_USER, 0x1000), 0);
	EXPECT_EQ(read_msr(MSR_KERNEL_GS_BASE), 0x1000);
	EXPECT_EQ(read_msr(MSR_GS_BASE), (uint64_t)&word);
}

TINY_TEST(segments_msr, "segments.msr", "Linux sets its bases by wrmsr, first thing after entry")
{
	uint64_t value = 0;

	write_msr(MSR_FS_BASE, (uint64_t)&word);
	asm volatile("mov %%fs:0, %0" : "=r"(value));
	EXPECT_EQ(value, word);
	write_msr(MSR_GS_BASE, (uint64_t)&word - 8);
	asm volatile("mov %%gs:8, %0" : "=r"(value));
	EXPECT_EQ(value, word);
	write_msr(MSR_KERNEL_GS_BASE, 0x2000);
	EXPECT_EQ(read_msr(MSR_KERNEL_GS_BASE), 0x2000);
	write_msr(MSR_FS_BASE, 0);
	write_msr(MSR_GS_BASE, 0);
}

TINY_TEST(segments_kept, "segments.kept",
	  "bases must survive hypercalls, exceptions and being descheduled")
{
	uint64_t value = 0;

	REQUIRE_EQ(hv_set_segment_base(SEGBASE_FS, (uint64_t)&word), 0);
	REQUIRE_EQ(hv_set_segment_base(SEGBASE_GS_KERNEL, (uint64_t)&word), 0);
	PROBE("ud2", : : : "memory");
	hv_sched_op(SCHEDOP_yield, NULL);
	REQUIRE_EQ(timer_sleep(1000000), 0);
	asm volatile("mov %%fs:0, %0" : "=r"(value));
	EXPECT_EQ(value, word);
	asm volatile("mov %%gs:0, %0" : "=r"(value));
	EXPECT_EQ(value, word);
}

TINY_TEST(segments_errors, "segments.errors",
	  "a non-canonical base would fault inside the hypervisor")
{
	unsigned int which;

	for (which = SEGBASE_FS; which <= SEGBASE_GS_KERNEL; which++)
		EXPECT_EQ(hv_set_segment_base(which, NON_CANONICAL), -XEN_EINVAL);
	EXPECT_EQ(hv_set_segment_base(77, 0), -XEN_EINVAL);
	PROBE("wrmsr",
	      :
	      : "c"(MSR_FS_BASE), "a"(0), "d"((uint32_t)(NON_CANONICAL >> 32))
	      : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(segments_selector, "segments.user-selector",
	  "loading the user's GS selector must bear a bad one: Linux stops at any error")
{
	REQUIRE_EQ(gdt_init(), 0);
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS),
					gdt_data_descriptor(0x12345000, 0xfff)),
		   0);
	EXPECT_EQ(hv_set_segment_base(SEGBASE_GS_USER_SEL, SELECTOR(GDT_TLS)), 0);
	EXPECT_EQ(read_msr(MSR_KERNEL_GS_BASE), 0x12345000);
	EXPECT_EQ(hv_set_segment_base(SEGBASE_GS_USER_SEL, SELECTOR(GDT_TLS + 1)), 0);
	EXPECT_EQ(hv_set_segment_base(SEGBASE_GS_USER_SEL, 0), 0);
	EXPECT_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), 0), 0);
}
