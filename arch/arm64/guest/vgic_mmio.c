// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's interrupt controller, registers: the distributor and, of GICv3, redistributors, whose SGI frames have the distributor's registers for SGIs
 * and PPIs at the same offsets; of GICv2 the distributor shows each vCPU its own. There are no SPIs: their registers read as zero and ignore
 * writes, as reserved ones do. Accesses are taken a word at a time; bytes where the controller has them (IHI 0048, 4.3; IHI 0069, 12.8 to 12.11).
 *
 * All fields are atomic, as any vCPU may write to any redistributor. Active bits are those of list registers: the running vCPU's are exact, others' as old
 * as their last exit.
 */
#include "internal.h"
#include <asm/gic.h>
#include <tine/domain.h>

#define GICD_CTLR 0x000
#define GICD_TYPER 0x004
#define GICD_IGROUPR 0x080
#define GICD_ISENABLER 0x100
#define GICD_ICENABLER 0x180
#define GICD_ISPENDR 0x200
#define GICD_ICPENDR 0x280
#define GICD_ISACTIVER 0x300
#define GICD_ICACTIVER 0x380
#define GICD_IPRIORITYR 0x400
#define GICD_ITARGETSR 0x800
#define GICD_ICFGR 0xc00
#define GICD_SGIR 0xf00
#define GICD_CPENDSGIR 0xf10
#define GICD_SPENDSGIR 0xf20
#define GICD_PIDR2 0xffe8
#define GICD_V2_PIDR2 0xfe8

#define CTLR_GROUPS 0x3
#define CTLR_ALWAYS_V3 0x50 /* affinity routing, one security state */
#define TYPER_CPUS_SHIFT 5
#define TYPER_ID_BITS_10 (9U << 19)
#define PIDR2_V2 0x20
#define PIDR2_V3 0x30

#define GICR_TYPER 0x08
#define GICR_TYPER_HIGH 0x0c
#define GICR_WAKER 0x14
#define GICR_SGI_FRAME 0x10000
#define GICR_TYPER_LAST 0x10
#define WAKER_SLEEP 0x2
#define WAKER_ASLEEP 0x4

#define SGIS_EDGE 0xaaaaaaaaU

static void set_bits(u32 *word, u32 bits)
{
	(void)__atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
}

static void clear_bits(u32 *word, u32 bits)
{
	(void)__atomic_fetch_and(word, ~bits, __ATOMIC_SEQ_CST);
}

/* ---- SGIs and PPIs of one vCPU ---- */

static u32 active_bits(const struct vgic_cpu *g)
{
	u32 bits = 0;

	for (unsigned int i = 0; i < VGIC_LRS; i++)
		if (g->lr[i].state & LR_ACTIVE)
			bits |= BIT(g->lr[i].intid);
	return bits;
}

static u32 pending_bits(const struct vcpu *v)
{
	const struct vgic_cpu *g = &v->arch.guest.gic;
	u32 bits = READ_ONCE(g->pending) | vgic_lines(v);

	for (unsigned int i = 0; i < VGIC_LRS; i++)
		if (g->lr[i].state & LR_PENDING)
			bits |= BIT(g->lr[i].intid);
	return bits;
}

/* Two bits an interrupt, the upper says edge; PPIs are 16 to 31. */
static u32 config_of_ppis(const struct vgic_cpu *g)
{
	u32 word = 0;

	for (unsigned int i = 0; i < 16; i++)
		if (g->edge & BIT(16 + i))
			word |= 2U << i * 2;
	return word;
}

static u32 read_priorities(const struct vgic_cpu *g, unsigned int first)
{
	return g->priority[first] | (u32)g->priority[first + 1] << 8 |
	       (u32)g->priority[first + 2] << 16 | (u32)g->priority[first + 3] << 24;
}

static u32 private_read(const struct vcpu *v, unsigned long at)
{
	const struct vgic_cpu *g = &v->arch.guest.gic;

	if (at >= GICD_IPRIORITYR && at < GICD_IPRIORITYR + VGIC_PRIVATE)
		return read_priorities(g, (unsigned int)(at - GICD_IPRIORITYR));
	if (at >= GICD_ITARGETSR && at < GICD_ITARGETSR + VGIC_PRIVATE && !gic_is_v3())
		return 0x01010101U << v->id;
	switch (at) {
	case GICD_IGROUPR:
		return g->group;
	case GICD_ISENABLER:
	case GICD_ICENABLER:
		return g->enabled;
	case GICD_ISPENDR:
	case GICD_ICPENDR:
		return pending_bits(v);
	case GICD_ISACTIVER:
	case GICD_ICACTIVER:
		return active_bits(g);
	case GICD_ICFGR:
		return SGIS_EDGE;
	case GICD_ICFGR + 4:
		return config_of_ppis(g);
	default:
		return 0;
	}
}

