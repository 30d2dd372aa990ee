// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What attacks of guests with translated memory share: random values, the same for the same seed, many of them on the edge, and calls with them. Left out is
 * what a guest may do to itself: end, wait, or put a page over its own code.
 */
#include "translated_attack.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tiny_places.h"
#include <xen/hvm/hvm_op.h>

#define SEED 20261130UL
#define SET_UPCALL_VECTOR 23 /* HVMOP_set_evtchn_upcall_vector, which x86 has */

static uint64_t state = SEED;
static uint64_t
	buffer[2048] __page_aligned; /* pointers lead into its first page, answers may be long */

uint64_t attack_next(void)
{
	return tiny_random(&state);
}

/* Small numbers, ends of ranges, and pointers good and bad. */
uint64_t attack_edge(void)
{
	static const uint64_t edges[] = { 0,
					  1,
					  2,
					  7,
					  32,
					  0x7ff0,
					  0xffff,
					  0xffffffff,
					  0x7fffffffffff,
					  0x800000000000,
					  0xffff820000000000,
					  0xffffffffffffffff };
	uint64_t r = attack_next();

	switch (r % 4) {
	case 0:
		if (r % 64 == 0)
			return (uint64_t)tiny_places.hole;
		return (uint64_t)buffer + (attack_next() >> 10) % 4090;
	case 1:
		return edges[(r >> 4) % ARRAY_SIZE(edges)];
	case 2:
		return (r >> 4) % 40;
	default:
		(void)attack_next();
		return state;
	}
}

static void fill(void)
{
	for (unsigned int i = 0; i < 8; i++)
		buffer[attack_next() % 512] = attack_edge();
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
	       (op == __HYPERVISOR_hvm_op && command == SET_UPCALL_VECTOR) ||
	       (op == __HYPERVISOR_grant_table_op && (uint32_t)count > 40);
}

bool attack_any_call(void)
{
	uint64_t op = attack_next() % 70, a1 = attack_edge(), a2 = attack_edge(),
		 a3 = attack_edge(), a4 = attack_edge();

	fill();
	return !harms_itself(op, a1, a3) && hypercall4(op, a1, a2, a3, a4) >= 0;
}

uint64_t *attack_begin(const char *line)
{
	state = SEED + cmdline_number(line, "seed", 0) * 2654435761UL;
	if (!state)
		state = SEED;
	return &state;
}
