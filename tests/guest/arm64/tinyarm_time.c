// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts' mask, system time and the timer of tiny_event.h on arm64: PSTATE.I, the virtual count, and the virtual timer's interrupt. The count begins
 * with the domain and system time with the hypervisor; the difference is found out once, and never too small, so that nothing comes before its time.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinyarm.h"

#define IRQ_MASKED (1ul << 7)
#define TIMER_ON 1
#define TIMER_FIRES 4
#define SECOND 1000000000ul
#define TRIES 12
#define MOMENT 200000ul /* ns that a poll is to last */

static uint64_t start; /* what system time was when the count was 0 */
static uint64_t frequency;
static volatile uint64_t count;
static unsigned int port;
static void (*tick_handler)(void);
static vcpu_runstate_info_t runstate;

bool events_are_on(void)
{
	return !(read_sysreg(daif) & IRQ_MASKED);
}

bool events_off(void)
{
	bool on = events_are_on();

	asm volatile("msr daifset, #2" : : : "memory");
	return on;
}

void events_on(void)
{
	asm volatile("msr daifclr, #2" : : : "memory");
}

void events_restore(bool on)
{
	if (on)
		events_on();
}

uint64_t tsc_now(void)
{
	asm volatile("isb" : : : "memory");
	return read_sysreg(cntvct_el0);
}

static uint64_t to_ns(uint64_t ticks)
{
	return ticks / frequency * SECOND + ticks % frequency * SECOND / frequency;
}

/* Rounded up. */
static uint64_t to_ticks(uint64_t ns)
{
	return ns / SECOND * frequency + (ns % SECOND * frequency + SECOND - 1) / SECOND;
}

uint64_t time_now(void)
{
	return to_ns(tsc_now()) + start;
}

/*
 * What a poll leaves in the run state is when this vCPU began to run again, which was after the count before the call and before the count now. The
 * former bounds it from above, as near as the poll was short; the latter says how long to poll.
 */
static void find_start(void)
{
	struct vcpu_register_runstate_memory_area where = { 0 };
	volatile vcpu_runstate_info_t *now = &runstate;
	uint64_t moment = MOMENT, least, seen, before;

	set_xen_guest_handle(where.addr.h, &runstate);
	if (hv_vcpu_op(VCPUOP_register_runstate_memory_area, 0, &where))
		tiny_fail("the run state has no place");
	seen = now->state_entry_time;
	least = seen - to_ns(tsc_now());
	start = ~0ul;
	for (unsigned int i = 0; i < TRIES; i++) {
		sched_poll_t poll = { .nr_ports = 0 };

		before = to_ns(tsc_now());
		poll.timeout = least + before + moment;
		hv_sched_op(SCHEDOP_poll, &poll);
		moment = now->state_entry_time == seen ? 4 * moment : MOMENT;
		if (now->state_entry_time == seen)
			continue;
		seen = now->state_entry_time;
		least = seen - to_ns(tsc_now());
		if (seen - before < start)
			start = seen - before;
	}
	if (start == ~0ul)
		tiny_fail("polls do not wait, or the run state does not tell");
}

static void on_timer_port(unsigned int which)
{
	tiny_fail("port %u has an event: who set a timer?", which);
}

/* VIRQ_TIMER has a port as on x86; what tests want of it is that it is of that kind. */
void timer_init(void)
{
	evtchn_bind_virq_t bind = { .virq = VIRQ_TIMER, .vcpu = 0 };
	long rc = hv_event_channel_op(EVTCHNOP_bind_virq, &bind);

	if (rc)
		tiny_fail("binding VIRQ_TIMER: %ld", rc);
	port = bind.port;
	event_bind(port, on_timer_port);
	frequency = read_sysreg(cntfrq_el0);
	gic_enable(tinyarm_machine.timer);
	find_start();
}

int timer_set(uint64_t deadline)
{
	uint64_t left = deadline > start ? deadline - start : 0;

	write_sysreg(cntv_cval_el0, to_ticks(left));
	write_sysreg(cntv_ctl_el0, TIMER_ON);
	return 0;
}

int timer_stop(void)
{
	write_sysreg(cntv_ctl_el0, 0);
	return 0;
}

bool timer_waits(void)
{
	return read_sysreg(cntv_ctl_el0) & TIMER_FIRES;
}

unsigned int timer_port(void)
{
	return port;
}

void tinyarm_timer_fired(void)
{
	write_sysreg(cntv_ctl_el0, 0);
	count++;
	if (tick_handler)
		tick_handler();
}

void timer_set_handler(void (*handler)(void))
{
	tick_handler = handler;
}

uint64_t timer_count(void)
{
	return count;
}
