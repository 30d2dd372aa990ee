// SPDX-License-Identifier: GPL-2.0-or-later
/* Exceptions: interrupts are told to whom they concern; a synchronous one is noted and skipped where PROBE expects it, and the end of the guest elsewhere. */
#include "tinyarm.h"
#include "tiny_event.h"
#include "tiny_lib.h"

#define GIC_NONE 1020
#define INTID(taken) ((taken)&0x3ff)

volatile struct tinyarm_fault tinyarm_fault;
uint64_t tinyarm_skip;
volatile uint64_t tinyarm_interrupts[32];

void tinyarm_sync(struct tinyarm_frame *frame);
void tinyarm_irq(struct tinyarm_frame *frame);
void tinyarm_stray(struct tinyarm_frame *frame);

void tinyarm_sync(struct tinyarm_frame *frame)
{
	uint64_t syndrome = read_sysreg(esr_el1), address = read_sysreg(far_el1);

	if (!tinyarm_skip)
		tiny_fail("exception at %lx: syndrome %lx, address %lx", frame->elr, syndrome,
			  address);
	tinyarm_fault.syndrome = syndrome;
	tinyarm_fault.address = address;
	frame->elr = tinyarm_skip;
}

void tinyarm_irq(struct tinyarm_frame *frame)
{
	unsigned int taken = gic_take(), intid = INTID(taken);

	(void)frame;
	if (intid >= GIC_NONE)
		return;
	if (intid < ARRAY_SIZE(tinyarm_interrupts))
		tinyarm_interrupts[intid]++;
	if (intid == tinyarm_machine.events)
		event_upcall();
	else if (intid == tinyarm_machine.timer)
		tinyarm_timer_fired();
	gic_end(taken);
}

void tinyarm_stray(struct tinyarm_frame *frame)
{
	tiny_fail("an exception of a kind that there should not be, at %lx, state %lx", frame->elr,
		  frame->spsr);
}
