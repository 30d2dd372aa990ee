// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's interrupt controller, delivery: what is pending goes into list registers before the guest is entered, and what has become of it is read after
 * (GICv3: IHI 0069, 11 and 12.4; GICv2: IHI 0048, 5). The guest acknowledges and ends interrupts without us. It has SGIs and PPIs and no others: no device
 * of a guest's has an interrupt line. Registers that the guest sees are vgic_mmio.c's.
 *
 * Bits that other vCPUs may set are atomic; list registers are of the vCPU that runs, on its CPU with interrupts off, or at rest in struct vgic_cpu. An
 * interrupt is in at most one list register. Level-triggered is the upcall of event channels: asked for as long as one is pending; when that is still so
 * while the guest handles it, its end comes back to us. The timer's physical interrupt stays active until the guest ends the virtual one (vtimer.c).
 */
#include "internal.h"
#include <asm/gic.h>
#include <asm/platform.h>
#include <tine/arch.h>
#include <tine/domain.h>

#define ALL_SGIS 0xffffU
#define NONE 32U

static const struct vgic_list_ops *list;
static DEFINE_PERCPU(unsigned int, nr_lists);

static bool maintenance(u32 intid)
{
	return true; /* the way out of the guest has seen to it already */
}

void vgic_cpu_init(void)
{
	list = gic_is_v3() ? &vgic_list3 : &vgic_list2;
	this_cpu(nr_lists) = min(list->init(), (unsigned int)VGIC_LRS);
	if (!arm64_platform.gic.maintenance)
		return;
	gic_handle(arm64_platform.gic.maintenance, maintenance);
	gic_enable(arm64_platform.gic.maintenance, true);
}

void vgic_vcpu_reset(struct vcpu *v)
{
	v->arch.guest.gic = (struct vgic_cpu){ .enabled = ALL_SGIS, .asleep = true };
}

/* ---- What there is to deliver ---- */

u32 vgic_lines(const struct vcpu *v)
{
	return READ_ONCE(v->info->evtchn_upcall_pending) ? BIT(GUEST_PPI_EVENTS) : 0;
}

static u32 deliverable(const struct vcpu *v)
{
	const struct vgic_cpu *g = &v->arch.guest.gic;
	u32 groups = READ_ONCE(v->domain->arch.gicd_ctlr), in_group = READ_ONCE(g->group);
	u32 wanted = (READ_ONCE(g->pending) | vgic_lines(v)) & READ_ONCE(g->enabled);

	return wanted & ((groups & 1 ? ~in_group : 0) | (groups & 2 ? in_group : 0));
}

bool vgic_waits(const struct vcpu *v)
{
	const struct vgic_cpu *g = &v->arch.guest.gic;

	for (unsigned int i = 0; i < VGIC_LRS; i++)
		if (g->lr[i].state & LR_PENDING)
			return true;
	return deliverable(v) & ~g->listed || (v == current && vtimer_due(v));
}

bool arch_event_deliverable(const struct vcpu *v)
{
	return deliverable(v) & BIT(GUEST_PPI_EVENTS);
}

/* Other reasons not to block than events: interrupts of the controller. */
bool arch_nmi_waits(const struct vcpu *v)
{
	return vgic_waits(v);
}

void vgic_raise(struct vcpu *v, unsigned int intid)
{
	(void)__atomic_fetch_or(&v->arch.guest.gic.pending, BIT(intid), __ATOMIC_SEQ_CST);
	vcpu_notify(v);
}

/* ---- Into list registers ---- */

static void forget_pending(struct vgic_cpu *g, u32 bits)
{
	(void)__atomic_fetch_and(&g->pending, ~bits, __ATOMIC_SEQ_CST);
}

/* The one of WANTED that has the highest priority, the lowest value; of equals the lowest number. */
static unsigned int most_urgent(const struct vgic_cpu *g, u32 wanted)
{
	unsigned int best = lsb(wanted);

	for (u32 rest = wanted & (wanted - 1); rest; rest &= rest - 1)
		if (g->priority[lsb(rest)] < g->priority[best])
			best = lsb(rest);
	return best;
}

