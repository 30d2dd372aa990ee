// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `attack`: calls, model-specific registers and ports with values on the edge, random but the same each time. The guest must be there
 * afterwards, and so must everybody else. Left out is what a guest may do to itself: end, wait, or put a page over its own code.
 */
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinypvh.h"
#include <xen/hvm/hvm_op.h>

#define STEPS 100000
#define SEED 20261130UL
#define PORT_KEYBOARD 0x64
#define PORT_RESET 0xcf9
#define PORT_SLEEP 0x600

static uint64_t state = SEED;
static uint64_t
	buffer[2048] __page_aligned; /* pointers lead into its first page, answers may be long */

static uint64_t next(void)
{
	return tinypvh_random(&state);
}

/* Small numbers, ends of ranges, and pointers good and bad. */
static uint64_t edge(void)
{
	static const uint64_t edges[] = { 0,
					  1,
					  2,
					  7,
					  32,
					  0x7ff0,
					  0xffff,
					  0xffffffff,
					  0x30000000,
					  0x7fffffffffff,
					  0x800000000000,
					  0xffff820000000000,
					  0xffffffffffffffff };
	uint64_t r = next();

	switch (r % 4) {
	case 0:
		return (uint64_t)buffer + (next() >> 10) % 4090;
	case 1:
		return edges[(r >> 4) % ARRAY_SIZE(edges)];
	case 2:
		return (r >> 4) % 40;
	default:
		(void)next();
		return state;
	}
}

static void fill(void)
{
	for (unsigned int i = 0; i < 8; i++)
		buffer[next() % 512] = edge();
}

/* decrease_reservation, add_to_physmap, remove_from_physmap and add_to_physmap_batch: the page could be code. */
static bool moves_memory(uint64_t command)
{
	command &= 0x3f;
	return command == 1 || command == 7 || command == 15 || command == 23;
}

/* SCHEDOP but for yield; VCPUOP_down; lists of any calls; upcalls by a vector that its handlers know nothing of; answers in a list that is longer than the buffer. */
static bool harms_itself(uint64_t op, uint64_t command, uint64_t count)
{
	return op == __HYPERVISOR_console_io ||
	       (op == __HYPERVISOR_sched_op && (uint32_t)command != SCHEDOP_yield) ||
	       (op == __HYPERVISOR_vcpu_op && (uint32_t)command == VCPUOP_down) ||
	       (op == __HYPERVISOR_memory_op && moves_memory(command)) ||
	       op == __HYPERVISOR_multicall ||
	       (op == __HYPERVISOR_hvm_op && command == HVMOP_set_evtchn_upcall_vector) ||
	       (op == __HYPERVISOR_grant_table_op && (uint32_t)count > 40);
}

static void call(void)
{
	uint64_t op = next() % 70, a1 = edge(), a2 = edge(), a3 = edge(), a4 = edge();

	if (!harms_itself(op, a1, a3))
		(void)hypercall4(op, a1, a2, a3, a4);
}

static void msr(void)
{
	static const uint32_t from[] = { 0,          0x1b,       0x8b,      0x174, 0x277,
					 0x2ff,      0x6e0,      0x800,     0x830, 0xc0000080,
					 0xc0010010, 0xc0010114, 0xc0010117 };
	uint32_t number = from[next() % ARRAY_SIZE(from)] + next() % 64;
	uint64_t value = edge();

	if (next() & 1)
		(void)read_msr(number, &value);
	else
		TRY("wrmsr",
		    :
		    : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
		    : "r11", "memory");
}

static void port(void)
{
	uint16_t number = (uint16_t)(next());
	uint32_t value = (uint32_t)edge();

	if (next() & 1)
		asm volatile("inl %1, %0" : "=a"(value) : "d"(number));
	else if (number != PORT_KEYBOARD && number != PORT_RESET && number != PORT_SLEEP)
		asm volatile("outw %w0, %1" : : "a"(value), "d"(number));
}

void tinypvh_attack(const char *line)
{
	state = SEED + cmdline_number(line, "seed", 0) * 2654435761UL;
	if (!state)
		state = SEED;
	/* First: with an interrupt that waits, QEMU 7.2 does not survive a write to CR8. */
	tinypvh_storm(&state);
	for (unsigned int i = 0; i < STEPS; i++) {
		fill();
		switch (next() % 4) {
		case 0:
			msr();
			break;
		case 1:
			port();
			break;
		default:
			call();
			break;
		}
	}
	printf("tiny: %u steps, %u and %u faults\n", STEPS, tinypvh_faults[0], tinypvh_faults[1]);
}
