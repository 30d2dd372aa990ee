// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GICv3 (IHI 0069): a distributor, a redistributor a CPU, and a CPU interface of system registers, by affinity routing. All interrupts are non-secure
 * group 1. No ITS: there are no message-signalled interrupts here.
 */
#include <asm/gic.h>
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/platform.h>
#include <asm/smp.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define GICD_CTLR 0x0000
#define GICD_TYPER 0x0004
#define GICD_IGROUPR 0x0080
#define GICD_ISENABLER 0x0100
#define GICD_ICENABLER 0x0180
#define GICD_ISACTIVER 0x0300
#define GICD_ICACTIVER 0x0380
#define GICD_IPRIORITYR 0x0400
#define GICD_ICFGR 0x0c00
#define GICD_IROUTER 0x6000
#define GICD_LENGTH 0x10000

#define CTLR_ARE 0x10
#define CTLR_ENABLE_GROUP1 0x2
#define CTLR_WRITE_PENDING 0x80000000U

#define GICR_CTLR 0x0000
#define GICR_TYPER 0x0008
#define GICR_WAKER 0x0014
#define GICR_SGI_FRAME 0x10000 /* SGIs and PPIs, registers at the distributor's offsets */
#define GICR_LENGTH 0x20000
#define GICR_LENGTH_VIRTUAL 0x40000 /* with the frames of virtual LPIs */
#define TYPER_VIRTUAL_LPIS 0x2
#define TYPER_LAST 0x10
#define WAKER_PROCESSOR_SLEEP 0x2
#define WAKER_CHILDREN_ASLEEP 0x4

#define SRE_ENABLE 0xf /* system registers, no bypass, and EL1 may have them too */
#define CTLR_EOI_MODE 0x2
#define PRIORITIES(p) ((p)*0x01010101U)

struct redistributor {
	volatile void *frame;
	u32 affinity; /* as boot_cpu.hw_id */
};
static struct redistributor redistributors[MAX_CPUS];
static unsigned int nr_redistributors;

static volatile void *gicd;
static u32 nr_lines;
static DEFINE_PERCPU(volatile void *, gicr);

static void wait_for_writes(void)
{
	while (read32(gicd, GICD_CTLR) & CTLR_WRITE_PENDING)
		cpu_relax();
}

/* True when it is the last of its region. */
static bool add_redistributor(volatile void *frame)
{
	u64 typer = read64(frame, GICR_TYPER);

	if (nr_redistributors == MAX_CPUS)
		return true;
	redistributors[nr_redistributors++] =
		(struct redistributor){ .frame = frame, .affinity = (u32)(typer >> 32) };
	return typer & TYPER_LAST;
}

static void map_region(const struct arm64_range *region)
{
	u64 stride = arm64_platform.gic.redistributor_stride, at;
	bool last = false;

	for (at = 0; at + GICR_LENGTH <= region->size && !last; at += stride) {
		volatile void *frame =
			arm64_map_device(_paddr(paddr_x(region->start) + at), GICR_LENGTH);

		if (!frame)
			return;
		if (!stride)
			stride = read64(frame, GICR_TYPER) & TYPER_VIRTUAL_LPIS
					 ? GICR_LENGTH_VIRTUAL
					 : GICR_LENGTH;
		last = add_redistributor(frame);
	}
}

static void gicv3_init(void)
{
	const struct arm64_gic *g = &arm64_platform.gic;

	gicd = arm64_map_device(g->distributor.start, GICD_LENGTH);
	if (!gicd)
		panic("The interrupt controller cannot be mapped");
	for (unsigned int i = 0; i < g->nr_redistributors; i++)
		map_region(&g->redistributors[i]);
	nr_lines = min(32 * ((read32(gicd, GICD_TYPER) & 0x1f) + 1), (u32)GIC_INTIDS);
	write32(gicd, GICD_CTLR, 0);
	wait_for_writes();
	for (u32 i = 32; i < nr_lines; i += 32) {
		write32(gicd, GICD_ICENABLER + i / 8, ~0U);
		write32(gicd, GICD_ICACTIVER + i / 8, ~0U);
		write32(gicd, GICD_IGROUPR + i / 8, ~0U);
	}
	for (u32 i = 32; i < nr_lines; i += 4)
		write32(gicd, GICD_IPRIORITYR + i, PRIORITIES(GIC_PRIORITY));
	wait_for_writes();
	write32(gicd, GICD_CTLR, CTLR_ARE | CTLR_ENABLE_GROUP1);
	wait_for_writes();
	pr_info("Interrupts: GICv3, %u lines, %u redistributors", nr_lines, nr_redistributors);
}