static void write_priorities(struct vgic_cpu *g, unsigned int first, u32 value, u32 mask)
{
	for (unsigned int i = 0; i < 4; i++)
		if (mask >> i * 8 & 0xff)
			WRITE_ONCE(g->priority[first + i], (u8)(value >> i * 8));
}

/* The active interrupt that a guest declares to be over, as after a crash. */
static void deactivate(struct vcpu *v, u32 bits)
{
	struct vgic_cpu *g = &v->arch.guest.gic;

	for (unsigned int i = 0; i < VGIC_LRS && v == current; i++) {
		struct vgic_lr *lr = &g->lr[i];

		if (!(lr->state & LR_ACTIVE) || !(bits & BIT(lr->intid)))
			continue;
		lr->state &= (u8)~LR_ACTIVE;
		if (!lr->state)
			g->listed &= ~BIT(lr->intid);
	}
}

static void set_config(struct vgic_cpu *g, u32 value, u32 mask)
{
	for (unsigned int i = 0; i < 16; i++)
		if (mask >> i * 2 & 2)
			(value >> i * 2 & 2 ? set_bits : clear_bits)(&g->edge, BIT(16 + i));
}

/* Bits of MASK are written; registers of single bits take what is set in VALUE. */
static void private_write(struct vcpu *v, unsigned long at, u32 value, u32 mask)
{
	struct vgic_cpu *g = &v->arch.guest.gic;

	value &= mask;
	if (at >= GICD_IPRIORITYR && at < GICD_IPRIORITYR + VGIC_PRIVATE) {
		write_priorities(g, (unsigned int)(at - GICD_IPRIORITYR), value, mask);
		return;
	}
	switch (at) {
	case GICD_IGROUPR:
		set_bits(&g->group, value);
		clear_bits(&g->group, ~value & mask);
		break;
	case GICD_ISENABLER:
		set_bits(&g->enabled, value);
		break;
	case GICD_ICENABLER:
		clear_bits(&g->enabled, value);
		break;
	case GICD_ISPENDR:
		set_bits(&g->pending, value);
		break;
	case GICD_ICPENDR:
		clear_bits(&g->pending, value);
		break;
	case GICD_ICACTIVER:
		deactivate(v, value);
		break;
	case GICD_ICFGR + 4:
		set_config(g, value, mask);
		break;
	default:
		return;
	}
	if (v != current)
		vcpu_notify(v);
}

/* ---- SGIs ---- */

static void send(struct vcpu *to, unsigned int sgi)
{
	vgic_raise(to, sgi);
}

/* ICC_SGI1R_EL1: three levels of affinity and a bit for each of 16 at the lowest, or all others. */
void vgic_sgi1r(struct vcpu *v, u64 value)
{
	u64 cluster =
		(value >> 16 & 0xff) << 8 | (value >> 32 & 0xff) << 16 | (value >> 48 & 0xff) << 32;
	unsigned int sgi = value >> 24 & 0xf, i;
	bool all = value >> 40 & 1;
	struct vcpu *to;

	for_each_vcpu (v->domain, to, i) {
		u64 affinity = arm64_vcpu_mpidr(to) & 0xff00ffffffUL;

		if (all ? to != v
			: (affinity & ~0xffUL) == cluster && value >> (affinity & 0xff) & 1 &&
				    (affinity & 0xff) < 16)
			send(to, sgi);
	}
}

static void send_v2(struct vcpu *to, unsigned int sgi, const struct vcpu *from)
{
	(void)__atomic_fetch_or(&to->arch.guest.gic.sources[sgi], (u8)BIT(from->id),
				__ATOMIC_SEQ_CST);
	send(to, sgi);
}

static void sgir(struct vcpu *v, u32 value)
{
	unsigned int filter = value >> 24 & 3, targets = value >> 16 & 0xff, i;
	struct vcpu *to;

	for_each_vcpu (v->domain, to, i) {
		if (filter == 0 ? targets >> i & 1 : filter == 1 ? to != v : filter == 2 && to == v)
			send_v2(to, value & 0xf, v);
	}
}

/* Who has sent, a byte an SGI. */
static u32 sources_read(const struct vgic_cpu *g, unsigned int first)
{
	return g->sources[first] | (u32)g->sources[first + 1] << 8 |
	       (u32)g->sources[first + 2] << 16 | (u32)g->sources[first + 3] << 24;
}

static void sources_write(struct vcpu *v, unsigned int first, u32 value, bool set)
{
	struct vgic_cpu *g = &v->arch.guest.gic;

	for (unsigned int i = 0; i < 4; i++) {
		u8 bits = (u8)(value >> i * 8);

		if (!bits)
			continue;
		if (set) {
			(void)__atomic_fetch_or(&g->sources[first + i], bits, __ATOMIC_SEQ_CST);
			vgic_raise(v, first + i);
		} else if (!__atomic_and_fetch(&g->sources[first + i], (u8)~bits,
					       __ATOMIC_SEQ_CST)) {
			clear_bits(&g->pending, BIT(first + i));
		}
	}
}

