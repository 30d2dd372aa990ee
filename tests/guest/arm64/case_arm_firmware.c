// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64: firmware as the hypervisor plays it (abi page 8.6), and a second CPU that it starts and stops, where there is one. */
#include "tiny_case.h"

#define PSCI_VERSION 0x84000000
#define PSCI_CPU_OFF 0x84000002
#define PSCI_CPU_ON 0xc4000003
#define PSCI_AFFINITY_INFO 0xc4000004
#define PSCI_MIGRATE_INFO_TYPE 0x84000006
#define PSCI_SYSTEM_OFF 0x84000008
#define PSCI_FEATURES 0x8400000a
#define SMCCC_VERSION 0x80000000

#define NOT_SUPPORTED (-1)
#define INVALID_PARAMETERS (-2)
#define ALREADY_ON (-4)
#define ON 0
#define OFF 1
#define SGI 3
#define PATIENCE 5000000000ul /* ns */

extern const char tinyarm_secondary[];

static struct {
	uint64_t unused[2046];
	void (*run)(void); /* where tinyarm_secondary looks, x0 being its end */
	uint64_t pad;
} stack __attribute__((aligned(16)));

static volatile uint64_t was_there;

TINY_TEST(firmware_answers, "firmware.answers", "a kernel takes from these what it may ask")
{
	EXPECT(firmware_call(PSCI_VERSION, 0, 0, 0) >= 0x10000);
	EXPECT_EQ(firmware_call(PSCI_MIGRATE_INFO_TYPE, 0, 0, 0), 2);
	EXPECT_EQ(firmware_call(PSCI_FEATURES, PSCI_CPU_ON, 0, 0), 0);
	EXPECT_EQ(firmware_call(PSCI_FEATURES, PSCI_SYSTEM_OFF, 0, 0), 0);
	EXPECT_EQ((int)firmware_call(PSCI_FEATURES, 0x84001234, 0, 0), NOT_SUPPORTED);
	EXPECT(firmware_call(SMCCC_VERSION, 0, 0, 0) >= 0x10001);
	EXPECT_EQ((int)firmware_call(0x84001234, 0, 0, 0), NOT_SUPPORTED);
}

TINY_TEST(firmware_cpus, "firmware.cpus",
	  "CPUs that are on or that there are none of cannot be started")
{
	uint64_t self = read_sysreg(mpidr_el1) & 0xff00ffffff;

	EXPECT_EQ(firmware_call(PSCI_AFFINITY_INFO, self, 0, 0), ON);
	EXPECT_EQ((int)firmware_call(PSCI_CPU_ON, self, (uint64_t)tinyarm_secondary, 0),
		  ALREADY_ON);
	EXPECT_EQ((int)firmware_call(PSCI_CPU_ON, 0xffff, (uint64_t)tinyarm_secondary, 0),
		  INVALID_PARAMETERS);
	EXPECT(firmware_call(PSCI_AFFINITY_INFO, 0xffff, 0, 0) != ON); /* Xen says that it is off */
}

static void second(void)
{
	was_there = read_sysreg(mpidr_el1) & 0xff;
	firmware_call(PSCI_CPU_OFF, 0, 0, 0);
}

static bool is(long wanted, long (*what)(void))
{
	uint64_t until = time_now() + PATIENCE;

	while (what() != wanted && time_now() < until)
		hv_sched_op(SCHEDOP_yield, NULL);
	return what() == wanted;
}

static long state_of_second(void)
{
	return firmware_call(PSCI_AFFINITY_INFO, 1, 0, 0);
}

TINY_TEST(firmware_second, "firmware.second",
	  "another CPU starts where it is told, with what it is given, and stops")
{
	SKIP_IF(tinyarm_machine.cpus < 2, "there is one CPU");
	for (unsigned int i = 0; i < 3; i++) {
		was_there = 0;
		stack.run = second;
		EXPECT_EQ(state_of_second(), OFF);
		REQUIRE_EQ(firmware_call(PSCI_CPU_ON, 1, (uint64_t)tinyarm_secondary,
					 (uint64_t)(&stack + 1)),
			   0);
		EXPECT(is(OFF, state_of_second));
		EXPECT_EQ(was_there, 1);
	}
}

/* It looks with interrupts masked: WFI ends all the same when one is pending. */
static void second_takes_interrupt(void)
{
	gic_init();
	gic_enable(SGI);
	events_off();
	was_there = 1;
	while (!tinyarm_interrupts[SGI]) {
		asm volatile("wfi" : : : "memory");
		events_on();
		asm volatile("isb" : : : "memory");
		events_off();
	}
	firmware_call(PSCI_CPU_OFF, 0, 0, 0);
}

static long second_was_there(void)
{
	return (long)was_there;
}

TINY_TEST(firmware_wakes, "firmware.wakes", "an interrupt from one CPU ends another's wait")
{
	SKIP_IF(tinyarm_machine.cpus < 2, "there is one CPU");
	was_there = 0;
	tinyarm_interrupts[SGI] = 0;
	stack.run = second_takes_interrupt;
	REQUIRE_EQ(firmware_call(PSCI_CPU_ON, 1, (uint64_t)tinyarm_secondary,
				 (uint64_t)(&stack + 1)),
		   0);
	REQUIRE(is(1, second_was_there));
	gic_send(SGI, 1);
	EXPECT(is(OFF, state_of_second));
	EXPECT_EQ(tinyarm_interrupts[SGI], 1);
}
