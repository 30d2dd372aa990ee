// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * List registers and the rest of a virtual CPU interface of GICv2: the GICH frame (IHI 0048, 5.3). Each CPU finds its own at the same address.
 *
 * The bit by which the end of a virtual interrupt deactivates the physical one is not used: QEMU's GICv2 (7.2) does not look again then at a level that is
 * still there, and a guest that computes, which nothing else makes leave, would have no timer any more. Its end comes to us instead.
 */
#include "internal.h"
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/platform.h>

#define GICH_HCR 0x000
#define GICH_VTR 0x004
#define GICH_VMCR 0x008
#define GICH_APR 0x0f0
#define GICH_LR(n) (0x100 + (n)*4UL)
#define GICH_LENGTH 0x200

#define HCR_ENABLE 1
#define HCR_UNDERFLOW 2
#define VTR_LISTS(vtr) (((vtr)&0x3f) + 1)
#define LR_STATE_SHIFT 28
#define LR_GROUP1 (1U << 30)
#define LR_PRIORITY_SHIFT 23 /* of the upper five bits */
#define LR_EOI (1U << 19)
#define LR_SOURCE_SHIFT 10

static volatile void *gich;

static unsigned int init(void)
{
	if (!gich && arm64_platform.gic.hypervisor.size)
		gich = arm64_map_device(arm64_platform.gic.hypervisor.start, GICH_LENGTH);
	if (!gich)
		return 0;
	write32(gich, GICH_HCR, 0);
	return VTR_LISTS(read32(gich, GICH_VTR));
}

static void list_write(unsigned int n, const struct vgic_lr *lr)
{
	u32 raw = 0;

	if (lr->state) {
		raw = (u32)lr->state << LR_STATE_SHIFT |
		      (u32)(lr->priority >> 3) << LR_PRIORITY_SHIFT | lr->intid;
		raw |= lr->group1 ? LR_GROUP1 : 0;
		raw |= (u32)lr->source << LR_SOURCE_SHIFT | (lr->eoi || lr->hw ? LR_EOI : 0);
	}
	write32(gich, GICH_LR(n), raw);
}

static void list_read(unsigned int n, struct vgic_lr *lr)
{
	lr->state = read32(gich, GICH_LR(n)) >> LR_STATE_SHIFT & 3;
}

static void control(bool on, bool underflow)
{
	write32(gich, GICH_HCR, (on ? HCR_ENABLE : 0) | (underflow ? HCR_UNDERFLOW : 0));
}

static void save(struct vgic_cpu *g)
{
	g->vmcr = read32(gich, GICH_VMCR);
	g->priorities[1][0] = read32(gich, GICH_APR);
}

static void load(const struct vgic_cpu *g)
{
	write32(gich, GICH_VMCR, g->vmcr);
	write32(gich, GICH_APR, g->priorities[1][0]);
}

const struct vgic_list_ops vgic_list2 = {
	.init = init,
	.write = list_write,
	.read = list_read,
	.control = control,
	.save = save,
	.load = load,
};
