// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The local APIC of a PVH vCPU (Intel SDM vol. 3, chapter 10). It is in x2APIC mode from the start and knows no other, so it is MSRs alone. It
 * delivers interrupts between vCPUs, NMIs, event upcalls, INIT and STARTUP, and has a timer (svm_lapic_timer.c).
 *
 * IRR bits are set by any CPU, atomically; everything else is touched by the vCPU itself.
 */
#include "internal.h"
#include <asm/barrier.h>
#include <asm/msr.h>
#include <tine/lib.h>
#include <tine/string.h>

#define APIC_BASE_ADDRESS 0xfee00000UL
#define APIC_BASE_BSP 0x100UL

#define X2APIC_FIRST 0x800
#define VERSION_VALUE 0x50014U /* six LVT entries */

enum lapic_reg {
	REG_ID = 0x02,
	REG_VERSION = 0x03,
	REG_TPR = 0x08,
	REG_PPR = 0x0a,
	REG_EOI = 0x0b,
	REG_LDR = 0x0d,
	REG_SPURIOUS = 0x0f,
	REG_ISR = 0x10,
	REG_TMR = 0x18,
	REG_IRR = 0x20,
	REG_ESR = 0x28,
	REG_CMCI = 0x2f,
	REG_ICR = 0x30,
	REG_LVT_FIRST = LAPIC_LVT_TIMER,
	REG_LVT_LAST = 0x37,
	REG_TIMER_CURRENT = 0x39,
	REG_SELF_IPI = 0x3f,
};

#define ICR_MODE(icr) (((icr) >> 8) & 7)
#define ICR_LOGICAL(icr) ((icr) & (1U << 11))
#define ICR_ASSERT(icr) ((icr) & (1U << 14))
#define ICR_SHORTHAND(icr) (((icr) >> 18) & 3)
enum { MODE_FIXED, MODE_LOWEST, MODE_NMI = 4, MODE_INIT = 5, MODE_STARTUP = 6 };
#define LVT_TIMER_MODE (3U << 17)
enum { TO_DESTINATION, TO_SELF, TO_ALL, TO_OTHERS };
#define DESTINATION_ALL ~0U
#define VECTOR_FIRST 16U

/* As the MADT has it (guest_acpi.c). */
u32 svm_lapic_id(const struct vcpu *v)
{
	return v->id * PVH_APIC_ID_STEP;
}

u64 svm_lapic_base(const struct vcpu *v)
{
	return APIC_BASE_ADDRESS | APIC_BASE_ENABLE | APIC_BASE_X2APIC |
	       (v->id ? 0 : APIC_BASE_BSP);
}

/* In clusters of 16 (SDM 10.12.10.2). */
static u32 logical_id(const struct vcpu *v)
{
	u32 id = svm_lapic_id(v);

	return id >> 4 << 16 | 1U << (id & 15);
}

/* ---- Vectors ---- */

static unsigned int highest(const u32 bits[8])
{
	for (unsigned int i = 8; i--;) {
		u32 word = READ_ONCE(bits[i]);

		if (word)
			return i * 32 + msb(word);
	}
	return LAPIC_NONE;
}

static u32 priority(const struct svm_lapic *a)
{
	return max(a->regs[REG_TPR] & 0xf0, highest(a->isr) & 0xf0);
}

unsigned int svm_lapic_pending(const struct vcpu *v)
{
	const struct svm_lapic *a = &v->arch.svm->lapic;
	unsigned int vector = highest(a->irr);

	return vector && (vector & 0xf0) > priority(a) ? vector : LAPIC_NONE;
}

u8 svm_lapic_class(const struct vcpu *v)
{
	return v->arch.svm->lapic.regs[REG_TPR] >> 4 & 0xf;
}

void svm_lapic_set_class(struct vcpu *v, u8 class)
{
	v->arch.svm->lapic.regs[REG_TPR] = (u32) class << 4;
}

void svm_lapic_accept(struct vcpu *v, unsigned int vector)
{
	struct svm_lapic *a = &v->arch.svm->lapic;

	(void)__atomic_fetch_and(&a->irr[vector / 32], ~(1U << vector % 32), __ATOMIC_SEQ_CST);
	a->isr[vector / 32] |= 1U << vector % 32;
}

bool svm_lapic_in_service(const struct vcpu *v, unsigned int vector)
{
	return v->arch.svm->lapic.isr[vector / 32] & (1U << vector % 32);
}

void svm_lapic_raise(struct vcpu *v, unsigned int vector)
{
	u32 *word = &v->arch.svm->lapic.irr[vector / 32], bit = 1U << vector % 32;

	/* Also if it is this CPU's: it may be about to leave it for a sleep. */
	if (!(__atomic_fetch_or(word, bit, __ATOMIC_SEQ_CST) & bit))
		vcpu_notify(v);
}

void svm_lapic_reset(struct vcpu *v)
{
	struct svm_lapic *a = &v->arch.svm->lapic;

	memset(a->regs, 0, sizeof(a->regs));
	memset(a->isr, 0, sizeof(a->isr));
	svm_lapic_timer_start(v);
}