static volatile void *own_redistributor(void)
{
	for (unsigned int i = 0; i < nr_redistributors; i++)
		if (redistributors[i].affinity == arm64_own_hw_id())
			return redistributors[i].frame;
	panic("GICv3: no redistributor for the CPU with affinity %#x", arm64_own_hw_id());
}

static void wake(volatile void *frame)
{
	write32(frame, GICR_WAKER, read32(frame, GICR_WAKER) & ~(u32)WAKER_PROCESSOR_SLEEP);
	while (read32(frame, GICR_WAKER) & WAKER_CHILDREN_ASLEEP)
		cpu_relax();
}

static void gicv3_cpu_init(void)
{
	volatile void *frame = own_redistributor();
	volatile void *sgi = (volatile char *)frame + GICR_SGI_FRAME;

	this_cpu(gicr) = frame;
	wake(frame);
	write32(sgi, GICD_ICENABLER, ~0U);
	write32(sgi, GICD_ICACTIVER, ~0U);
	write32(sgi, GICD_IGROUPR, ~0U);
	for (u32 i = 0; i < 32; i += 4)
		write32(sgi, GICD_IPRIORITYR + i, PRIORITIES(GIC_PRIORITY));
	write32(sgi, GICD_ISENABLER, 0xffff);

	write_sysreg(icc_sre_el2, SRE_ENABLE);
	isb();
	if (!(read_sysreg(icc_sre_el2) & 1))
		panic("GICv3: firmware keeps the system registers from EL2");
	write_sysreg(icc_pmr_el1, 0xff);
	write_sysreg(icc_bpr1_el1, 0);
	write_sysreg(icc_ctlr_el1, CTLR_EOI_MODE);
	write_sysreg(icc_igrpen1_el1, 1);
	isb();
}

static u32 gicv3_acknowledge(void)
{
	u32 iar = (u32)read_sysreg(icc_iar1_el1);

	dsb_sy(); /* the acknowledgement is known before what the handler does: IHI 0069, 12.1.6 */
	return iar;
}

static void gicv3_drop(u32 iar)
{
	write_sysreg(icc_eoir1_el1, iar);
	isb();
}

static void gicv3_deactivate(u32 iar)
{
	write_sysreg(icc_dir_el1, iar);
	isb();
}

/* Where the registers of INTID are. */
static volatile void *frame_of(u32 intid)
{
	return intid < 32 ? (volatile char *)this_cpu(gicr) + GICR_SGI_FRAME : gicd;
}

static void gicv3_enable(u32 intid, bool level)
{
	volatile void *frame = frame_of(intid);
	u32 reg = GICD_ICFGR + intid / 16 * 4, bit = 2U << intid % 16 * 2;

	if (intid >= nr_lines)
		return;
	if (intid >= GIC_SGIS)
		write32(frame, reg, level ? read32(frame, reg) & ~bit : read32(frame, reg) | bit);
	if (intid >= 32)
		write64(gicd, GICD_IROUTER + intid * 8UL, arm64_mpidr_of(arm64_own_hw_id()));
	write32(frame, GICD_ISENABLER + intid / 32 * 4, 1U << intid % 32);
}

static void gicv3_disable(u32 intid)
{
	write32(frame_of(intid), GICD_ICENABLER + intid / 32 * 4, 1U << intid % 32);
}

static void gicv3_activate(u32 intid)
{
	write32(frame_of(intid), GICD_ISACTIVER + intid / 32 * 4, 1U << intid % 32);
	/* Known before the source is let go: a read of the same device comes after the write. */
	(void)read32(frame_of(intid), GICD_ISACTIVER + intid / 32 * 4);
}

/* ICC_SGI1R_EL1: the three upper levels of affinity, and a bit for each of sixteen at the lowest. */
static void gicv3_send(unsigned int cpu, u32 sgi)
{
	u64 id = per_cpu(cpu_hw_id, cpu), aff0 = id & 0xff;

	write_sysreg(icc_sgi1r_el1, (id >> 24 & 0xff) << 48 | (aff0 >> 4) << 44 |
					    (id >> 16 & 0xff) << 32 | (u64)sgi << 24 |
					    (id >> 8 & 0xff) << 16 | 1UL << (aff0 & 15));
	isb();
}

const struct gic_ops gicv3_ops = {
	.name = "GICv3",
	.init = gicv3_init,
	.cpu_init = gicv3_cpu_init,
	.acknowledge = gicv3_acknowledge,
	.drop = gicv3_drop,
	.deactivate = gicv3_deactivate,
	.enable = gicv3_enable,
	.disable = gicv3_disable,
	.activate = gicv3_activate,
	.send = gicv3_send,
};