/* An SGI of GICv2 says who sent it, and each sender's is one of its own. */
static u8 take_source(struct vgic_cpu *g, unsigned int intid)
{
	u8 sources = intid < GIC_SGIS ? READ_ONCE(g->sources[intid]) : 0;
	u8 first;

	if (!sources)
		return 0;
	first = (u8)lsb(sources);
	if (__atomic_and_fetch(&g->sources[intid], (u8)~BIT(first), __ATOMIC_SEQ_CST))
		(void)__atomic_fetch_or(&g->pending, BIT(intid), __ATOMIC_SEQ_CST);
	return first;
}

static void put_in_list(struct vcpu *v, unsigned int slot, unsigned int intid)
{
	struct vgic_cpu *g = &v->arch.guest.gic;

	forget_pending(g, BIT(intid));
	g->lr[slot] = (struct vgic_lr){
		.intid = (u8)intid,
		.priority = g->priority[intid],
		.state = LR_PENDING,
		.source = take_source(g, intid),
		.hw = intid == GUEST_PPI_TIMER && v->arch.guest.timer_active,
		.group1 = g->group & BIT(intid),
	};
	g->listed |= BIT(intid);
}

/* What is listed and was disabled since waits outside; what is being handled and asked for again is pending besides, or tells when it ends. */
static void revise(struct vcpu *v, struct vgic_lr *lr)
{
	struct vgic_cpu *g = &v->arch.guest.gic;
	u32 bit = BIT(lr->intid);

	if (lr->state == LR_PENDING && !(g->enabled & bit)) {
		(void)__atomic_fetch_or(&g->pending, bit, __ATOMIC_SEQ_CST);
		if (lr->intid < GIC_SGIS)
			(void)__atomic_fetch_or(&g->sources[lr->intid], (u8)BIT(lr->source),
						__ATOMIC_SEQ_CST);
		lr->state = LR_EMPTY;
		g->listed &= ~bit;
		return;
	}
	if (!(lr->state & LR_ACTIVE) || lr->hw)
		return;
	if (lr->intid >= GIC_SGIS && g->pending & bit) {
		forget_pending(g, bit);
		lr->state |= LR_PENDING;
	}
	lr->eoi = (vgic_lines(v) | g->pending) & bit && !(lr->state & LR_PENDING);
}

void vgic_enter(struct vcpu *v)
{
	struct vgic_cpu *g = &v->arch.guest.gic;
	unsigned int n = this_cpu(nr_lists);
	u32 wanted;

	vtimer_enter(v);
	for (unsigned int i = 0; i < n && g->listed; i++)
		if (g->lr[i].state)
			revise(v, &g->lr[i]);
	wanted = deliverable(v) & ~g->listed;
	if (!wanted && !g->listed) {
		list->control(true, false);
		return;
	}
	for (unsigned int i = 0; i < n; i++) {
		if (!g->lr[i].state && wanted) {
			unsigned int intid = most_urgent(g, wanted);

			put_in_list(v, i, intid);
			wanted &= ~BIT(intid);
		}
		list->write(i, &g->lr[i]);
	}
	list->control(true, wanted);
}

/* ---- And out again ---- */

void vgic_exit(struct vcpu *v)
{
	struct vgic_cpu *g = &v->arch.guest.gic;

	list->control(false, false);
	for (unsigned int i = 0; i < this_cpu(nr_lists) && g->listed; i++) {
		struct vgic_lr *lr = &g->lr[i];

		if (!lr->state)
			continue;
		list->read(i, lr);
		if (lr->state)
			continue;
		g->listed &= ~BIT(lr->intid);
		if (lr->hw)
			vtimer_ended(v);
		list->write(i, lr);
	}
}

void vgic_save(struct vcpu *v)
{
	list->save(&v->arch.guest.gic);
}

/* Whose list registers those were, they are this one's now. */
void vgic_load(struct vcpu *v)
{
	for (unsigned int i = 0; i < this_cpu(nr_lists); i++)
		list->write(i, &v->arch.guest.gic.lr[i]);
	list->load(&v->arch.guest.gic);
}
