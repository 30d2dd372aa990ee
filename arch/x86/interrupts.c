// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dispatch of external interrupts; they run to their end with interrupts off and leave the rest to
 * softirqs.
 */
#include <asm/apic.h>
#include <asm/clock.h>
#include <asm/setup.h>
#include <asm/uart.h>
#include <asm/vectors.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

DEFINE_PERCPU(u32, apic_id_of);

static void unexpected(u32 vector)
{
	static u32 reported;

	if (vector >= VECTOR_PIC && vector < VECTOR_PIC + 16)
		return; /* a masked 8259's spurious interrupt wants no EOI */
	apic_eoi();
	if (__atomic_fetch_add(&reported, 1, __ATOMIC_RELAXED) < 10)
		pr_warn("Unexpected interrupt vector %#x on CPU %u", vector, smp_processor_id());
}

void x86_interrupt(struct cpu_regs *regs)
{
	switch (regs->entry_vector) {
	case VECTOR_TIMER:
		apic_eoi();
		x86_timer_tick();
		break;
	case VECTOR_RESCHEDULE: /* whoever sent it has raised a softirq; the way out looks */
		apic_eoi();
		break;
	case VECTOR_CALL:
		apic_eoi();
		smp_call_handle();
		break;
	case VECTOR_TLB_FLUSH:
		apic_eoi();
		x86_tlb_flush_handle();
		break;
	case VECTOR_SERIAL:
		apic_eoi();
		x86_serial_interrupt();
		break;
	case VECTOR_APIC_ERROR:
		apic_eoi();
		pr_warn("CPU %u: local APIC error %#x", smp_processor_id(), apic_read_errors());
		break;
	case VECTOR_SPURIOUS: /* no EOI (SDM vol. 3, 10.9) */
		break;
	default:
		unexpected(regs->entry_vector);
		break;
	}
}

void arch_send_ipi(unsigned int cpu, enum ipi kind)
{
	static const u8 vectors[IPI_COUNT] = {
		[IPI_RESCHEDULE] = VECTOR_RESCHEDULE,
		[IPI_CALL] = VECTOR_CALL,
	};

	apic_send_vector(per_cpu(apic_id_of, cpu), vectors[kind]);
}
