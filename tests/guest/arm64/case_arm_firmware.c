// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64: firmware as the hypervisor plays it (abi page 8.6), and a second CPU that it starts and stops, where there is one. */
#include "tiny_case.h"
#include "tinyarm_second.h"

#define PSCI_VERSION 0x84000000
#define PSCI_MIGRATE_INFO_TYPE 0x84000006
#define PSCI_SYSTEM_OFF 0x84000008
#define PSCI_FEATURES 0x8400000a
#define SMCCC_VERSION 0x80000000

#define NOT_SUPPORTED (-1)
#define INVALID_PARAMETERS (-2)
#define ALREADY_ON (-4)
#define SGI 3

extern const char tinyarm_secondary[];

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

	EXPECT_EQ(firmware_call(PSCI_AFFINITY_INFO, self, 0, 0), PSCI_CPU_IS_ON);
	EXPECT_EQ((int)firmware_call(PSCI_CPU_ON, self, (uint64_t)tinyarm_secondary, 0),
		  ALREADY_ON);
	EXPECT_EQ((int)firmware_call(PSCI_CPU_ON, 0xffff, (uint64_t)tinyarm_secondary, 0),
		  INVALID_PARAMETERS);
	EXPECT(firmware_call(PSCI_AFFINITY_INFO, 0xffff, 0, 0) !=
	       PSCI_CPU_IS_ON); /* Xen says that it is off */
}

static void say_who(void)
{
	was_there = read_sysreg(mpidr_el1) & 0xff;
}

TINY_TEST(firmware_second, "firmware.second",
	  "another CPU starts where it is told, with what it is given, and stops")
{
	SKIP_IF(tinyarm_machine.cpus < 2, "there is one CPU");
	for (unsigned int i = 0; i < 3; i++) {
		was_there = 0;
		EXPECT(second_cpu_is_off());
		REQUIRE(second_cpu_run(say_who));
		EXPECT(second_cpu_is_off());
		EXPECT_EQ(was_there, 1);
	}
}

/* It looks with interrupts masked: WFI ends all the same when one is pending. */
static void take_interrupt(void)
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
}

TINY_TEST(firmware_wakes, "firmware.wakes", "an interrupt from one CPU ends another's wait")
{
	SKIP_IF(tinyarm_machine.cpus < 2, "there is one CPU");
	was_there = 0;
	tinyarm_interrupts[SGI] = 0;
	REQUIRE(second_cpu_run(take_interrupt));
	while (!was_there)
		hv_sched_op(SCHEDOP_yield, NULL);
	gic_send(SGI, 1);
	EXPECT(second_cpu_is_off());
	EXPECT_EQ(tinyarm_interrupts[SGI], 1);
}
