/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupt controller: GICv2 (IHI 0048) or GICv3 (IHI 0069), behind one interface. Interrupts are named by their INTID: 0 to 15 come from CPUs
 * (SGI), 16 to 31 from a CPU's own devices (PPI), the rest from devices (SPI). All are group 1, of one priority.
 *
 * The end of an interrupt is in two steps (EOImode 1): its priority is dropped before its handler runs, and it is deactivated after, unless the
 * handler says that a guest will do that.
 */
#ifndef ASM_GIC_H
#define ASM_GIC_H

#include <tine/compiler.h>
#include <tine/types.h>

#define GIC_INTIDS 1020
#define GIC_SGIS 16
#define GIC_PPI(n) (16 + (n))
#define GIC_SPI(n) (32 + (n))
#define GIC_PRIORITY 0xa0

/* SGIs between the hypervisor's CPUs. */
enum arm64_sgi { SGI_RESCHEDULE, SGI_CALL, SGI_STOP };

struct gic_ops {
	const char *name;
	void (*init)(void);     /* the distributor; CPU 0 */
	void (*cpu_init)(void); /* the CPU that calls */
	u32 (*acknowledge)(void);
	void (*drop)(u32 iar);
	void (*deactivate)(u32 iar);
	void (*enable)(u32 intid, bool level); /* of an SPI: to the CPU that calls */
	void (*disable)(u32 intid);
	void (*activate)(
		u32 intid); /* as if it had been acknowledged: it does not come again before it is deactivated */
	void (*send)(unsigned int cpu, u32 sgi);
};
extern const struct gic_ops gicv2_ops, gicv3_ops;

/* True: the interrupt is deactivated when the handler returns. False: it stays active, a guest's end of interrupt deactivates it. */
typedef bool gic_handler(u32 intid);

void gic_init(void);     /* CPU 0; panics without one */
void gic_cpu_init(void); /* any other */
/* HANDLER runs from now on; the interrupt is not enabled yet. Start of day. */
void gic_handle(u32 intid, gic_handler *handler);
/* PPIs: on the CPU that calls. LEVEL: else edge-triggered. */
void gic_enable(u32 intid, bool level);
void gic_disable(u32 intid);
void gic_deactivate(u32 intid);
void gic_activate(u32 intid);
void gic_send_sgi(unsigned int cpu, enum arm64_sgi sgi);
/* Is it a GICv3? And how it was described: arm64_platform.gic in asm/platform.h. */
bool gic_is_v3(void);

#endif
