// SPDX-License-Identifier: GPL-2.0-or-later
/* The PVH guest: interrupts that its local APIC makes by itself, NMIs, and what the instructions that exit may look like. */
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tinypvh.h"
#include <xen/vcpu.h>

#define VECTOR_TIMER 0x60
#define X2APIC_TPR 0x808
#define X2APIC_ICR 0x830
#define X2APIC_LVT_TIMER 0x832
#define X2APIC_INITIAL 0x838
#define X2APIC_CURRENT 0x839
#define X2APIC_DIVIDE 0x83e
#define ICR_NMI_SELF (4UL << 8 | 1UL << 14)
#define LVT_PERIODIC (1U << 17)
#define DIVIDE_BY_1 0xb
#define MSR_TSC_AUX 0xc0000103
#define LONG_TIME 2000000000U
#define SLEEPS 3000U
#define SLEEP_SHORTEST 500U /* nanoseconds */
#define SLEEP_STEP 50U
#define SLEEP_STEPS 400U

extern const char tinypvh_timer[];

void tinypvh_quiet_lapic(void)
{
	tinypvh_write_msr(X2APIC_INITIAL, 0);
	tinypvh_write_msr(X2APIC_TPR, 0);
	asm volatile("sti; nop; nop; cli" : : : "memory");
}

/* Until the timer came for the COUNTth time. Between STI and HLT nothing is lost. */
static void sleep_until(uint32_t count)
{
	while (tinypvh_timers < count)
		asm volatile("sti; hlt; cli" : : : "memory");
}

TINY_TEST(test_timer, "lapic.timer", "a kernel without Xen's own timers ticks by it")
{
	uint32_t before = tinypvh_timers;
	uint64_t left;

	tinypvh_set_gate(VECTOR_TIMER, tinypvh_timer);
	tinypvh_write_msr(X2APIC_DIVIDE, DIVIDE_BY_1);
	tinypvh_write_msr(X2APIC_LVT_TIMER, VECTOR_TIMER);
	tinypvh_write_msr(X2APIC_INITIAL, LONG_TIME);
	EXPECT(read_msr(X2APIC_CURRENT, &left) && left && left <= LONG_TIME);
	tinypvh_write_msr(X2APIC_INITIAL, 1000000);
	sleep_until(before + 1);
	EXPECT(read_msr(X2APIC_CURRENT, &left) && left == 0);
	tinypvh_write_msr(X2APIC_LVT_TIMER, VECTOR_TIMER | LVT_PERIODIC);
	tinypvh_write_msr(X2APIC_INITIAL, 1000000);
	sleep_until(before + 4);
	tinypvh_write_msr(X2APIC_INITIAL, 0);
}

/*
 * The machine's own timer interrupt makes an exit wherever it finds the guest. Before it does anything QEMU ends the block of instructions that it
 * is in, so a long one makes it likely that this is between STI and HLT.
 */
static void sleep_once(uint32_t count)
{
	while (tinypvh_timers < count)
		asm volatile(".rept 100; lock; addl $0, (%%rsp); .endr; sti; hlt; cli"
			     :
			     :
			     : "memory");
}

TINY_TEST(test_sleep, "lapic.sleep", "an interrupt that comes between STI and HLT ends the HLT")
{
	uint32_t before = tinypvh_timers;

	tinypvh_set_gate(VECTOR_TIMER, tinypvh_timer);
	tinypvh_write_msr(X2APIC_DIVIDE, DIVIDE_BY_1);
	tinypvh_write_msr(X2APIC_LVT_TIMER, VECTOR_TIMER);
	for (uint32_t i = 1; i <= SLEEPS; i++) {
		tinypvh_write_msr(X2APIC_INITIAL, SLEEP_SHORTEST + i % SLEEP_STEPS * SLEEP_STEP);
		sleep_once(before + i);
	}
	EXPECT_EQ(tinypvh_timers, before + SLEEPS);
}

TINY_TEST(test_nmi, "nmi",
	  "it comes with interrupts off, and again only after its handler returned")
{
	uint32_t before = tinypvh_nmis;

	tinypvh_write_msr(X2APIC_ICR, ICR_NMI_SELF);
	EXPECT_EQ(tinypvh_nmis, before + 1);
	EXPECT_EQ(hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_send_nmi, 0, 0), 0);
	EXPECT_EQ(tinypvh_nmis, before + 2);
	EXPECT_EQ(tinypvh_nmi_depth, 0);
	/* The handler of this one sends another to itself. */
	tinypvh_nmi_again = 1;
	tinypvh_write_msr(X2APIC_ICR, ICR_NMI_SELF);
	(void)hypercall0(63);
	EXPECT_EQ(tinypvh_nmis, before + 4);
	EXPECT_EQ(tinypvh_nmi_depth, 0);
	EXPECT_EQ(tinypvh_nmi_deepest, 1);
}

TINY_TEST(test_prefixes, "exit.prefixes",
	  "an instruction that exits is as long as its prefixes make it")
{
	uint32_t a = 0, b, c = 0, d, plain = 0;

	asm volatile("cpuid" : "+a"(plain), "=b"(b), "+c"(c), "=d"(d));
	c = 0;
	asm volatile(".byte 0x66, 0x2e, 0x48; cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	EXPECT_EQ(a, plain);
}

TINY_TEST(test_rdtscp, "rdtscp", "it tells which CPU by a register of the guest's own")
{
	uint32_t a = 0x80000001, b, c = 0, d;
	uint64_t value;

	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (!(d & 1U << 27)) {
		EXPECT(!read_msr(MSR_TSC_AUX, &value));
		return;
	}
	tinypvh_write_msr(MSR_TSC_AUX, 0x1234);
	EXPECT(read_msr(MSR_TSC_AUX, &value) && value == 0x1234);
	asm volatile("rdtscp" : "=a"(a), "=d"(d), "=c"(c));
	EXPECT_EQ(c, 0x1234);
}
