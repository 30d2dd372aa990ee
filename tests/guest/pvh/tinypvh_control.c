// SPDX-License-Identifier: GPL-2.0-or-later
/* The PVH guest: its control registers, where the hypervisor is between them and the processor. */
#include "pvh/tinypvh_mode.h"
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tinypvh.h"

#define VECTOR 0x61 /* of priority class 6 */
#define X2APIC_TPR 0x808
#define X2APIC_SELF 0x83f
#define CR4_PCE (1UL << 8)
#define CR4_PAE (1UL << 5)
#define CR4_PGE (1UL << 7)
#define CR4_LAST 63
#define EFER 0xc0000080
#define EFER_LME 0x100
#define EFER_LMA 0x400
#define EFER_FFXSR 0x4000
#define CPUID_FFXSR (1U << 25)

#define VECTOR_DB 1
#define DR7_NONE 0x400UL
#define DR7_ENABLES 0xffUL
#define DR7_FIRST 2UL /* global */
#define DR7_FIRST_WRITES_OF_4 (0xdUL << 16)
#define CR4_DE (1UL << 3)
#define IMAGE 0xffff808000000000UL /* of the hypervisor, and how far its code may go */
#define IMAGE_SIZE 0x100000UL
#define FUNCTIONS_ALIGNED 16UL

extern const char tinypvh_timer[], tinypvh_step[];
extern volatile uint64_t tinypvh_stepped;

#define READ_CR8(value) asm volatile("mov %%cr8, %0" : "=r"(value))
#define WRITE_CR8(value) asm volatile("mov %0, %%cr8" : : "r"((uint64_t)(value)) : "memory")

static uint64_t read_cr4(void)
{
	uint64_t value;

	asm volatile("mov %%cr4, %0" : "=r"(value));
	return value;
}

static void take_interrupts(void)
{
	asm volatile("sti; nop; nop; cli" : : : "memory");
}

TINY_TEST(test_cr8, "control.cr8", "it is the priority of the local APIC, by a shorter name")
{
	uint32_t before = tinypvh_faults[1];
	uint64_t value;

	WRITE_CR8(5);
	EXPECT(read_msr(X2APIC_TPR, &value) && value == 0x50);
	tinypvh_write_msr(X2APIC_TPR, 0x3f);
	READ_CR8(value);
	EXPECT_EQ(value, 3);
	TRY("mov %0, %%cr8", : : "r"(16UL) : "r11", "memory");
	EXPECT_EQ(tinypvh_faults[1], before + 1);
	READ_CR8(value);
	EXPECT_EQ(value, 3);
	WRITE_CR8(0);
}

TINY_TEST(test_cr8_registers, "control.cr8.registers", "any general register, with prefixes before")
{
	uint64_t value;

	asm volatile(
		"mov $9, %%r12; mov %%r12, %%cr8; xor %%r13, %%r13; mov %%cr8, %%r13; mov %%r13, %0"
		: "=r"(value)
		:
		: "r12", "r13", "memory");
	EXPECT_EQ(value, 9);
	asm volatile("mov $4, %%eax; .byte 0x2e, 0x48; mov %%rax, %%cr8; .byte 0x66; mov %%cr8, "
		     "%%rbx; mov %%rbx, %0"
		     : "=r"(value)
		     :
		     : "rax", "rbx", "memory");
	EXPECT_EQ(value, 4);
	/* The one that 32-bit code has: CR0 with LOCK. */
	asm volatile(".byte 0xf0, 0x0f, 0x20, 0xc0" : "=a"(value));
	EXPECT_EQ(value, 4);
	asm volatile(".byte 0xf0, 0x0f, 0x22, 0xc1" : : "c"(0UL) : "memory");
	READ_CR8(value);
	EXPECT_EQ(value, 0);
}

TINY_TEST(test_cr8_holds, "control.cr8.holds",
	  "interrupts of its class wait until it is lower; also if it changes while they do")
{
	uint32_t before = tinypvh_timers;

	tinypvh_set_gate(VECTOR, tinypvh_timer);
	WRITE_CR8(VECTOR >> 4);
	tinypvh_write_msr(X2APIC_SELF, VECTOR);
	take_interrupts();
	EXPECT_EQ(tinypvh_timers, before);
	/* It may come now, but for interrupts being off: the processor is told that it waits. */
	WRITE_CR8(0);
	WRITE_CR8((VECTOR >> 4) - 1);
	WRITE_CR8(VECTOR >> 4);
	take_interrupts();
	EXPECT_EQ(tinypvh_timers, before);
	WRITE_CR8((VECTOR >> 4) - 1);
	EXPECT_EQ(tinypvh_timers, before);
	take_interrupts();
	EXPECT_EQ(tinypvh_timers, before + 1);
	WRITE_CR8(0);
}

static bool cr4_faults(uint64_t value)
{
	uint32_t before = tinypvh_faults[1];

	TRY("mov %0, %%cr4", : : "r"(value) : "r11", "memory");
	return tinypvh_faults[1] != before;
}

TINY_TEST(test_cr4, "control.cr4", "bits of features that CPUID shows, and no others")
{
	uint64_t old = read_cr4();

	for (unsigned int bit = 23; bit <= CR4_LAST; bit++)
		EXPECT(cr4_faults(old | 1UL << bit));
	EXPECT(cr4_faults(old & ~CR4_PAE)); /* in long mode */
	EXPECT_EQ(read_cr4(), old);
	EXPECT(!cr4_faults((old ^ CR4_PGE) | CR4_PCE));
	EXPECT_EQ(read_cr4(), (old ^ CR4_PGE) | CR4_PCE);
	EXPECT(!cr4_faults(old));
}

