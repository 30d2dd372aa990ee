// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interrupt descriptor table, one for all CPUs: 256 interrupt gates to the stubs of
 * trap_entry.S. Ring 3 may use the gates of int3, into and PV guests' int $0x80. Written at start
 * of day only.
 */
#include <asm/segment.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <asm/vectors.h>
#include <tine/lib.h>

/* Intel SDM vol. 3, 6.14.1. */
struct gate {
	u16 offset_low, selector;
	u8 ist, attributes;
	u16 offset_middle;
	u32 offset_high, reserved;
};

#define GATE_INTERRUPT 0x8e /* present, ring 0 */
#define GATE_RING3 0x60

#define STUB_SIZE 16
extern const char x86_entry_stubs[256][STUB_SIZE]; /* trap_entry.S */

static struct gate idt[256] __aligned(4096);

static void set_gate(unsigned int vector, bool ring3)
{
	u64 offset = (u64)x86_entry_stubs[vector];

	idt[vector] = (struct gate){
		.offset_low = (u16)offset,
		.selector = SEL_HYPERVISOR_CS,
		.attributes = GATE_INTERRUPT | (ring3 ? GATE_RING3 : 0),
		.offset_middle = (u16)(offset >> 16),
		.offset_high = (u32)(offset >> 32),
	};
}

void x86_idt_init(void)
{
	for (unsigned int vector = 0; vector < ARRAY_SIZE(idt); vector++)
		set_gate(vector, vector == TRAP_BREAKPOINT || vector == TRAP_OVERFLOW ||
					 vector == VECTOR_GUEST_SYSCALL);
}

void x86_idt_use_ist(void)
{
	extern const char x86_ist_double_fault[], x86_ist_nmi[], x86_ist_machine_check[],
		x86_ist_debug[];
	static const struct {
		const char *entry;
		u8 vector, ist;
	} own_stack[] = {
		{ x86_ist_double_fault, TRAP_DOUBLE_FAULT, IST_DOUBLE_FAULT },
		{ x86_ist_nmi, TRAP_NMI, IST_NMI },
		{ x86_ist_machine_check, TRAP_MACHINE_CHECK, IST_MACHINE_CHECK },
		{ x86_ist_debug, TRAP_DEBUG, IST_DEBUG },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(own_stack); i++) {
		struct gate *g = &idt[own_stack[i].vector];
		u64 offset = (u64)own_stack[i].entry;

		g->offset_low = (u16)offset;
		g->offset_middle = (u16)(offset >> 16);
		g->offset_high = (u32)(offset >> 32);
		g->ist = own_stack[i].ist;
	}
}

void x86_idt_load(void)
{
	struct __packed {
		u16 limit;
		u64 base;
	} idtr = { sizeof(idt) - 1, (u64)idt };

	__asm__ volatile("lidt %0" : : "m"(idtr));
}