/* ---- The distributor ---- */

static u32 distributor_read(const struct vcpu *v, unsigned long at)
{
	const struct domain *d = v->domain;
	bool v3 = gic_is_v3();

	switch (at) {
	case GICD_CTLR:
		return d->arch.gicd_ctlr | (v3 ? CTLR_ALWAYS_V3 : 0);
	case GICD_TYPER:
		return min(d->nr_vcpus - 1, 7U) << TYPER_CPUS_SHIFT | (v3 ? TYPER_ID_BITS_10 : 0);
	case GICD_V2_PIDR2:
		return v3 ? 0 : PIDR2_V2;
	case GICD_PIDR2:
		return v3 ? PIDR2_V3 : 0;
	default:
		break;
	}
	if (v3)
		return 0;
	if (at >= GICD_CPENDSGIR && at < GICD_SPENDSGIR + 16)
		return sources_read(&v->arch.guest.gic, (unsigned int)(at & 0xc));
	return private_read(v, at);
}

static void distributor_write(struct vcpu *v, unsigned long at, u32 value, u32 mask)
{
	if (at == GICD_CTLR)
		__atomic_store_n(&v->domain->arch.gicd_ctlr, value & CTLR_GROUPS, __ATOMIC_SEQ_CST);
	else if (gic_is_v3())
		return;
	else if (at == GICD_SGIR)
		sgir(v, value);
	else if (at >= GICD_CPENDSGIR && at < GICD_SPENDSGIR + 16)
		sources_write(v, (unsigned int)(at & 0xc), value & mask, at >= GICD_SPENDSGIR);
	else
		private_write(v, at, value, mask);
}

/* ---- A redistributor ---- */

static u32 redistributor_read(const struct vcpu *v, unsigned long at)
{
	u64 affinity = arm64_vcpu_mpidr(v) & 0xffffff;

	if (at >= GICR_SGI_FRAME)
		return private_read(v, at - GICR_SGI_FRAME);
	switch (at) {
	case GICR_TYPER:
		return (v->id + 1 == v->domain->nr_vcpus ? GICR_TYPER_LAST : 0) | v->id << 8;
	case GICR_TYPER_HIGH:
		return (u32)affinity;
	case GICR_WAKER:
		return v->arch.guest.gic.asleep ? WAKER_SLEEP | WAKER_ASLEEP : 0;
	case GICD_PIDR2:
		return PIDR2_V3;
	default:
		return 0;
	}
}

static void redistributor_write(struct vcpu *v, unsigned long at, u32 value, u32 mask)
{
	if (at >= GICR_SGI_FRAME)
		private_write(v, at - GICR_SGI_FRAME, value, mask);
	else if (at == GICR_WAKER)
		v->arch.guest.gic.asleep = value & WAKER_SLEEP;
}

/* ---- Which it is ---- */

struct place {
	struct vcpu *v;
	bool distributor;
	unsigned long at;
};

static bool find(struct vcpu *v, u64 ipa, struct place *p)
{
	bool v3 = gic_is_v3();

	p->v = v;
	p->distributor = ipa >= GUEST_GICD && ipa < GUEST_GICD + GUEST_GICD_SIZE(v3);
	p->at = ipa - GUEST_GICD;
	if (p->distributor)
		return true;
	if (!v3 || ipa < GUEST_GICR)
		return false;
	p->at = (ipa - GUEST_GICR) % GUEST_GICR_STRIDE;
	p->v = domain_vcpu(v->domain, (unsigned int)min((ipa - GUEST_GICR) / GUEST_GICR_STRIDE,
							(u64)MAX_VCPUS));
	return p->v != NULL;
}

static u32 read_word(const struct place *p, unsigned long at)
{
	return p->distributor ? distributor_read(p->v, at) : redistributor_read(p->v, at);
}

static void write_word(const struct place *p, unsigned long at, u32 value, u32 mask)
{
	(p->distributor ? distributor_write : redistributor_write)(p->v, at, value, mask);
}

bool vgic_mmio(struct vcpu *v, u64 ipa, bool write, unsigned int size, u64 *value)
{
	struct place p;
	unsigned long word;
	unsigned int shift = (ipa & 3) * 8;
	u32 mask = size < 4 ? (u32)(BIT(size * 8) - 1) << shift : ~0U;

	if (!find(v, ipa, &p))
		return false;
	word = p.at &
	       ~3UL; /* processors that let a misaligned access through give us its address */
	if (write) {
		write_word(&p, word, (u32)*value << shift, mask);
		if (size == 8)
			write_word(&p, word + 4, (u32)(*value >> 32), ~0U);
		return true;
	}
	*value = (read_word(&p, word) & mask) >> shift;
	if (size == 8)
		*value |= (u64)read_word(&p, word + 4) << 32;
	return true;
}