/* Under QEMU an exit in that state was the machine's end. */
static void unpaged_with_lme(uint32_t lme)
{
	static struct tinypvh_mode_call call;

	call = (struct tinypvh_mode_call){ .op = __HYPERVISOR_xen_version,
					   .lme = lme,
					   .result = ~0U };
	tinypvh_call_in_mode(&call);
	EXPECT_EQ(call.result >> 16, 4);
	EXPECT_EQ(call.efer & (EFER_LME | EFER_LMA), lme == LME_OFF ? 0 : EFER_LME);
}

TINY_TEST(test_lme, "control.lme",
	  "long mode may be asked for before PAE, and PAE given up before it")
{
	unpaged_with_lme(LME_OFF);
	unpaged_with_lme(LME_STAYS);
	unpaged_with_lme(LME_AFTER);
}

TINY_TEST(test_efer, "control.efer", "fast FXSAVE may be switched on where CPUID shows it")
{
	uint32_t a = 0x80000001, b, c = 0, d, before = tinypvh_faults[1];
	uint64_t old, value;

	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	REQUIRE(read_msr(EFER, &old));
	value = old | EFER_FFXSR;
	TRY("wrmsr", : : "c"(EFER), "a"((uint32_t)value), "d"(0) : "r11", "memory");
	EXPECT_EQ(tinypvh_faults[1] != before, !(d & CPUID_FFXSR));
	if (!(d & CPUID_FFXSR))
		return;
	EXPECT(read_msr(EFER, &value) && value == (old | EFER_FFXSR));
	tinypvh_write_msr(EFER, old);
}

static uint64_t read_dr7(void)
{
	uint64_t value;

	asm volatile("mov %%dr7, %0" : "=r"(value));
	return value;
}

static void write_dr7(uint64_t value)
{
	asm volatile("mov %0, %%dr7" : : "r"(value));
}

static void exit_once(void)
{
	uint32_t a = 0, b, c = 0, d;

	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
}

TINY_TEST(test_dr7, "control.dr7", "a debugger finds what it wrote, by either name")
{
	static uint32_t watched;
	uint64_t value;

	asm volatile("mov %0, %%dr0" : : "r"(&watched));
	write_dr7(DR7_FIRST | DR7_FIRST_WRITES_OF_4);
	exit_once();
	EXPECT_EQ(read_dr7(), DR7_NONE | DR7_FIRST | DR7_FIRST_WRITES_OF_4);
	asm volatile("mov %0, %%dr5" : : "r"(0UL));
	exit_once();
	EXPECT_EQ(read_dr7(), DR7_NONE);
	asm volatile("mov %%dr0, %0" : "=r"(value));
	EXPECT_EQ(value, (uint64_t)&watched);
}

TINY_TEST(test_dr7_faults, "control.dr7.faults", "what control registers make of debug registers")
{
	uint32_t ud = tinypvh_faults[0], gp = tinypvh_faults[1];
	uint64_t cr4 = read_cr4();

	TRY("mov %0, %%dr7", : : "r"(1UL << 32) : "r11");
	EXPECT_EQ(tinypvh_faults[1], gp + 1);
	asm volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_DE) : "memory");
	TRY("mov %0, %%dr5", : : "r"(DR7_NONE) : "r11");
	EXPECT_EQ(tinypvh_faults[0], ud + 1);
	asm volatile("mov %0, %%cr4" : : "r"(cr4) : "memory");
}

/* Some of them are run at each exit. Under QEMU one was the end of the machine. */
TINY_TEST(test_break, "control.break", "no guest's breakpoint stops the hypervisor")
{
	for (uint64_t at = IMAGE; at < IMAGE + IMAGE_SIZE; at += 4 * FUNCTIONS_ALIGNED) {
		asm volatile("mov %0, %%dr0; mov %1, %%dr1; mov %2, %%dr2; mov %3, %%dr3"
			     :
			     : "r"(at), "r"(at + FUNCTIONS_ALIGNED),
			       "r"(at + 2 * FUNCTIONS_ALIGNED), "r"(at + 3 * FUNCTIONS_ALIGNED));
		write_dr7(DR7_NONE | DR7_ENABLES);
		exit_once();
	}
	write_dr7(DR7_NONE);
}

TINY_TEST(test_step, "control.step",
	  "a debugger steps over an instruction that exits, and no further")
{
	uint32_t a = 0, c = 0;
	uint64_t after, class;

	tinypvh_set_gate(VECTOR_DB, tinypvh_step);
	asm volatile("pushfq; orq $0x100, (%%rsp); popfq; cpuid; 1: nop; nop; lea 1b(%%rip), %0"
		     : "=&r"(after), "+a"(a), "+c"(c)
		     :
		     : "rbx", "rdx", "memory");
	EXPECT_EQ(tinypvh_stepped, after);
	asm volatile(
		"pushfq; orq $0x100, (%%rsp); popfq; mov %%cr8, %1; 1: nop; nop; lea 1b(%%rip), %0"
		: "=&r"(after), "=&r"(class)
		:
		: "memory");
	EXPECT_EQ(tinypvh_stepped, after);
}
