// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The local APIC in its memory-mapped mode (Intel SDM vol. 3, chapter 10). Every CPU reaches its
 * own at one address, so there is nothing to lock; the interrupt-command register is used with
 * interrupts off.
 */
#include <asm/acpi.h>
#include <asm/apic.h>
#include <asm/io.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/time.h>
#include <asm/vectors.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define APIC_ID 0x20
#define APIC_TPR 0x80
#define APIC_EOI 0xb0
#define APIC_LDR 0xd0
#define APIC_SPURIOUS 0xf0
#define APIC_SPURIOUS_ENABLE 0x100
#define APIC_ERROR 0x280
#define APIC_ICR_LOW 0x300
#define APIC_ICR_HIGH 0x310
#define APIC_LVT_TIMER 0x320
#define APIC_LVT_LINT0 0x350
#define APIC_LVT_LINT1 0x360
#define APIC_LVT_ERROR 0x370
#define APIC_TIMER_INITIAL 0x380
#define APIC_TIMER_CURRENT 0x390
#define APIC_TIMER_DIVIDE 0x3e0

#define LVT_MASKED 0x10000
#define LVT_NMI 0x400
#define LVT_TSC_DEADLINE 0x40000
#define DIVIDE_BY_1 0xb

#define ICR_NMI 0x400
#define ICR_INIT 0x500
#define ICR_STARTUP 0x600
#define ICR_PENDING 0x1000
#define ICR_ASSERT 0x4000
#define ICR_ALL_OTHERS 0xc0000

static volatile char *apic;

static u32 apic_read(unsigned int reg)
{
	return mmio_read32(apic + reg);
}

static void apic_write(unsigned int reg, u32 v)
{
	mmio_write32(apic + reg, v);
}

void apic_init(void)
{
	u64 base = x86_rdmsr(MSR_APIC_BASE);
	paddr_t pa = _paddr(base & PTE_ADDR_MASK);

	if (base & APIC_BASE_X2APIC)
		panic("The firmware left the local APIC in x2APIC mode, which is not supported");
	if (x86_acpi.present && !paddr_eq(x86_acpi.lapic, INVALID_PADDR) &&
	    !paddr_eq(x86_acpi.lapic, pa))
		pr_warn("ACPI has the local APIC at %#lx, the CPU at %#lx: the CPU is believed",
			paddr_x(x86_acpi.lapic), paddr_x(pa));
	apic = x86_map_device(pa, PAGE_SIZE);
	if (!apic)
		panic("The local APIC cannot be mapped");
	apic_cpu_init();
}

void apic_cpu_init(void)
{
	x86_wrmsr(MSR_APIC_BASE, x86_rdmsr(MSR_APIC_BASE) | APIC_BASE_ENABLE);
	apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
	apic_write(APIC_TPR, 0);
	apic_write(APIC_LVT_TIMER, LVT_MASKED);
	apic_write(APIC_LVT_LINT0, LVT_MASKED);
	apic_write(APIC_LVT_LINT1, LVT_NMI);
	apic_write(APIC_LVT_ERROR, VECTOR_APIC_ERROR);
	apic_write(APIC_ERROR, 0);
	apic_eoi();
}

u32 apic_id(void)
{
	return apic_read(APIC_ID) >> 24;
}

void apic_eoi(void)
{
	apic_write(APIC_EOI, 0);
}

u32 apic_read_errors(void)
{
	apic_write(APIC_ERROR, 0);
	return apic_read(APIC_ERROR);
}

static void send(u32 to, u32 command)
{
	unsigned long flags = local_irq_save();

	apic_write(APIC_ICR_HIGH, to << 24);
	apic_write(APIC_ICR_LOW, command);
	while (apic_read(APIC_ICR_LOW) & ICR_PENDING)
		cpu_relax();
	local_irq_restore(flags);
}

void apic_send_vector(u32 to, u8 vector)
{
	send(to, ICR_ASSERT | vector);
}

void apic_send_nmi_to_others(void)
{
	if (apic) /* panic may come before there is one */
		send(0, ICR_ASSERT | ICR_NMI | ICR_ALL_OTHERS);
}

void apic_send_init(u32 to)
{
	send(to, ICR_ASSERT | ICR_INIT);
}

void apic_send_startup(u32 to, u8 page)
{
	send(to, ICR_ASSERT | ICR_STARTUP | page);
}

void apic_timer_setup(bool tsc_deadline)
{
	apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
	apic_write(APIC_LVT_TIMER, VECTOR_TIMER | (tsc_deadline ? LVT_TSC_DEADLINE : 0));
	smp_mb(); /* the mode must be set before the deadline is (SDM vol. 3, 10.5.4.1) */
}

void apic_timer_set_count(u32 count)
{
	apic_write(APIC_TIMER_INITIAL, count);
}

u32 apic_timer_count(void)
{
	return apic_read(APIC_TIMER_CURRENT);
}
