// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interrupt controller of either version as far as one CPU's own interrupts go: SGIs and PPIs (IHI 0048, 4.3 and 4.4; IHI 0069, 12). No state but the
 * controller's. Registers are read and written by single instructions that a hypervisor can emulate.
 */
#include "tinyarm.h"

#define GICD_CTLR 0x000
#define GICD_CTLR_V3 0x12 /* affinity routing, group 1 */
#define GICD_SGIR 0xf00
#define SGIR_TARGETS 16
#define PRIVATE_GROUP 0x080
#define PRIVATE_ENABLE 0x100
#define PRIVATE_PRIORITY 0x400
#define GICR_TYPER 0x008
#define GICR_WAKER 0x014
#define GICR_PRIVATE 0x10000
#define GICR_STRIDE 0x20000
#define WAKER_SLEEPS 2u
#define WAKER_ASLEEP 4u
#define GICC_CTLR 0x00
#define GICC_PMR 0x04
#define GICC_IAR 0x0c
#define GICC_EOIR 0x10
#define GICC_CTLR_ACKS_GROUP_1 4u
#define GROUP_1_WAITS 1022

#define ANY_PRIORITY 0xf0
#define MIDDLE_PRIORITY 0xa0a0a0a0

#define ICC_PMR_EL1 S3_0_C4_C6_0
#define ICC_IAR1_EL1 S3_0_C12_C12_0
#define ICC_EOIR1_EL1 S3_0_C12_C12_1
#define ICC_SGI1R_EL1 S3_0_C12_C11_5
#define ICC_SRE_EL1 S3_0_C12_C12_5
#define ICC_IGRPEN1_EL1 S3_0_C12_C12_7

#define read_named(name) read_sysreg(name)
#define write_named(name, value) write_sysreg(name, value)

static uint32_t in(uint64_t at)
{
	uint32_t value;

	asm volatile("ldr %w0, [%1]" : "=r"(value) : "r"(at) : "memory");
	return value;
}

static void out(uint64_t at, uint32_t value)
{
	asm volatile("str %w0, [%1]" : : "r"(value), "r"(at) : "memory");
}

/* The redistributor of the CPU that asks: affinities as in MPIDR, one level behind the other. */
static uint64_t redistributor(void)
{
	uint64_t id = read_sysreg(mpidr_el1), at = tinyarm_machine.cpu, type;
	uint32_t affinity = (uint32_t)(id & 0xffffff) | (uint32_t)(id >> 32 & 0xff) << 24;

	for (;; at += GICR_STRIDE) {
		asm volatile("ldr %0, [%1]" : "=r"(type) : "r"(at + GICR_TYPER) : "memory");
		if (type >> 32 == affinity)
			return at;
		if (at + GICR_STRIDE >= tinyarm_machine.cpu + tinyarm_machine.cpu_size)
			return tinyarm_machine.cpu;
	}
}

/* Where the registers of private interrupts are. */
static uint64_t private(void)
{
	return tinyarm_machine.gic_v3 ? redistributor() + GICR_PRIVATE
				      : tinyarm_machine.distributor;
}

static void wake(uint64_t at)
{
	out(at + GICR_WAKER, in(at + GICR_WAKER) & ~WAKER_SLEEPS);
	while (in(at + GICR_WAKER) & WAKER_ASLEEP)
		;
}

void gic_init(void)
{
	uint64_t at = private();

	for (unsigned int i = 0; i < 32; i += 4)
		out(at + PRIVATE_PRIORITY + i, MIDDLE_PRIORITY);
	if (!tinyarm_machine.gic_v3) {
		out(tinyarm_machine.distributor + GICD_CTLR, 1);
		out(tinyarm_machine.cpu + GICC_PMR, ANY_PRIORITY);
		out(tinyarm_machine.cpu + GICC_CTLR, 1);
		return;
	}
	out(tinyarm_machine.distributor + GICD_CTLR, GICD_CTLR_V3);
	wake(at - GICR_PRIVATE);
	out(at + PRIVATE_GROUP, ~0u);
	write_named(ICC_SRE_EL1, 7);
	write_named(ICC_PMR_EL1, ANY_PRIORITY);
	write_named(ICC_IGRPEN1_EL1, 1);
}

void gic_enable(unsigned int intid)
{
	out(private() + PRIVATE_ENABLE, 1u << intid);
}

/*
 * The attack puts interrupts into group 1 and lets the CPU have them. With GICv2 they wait for ever, unless the CPU's interface acknowledges those as well
 * (QEMU 7.2 has not GICC_AIAR).
 */
unsigned int gic_take(void)
{
	uint32_t taken;

	if (tinyarm_machine.gic_v3)
		return read_named(ICC_IAR1_EL1) & 0xffffff;
	taken = in(tinyarm_machine.cpu + GICC_IAR);
	if (taken != GROUP_1_WAITS)
		return taken;
	out(tinyarm_machine.cpu + GICC_CTLR,
	    in(tinyarm_machine.cpu + GICC_CTLR) | GICC_CTLR_ACKS_GROUP_1);
	return in(tinyarm_machine.cpu + GICC_IAR);
}

/* What gic_take() said: of an SGI of GICv2 with its sender. */
void gic_end(unsigned int taken)
{
	if (tinyarm_machine.gic_v3)
		write_named(ICC_EOIR1_EL1, taken);
	else
		out(tinyarm_machine.cpu + GICC_EOIR, taken);
}

/* CPUs are numbered in one cluster. */
void gic_send(unsigned int sgi, unsigned int cpu)
{
	if (tinyarm_machine.gic_v3)
		write_named(ICC_SGI1R_EL1, (uint64_t)sgi << 24 | 1ul << cpu);
	else
		out(tinyarm_machine.distributor + GICD_SGIR, 1u << (SGIR_TARGETS + cpu) | sgi);
}
