// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What both versions of the interrupt controller share: who handles which interrupt, and the steps of its life. Handlers are set at start of day; they
 * run to their end with interrupts off and leave the rest to softirqs. No lock.
 */
#include <asm/gic.h>
#include <asm/platform.h>
#include <asm/power.h>
#include <asm/setup.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define INTID_MASK                                                                                 \
	0xffffff /* of what acknowledging answers on version 3; version 2: 0x3ff, a CPU number above */
#define INTID_MASK_V2 0x3ff
#define UNEXPECTED_NAMED 10

static const struct gic_ops *gic;
static u32 intid_mask;
static gic_handler *handlers[GIC_INTIDS];

static bool reschedule(u32 intid)
{
	return true; /* whoever sent it has raised a softirq; the way out looks */
}

static bool call(u32 intid)
{
	smp_call_handle();
	return true;
}

void gic_handle(u32 intid, gic_handler *handler)
{
	BUG_ON(intid >= GIC_INTIDS);
	handlers[intid] = handler;
}

void gic_cpu_init(void)
{
	gic->cpu_init();
}

void gic_init(void)
{
	switch (arm64_platform.gic.version) {
	case 2:
		gic = &gicv2_ops;
		break;
	case 3:
		gic = &gicv3_ops;
		break;
	default:
		panic("The device tree names no interrupt controller that is a GICv2 or GICv3");
	}
	intid_mask = gic_is_v3() ? INTID_MASK : INTID_MASK_V2;
	gic->init();
	gic->cpu_init();
	gic_handle(SGI_RESCHEDULE, reschedule);
	gic_handle(SGI_CALL, call);
	gic_handle(SGI_STOP, arm64_stop_handler);
}

bool gic_is_v3(void)
{
	return arm64_platform.gic.version == 3;
}

void gic_enable(u32 intid, bool level)
{
	gic->enable(intid, level);
}

void gic_disable(u32 intid)
{
	gic->disable(intid);
}

void gic_deactivate(u32 intid)
{
	gic->deactivate(intid);
}

void gic_activate(u32 intid)
{
	gic->activate(intid);
}

/* What this CPU wrote is visible to the other before the interrupt is. */
void gic_send_sgi(unsigned int cpu, enum arm64_sgi sgi)
{
	if (!gic)
		return;
	dsb_ishst();
	gic->send(cpu, sgi);
}

void arch_send_ipi(unsigned int cpu, enum ipi kind)
{
	gic_send_sgi(cpu, kind == IPI_CALL ? SGI_CALL : SGI_RESCHEDULE);
}

static void unexpected(u32 intid)
{
	static u32 reported;

	gic->disable(intid);
	if (__atomic_fetch_add(&reported, 1, __ATOMIC_RELAXED) < UNEXPECTED_NAMED)
		pr_warn("Unexpected interrupt %u on CPU %u, disabled", intid, smp_processor_id());
}

void arm64_interrupt(void)
{
	u32 iar = gic->acknowledge(), intid = iar & intid_mask;

	if (intid >= GIC_INTIDS)
		return; /* gone again, or nothing that is ours */
	gic->drop(iar);
	if (!handlers[intid])
		unexpected(intid);
	if (!handlers[intid] || handlers[intid](intid))
		gic->deactivate(iar);
}
