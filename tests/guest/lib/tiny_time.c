// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * On x86: system time from the record in vcpu_info (abi page 2: an odd or changing version means it is
 * being written), and the singleshot timer behind VIRQ_TIMER. Owns the timer's port and count; the
 * handler runs with events masked.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

static unsigned int port;
static volatile uint64_t count;
static void (*tick_handler)(void);

uint64_t tsc_now(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t scale(uint64_t delta, int8_t shift, uint32_t multiplier)
{
	delta = shift < 0 ? delta >> -shift : delta << shift;
	return (unsigned __int128)delta * multiplier >> 32;
}

uint64_t time_now(void)
{
	const volatile vcpu_time_info_t *info = &tiny_vcpu->time;
	uint32_t version;
	uint64_t time;

	do {
		version = info->version & ~1u;
		asm volatile("" : : : "memory");
		time = info->system_time + scale(tsc_now() - info->tsc_timestamp, info->tsc_shift,
						 info->tsc_to_system_mul);
		asm volatile("" : : : "memory");
	} while (info->version != version);
	return time;
}

static void on_timer(unsigned int which)
{
	(void)which;
	count++;
	if (tick_handler)
		tick_handler();
}

void timer_init(void)
{
	evtchn_bind_virq_t bind = { .virq = VIRQ_TIMER, .vcpu = 0 };
	long rc = hv_vcpu_op(VCPUOP_stop_periodic_timer, 0, NULL);

	if (rc)
		printf("tiny: stop_periodic_timer: %ld\n", rc);
	rc = hv_event_channel_op(EVTCHNOP_bind_virq, &bind);
	if (rc)
		tiny_fail("binding VIRQ_TIMER: %ld", rc);
	port = bind.port;
	event_bind(port, on_timer);
}

int timer_set(uint64_t deadline)
{
	vcpu_set_singleshot_timer_t timer = { .timeout_abs_ns = deadline, .flags = 0 };

	return hv_vcpu_op(VCPUOP_set_singleshot_timer, 0, &timer);
}

int timer_stop(void)
{
	return hv_vcpu_op(VCPUOP_stop_singleshot_timer, 0, NULL);
}

bool timer_waits(void)
{
	return event_port_pending(port);
}

unsigned int timer_port(void)
{
	return port;
}

void timer_set_handler(void (*handler)(void))
{
	tick_handler = handler;
}

uint64_t timer_count(void)
{
	return count;
}