static void end_of_interrupt(struct svm_lapic *a)
{
	unsigned int vector = highest(a->isr);

	if (vector)
		a->isr[vector / 32] &= ~(1U << vector % 32);
}

/* ---- From vCPU to vCPU ---- */

static bool is_meant(const struct vcpu *v, const struct vcpu *from, u64 icr)
{
	u32 to = (u32)(icr >> 32);

	switch (ICR_SHORTHAND(icr)) {
	case TO_SELF:
		return v == from;
	case TO_ALL:
		return true;
	case TO_OTHERS:
		return v != from;
	default:
		break;
	}
	if (to == DESTINATION_ALL)
		return true;
	if (!ICR_LOGICAL(icr))
		return to == svm_lapic_id(v);
	return to >> 16 == logical_id(v) >> 16 && (to & logical_id(v) & 0xffff);
}

/* Of a vCPU that is off, which it is before its first start and after a HLT with interrupts disabled; others run on. */
static void init(struct vcpu *v)
{
	if (READ_ONCE(v->pause_flags) & BIT(VCPU_DOWN))
		__atomic_store_n(&v->arch.svm->wait_sipi, true, __ATOMIC_SEQ_CST);
}

/* It takes its first state up by itself when it runs: it may still be on its way off some CPU. The second one of a pair finds nothing to do. */
static void startup(struct vcpu *v, u8 vector)
{
	if (!__atomic_exchange_n(&v->arch.svm->wait_sipi, false, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(&v->arch.svm->sipi, SVM_SIPI | vector, __ATOMIC_RELEASE);
	WRITE_ONCE(v->initialised, true);
	vcpu_wake(v, VCPU_DOWN);
}

static void deliver(struct vcpu *v, u64 icr)
{
	u8 vector = (u8)icr;

	switch (ICR_MODE(icr)) {
	case MODE_FIXED:
	case MODE_LOWEST:
		if (vector >= VECTOR_FIRST)
			svm_lapic_raise(v, vector);
		break;
	case MODE_INIT:
		if (ICR_ASSERT(icr))
			init(v);
		break;
	case MODE_STARTUP:
		startup(v, vector);
		break;
	case MODE_NMI:
		svm_nmi_send(v);
		break;
	default: /* SMI: nothing here takes it */
		break;
	}
}

static void send(struct vcpu *from, u64 icr)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (from->domain, v, i) {
		if (is_meant(v, from, icr))
			deliver(v, icr);
	}
}

/* ---- Registers ---- */

int svm_lapic_read(struct vcpu *v, u32 msr, u64 *value)
{
	const struct svm_lapic *a = &v->arch.svm->lapic;
	u32 reg = msr - X2APIC_FIRST;

	if (reg >= LAPIC_REGS || reg == REG_EOI || reg == REG_SELF_IPI)
		return -EINVAL;
	if (reg >= REG_ISR && reg < REG_TMR)
		*value = a->isr[reg - REG_ISR];
	else if (reg >= REG_IRR && reg < REG_ESR)
		*value = READ_ONCE(a->irr[reg - REG_IRR]);
	else if (reg == REG_ID)
		*value = svm_lapic_id(v);
	else if (reg == REG_VERSION)
		*value = VERSION_VALUE;
	else if (reg == REG_LDR)
		*value = logical_id(v);
	else if (reg == REG_PPR)
		*value = priority(a);
	else if (reg == REG_TIMER_CURRENT)
		*value = svm_lapic_timer_count(v);
	else
		*value = a->regs[reg];
	return 0;
}

static bool is_plain(u32 reg)
{
	return reg == REG_TPR || reg == REG_SPURIOUS || reg == REG_CMCI ||
	       (reg >= REG_LVT_FIRST && reg <= LAPIC_TIMER_INITIAL) || reg == LAPIC_TIMER_DIVIDE;
}

/* A count begins with its initial value; a new mode ends the one that runs (SDM 10.5.4). */
static void write_plain(struct vcpu *v, u32 reg, u32 value)
{
	struct svm_lapic *a = &v->arch.svm->lapic;
	bool other_mode = reg == LAPIC_LVT_TIMER && ((a->regs[reg] ^ value) & LVT_TIMER_MODE);

	a->regs[reg] = value;
	if (other_mode)
		a->regs[LAPIC_TIMER_INITIAL] = 0;
	if (other_mode || reg == LAPIC_TIMER_INITIAL)
		svm_lapic_timer_start(v);
}

int svm_lapic_write(struct vcpu *v, u32 msr, u64 value)
{
	struct svm_lapic *a = &v->arch.svm->lapic;
	u32 reg = msr - X2APIC_FIRST;

	if (reg == REG_ICR) {
		a->regs[REG_ICR] = (u32)value;
		send(v, value);
		return 0;
	}
	if (reg >= LAPIC_REGS || value >> 32)
		return -EINVAL;
	if (reg == REG_EOI)
		end_of_interrupt(a);
	else if (reg == REG_SELF_IPI && (u8)value >= VECTOR_FIRST)
		svm_lapic_raise(v, (u8)value);
	else if (is_plain(reg))
		write_plain(v, reg, (u32)value);
	else if (reg != REG_ESR) /* no errors are counted: the write that latches them finds none */
		return -EINVAL;
	return 0;
}
