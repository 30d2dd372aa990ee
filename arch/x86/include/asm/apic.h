/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The local APIC of each CPU, the I/O APICs and the legacy 8259 interrupt controllers. */
#ifndef ASM_APIC_H
#define ASM_APIC_H

#include <tine/compiler.h>
#include <tine/cpu.h>
#include <tine/types.h>

DECLARE_PERCPU(u32, apic_id_of); /* where IPIs to a CPU go */

void apic_init(void);     /* CPU 0: finds and maps the local APIC; panics without one */
void apic_cpu_init(void); /* the CPU that calls: spurious vector, error vector, all else masked */
u32 apic_id(void);        /* of the CPU that calls */
void apic_eoi(void);
u32 apic_read_errors(void);

/* Send to the APIC with this id; wait until the APIC has taken it. */
void apic_send_vector(u32 to, u8 vector);
void apic_send_nmi_to_others(void);
void apic_send_init(u32 to);
void apic_send_startup(u32 to, u8 page);

/* The one-shot timer, masked by writing 0. Counts down at the bus clock, undivided. */
void apic_timer_setup(bool tsc_deadline);
void apic_timer_set_count(u32 count);
u32 apic_timer_count(void);

void pic_disable(void);

/*
 * Routes ISA interrupt IRQ, edge-triggered, to VECTOR on the CPU that calls. -ENODEV: no I/O APIC
 * serves it.
 */
int ioapic_route_isa(unsigned int irq, u8 vector) __must_check;

#endif
