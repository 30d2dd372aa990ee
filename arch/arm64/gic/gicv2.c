// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GICv2 (IHI 0048): a distributor and a CPU interface, in memory. Groups are left as firmware has them: what reaches us comes as IRQ in either view.
 * Up to eight CPUs. Distributor registers of SPIs are written at start of day; those of SGIs and PPIs are each CPU's own.
 */
#include <asm/gic.h>
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/platform.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define GICD_CTLR 0x000
#define GICD_TYPER 0x004
#define GICD_ISENABLER 0x100
#define GICD_ICENABLER 0x180
#define GICD_ISACTIVER 0x300
#define GICD_ICACTIVER 0x380
#define GICD_IPRIORITYR 0x400
#define GICD_ITARGETSR 0x800
#define GICD_ICFGR 0xc00
#define GICD_SGIR 0xf00

#define GICC_CTLR 0x0000
#define GICC_PMR 0x0004
#define GICC_BPR 0x0008
#define GICC_IAR 0x000c
#define GICC_EOIR 0x0010
#define GICC_DIR 0x1000
#define GICC_LENGTH 0x2000

#define CTLR_ENABLE 0x1
#define CTLR_EOI_MODE 0x200 /* EOIR only drops the priority */
#define PRIORITIES(p) ((p)*0x01010101U)

static volatile void *gicd, *gicc;
static u32 nr_lines;
static DEFINE_PERCPU(u8, cpu_target); /* this CPU's bit in GICD_ITARGETSR and GICD_SGIR */

static void set_bit_of(u32 reg, u32 intid)
{
	write32(gicd, reg + intid / 32 * 4, 1U << intid % 32);
}

static void gicv2_init(void)
{
	const struct arm64_gic *g = &arm64_platform.gic;

	if (!g->cpu.size)
		panic("The device tree gives no CPU interface of the GICv2");
	if (g->cpu.size < GICC_LENGTH)
		pr_warn("GICv2: the device tree gives the CPU interface %#lx bytes, it has %#x",
			g->cpu.size, GICC_LENGTH);
	gicd = arm64_map_device(g->distributor.start, PAGE_SIZE);
	gicc = arm64_map_device(g->cpu.start, GICC_LENGTH);
	if (!gicd || !gicc)
		panic("The interrupt controller cannot be mapped");
	nr_lines = min(32 * ((read32(gicd, GICD_TYPER) & 0x1f) + 1), (u32)GIC_INTIDS);
	write32(gicd, GICD_CTLR, 0);
	for (u32 i = 32; i < nr_lines; i += 32) {
		write32(gicd, GICD_ICENABLER + i / 8, ~0U);
		write32(gicd, GICD_ICACTIVER + i / 8, ~0U);
	}
	for (u32 i = 32; i < nr_lines; i += 4)
		write32(gicd, GICD_IPRIORITYR + i, PRIORITIES(GIC_PRIORITY));
	write32(gicd, GICD_CTLR, CTLR_ENABLE);
	pr_info("Interrupts: GICv2, %u lines", nr_lines);
}

static u8 own_target(void)
{
	for (u32 i = 0; i < 32; i += 4) {
		u32 targets = read32(gicd, GICD_ITARGETSR + i);

		if (targets)
			return (u8)(targets | targets >> 8 | targets >> 16 | targets >> 24);
	}
	return 1; /* a GIC of one CPU shows none */
}

static void gicv2_cpu_init(void)
{
	write32(gicd, GICD_ICENABLER, ~0U);
	write32(gicd, GICD_ICACTIVER, ~0U);
	for (u32 i = 0; i < 32; i += 4)
		write32(gicd, GICD_IPRIORITYR + i, PRIORITIES(GIC_PRIORITY));
	write32(gicd, GICD_ISENABLER, 0xffff);
	this_cpu(cpu_target) = own_target();
	write32(gicc, GICC_PMR, 0xff);
	write32(gicc, GICC_BPR, 0);
	write32(gicc, GICC_CTLR, CTLR_ENABLE | CTLR_EOI_MODE);
}

static u32 gicv2_acknowledge(void)
{
	return read32(gicc, GICC_IAR);
}

static void gicv2_drop(u32 iar)
{
	write32(gicc, GICC_EOIR, iar);
}

static void gicv2_deactivate(u32 iar)
{
	write32(gicc, GICC_DIR, iar);
}

static void gicv2_enable(u32 intid, bool level)
{
	u32 reg = GICD_ICFGR + intid / 16 * 4, bit = 2U << intid % 16 * 2;

	if (intid >= nr_lines)
		return;
	if (intid >= GIC_SGIS)
		write32(gicd, reg, level ? read32(gicd, reg) & ~bit : read32(gicd, reg) | bit);
	if (intid >= 32)
		write8(gicd, GICD_ITARGETSR + intid, this_cpu(cpu_target));
	set_bit_of(GICD_ISENABLER, intid);
}

static void gicv2_disable(u32 intid)
{
	set_bit_of(GICD_ICENABLER, intid);
}

static void gicv2_activate(u32 intid)
{
	set_bit_of(GICD_ISACTIVER, intid);
}

static void gicv2_send(unsigned int cpu, u32 sgi)
{
	write32(gicd, GICD_SGIR, (u32)per_cpu(cpu_target, cpu) << 16 | sgi);
}

const struct gic_ops gicv2_ops = {
	.name = "GICv2",
	.init = gicv2_init,
	.cpu_init = gicv2_cpu_init,
	.acknowledge = gicv2_acknowledge,
	.drop = gicv2_drop,
	.deactivate = gicv2_deactivate,
	.enable = gicv2_enable,
	.disable = gicv2_disable,
	.activate = gicv2_activate,
	.send = gicv2_send,
};
