// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `attack`: calls, model-specific registers and ports with values on the edge, random but the same each time. The guest must be there
 * afterwards, and so must everybody else.
 */
#include "tiny_lib.h"
#include "tinypvh.h"
#include "translated_attack.h"

#define STEPS 100000
#define PORT_KEYBOARD 0x64
#define PORT_RESET 0xcf9
#define PORT_SLEEP 0x600

static void msr(void)
{
	static const uint32_t from[] = { 0,          0x1b,       0x8b,      0x174, 0x277,
					 0x2ff,      0x6e0,      0x800,     0x830, 0xc0000080,
					 0xc0010010, 0xc0010114, 0xc0010117 };
	uint32_t number = from[attack_next() % ARRAY_SIZE(from)] + attack_next() % 64;
	uint64_t value = attack_edge();

	if (attack_next() & 1)
		(void)read_msr(number, &value);
	else
		TRY("wrmsr",
		    :
		    : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
		    : "r11", "memory");
}

static void port(void)
{
	uint16_t number = (uint16_t)(attack_next());
	uint32_t value = (uint32_t)attack_edge();

	if (attack_next() & 1)
		asm volatile("inl %1, %0" : "=a"(value) : "d"(number));
	else if (number != PORT_KEYBOARD && number != PORT_RESET && number != PORT_SLEEP)
		asm volatile("outw %w0, %1" : : "a"(value), "d"(number));
}

void tinypvh_attack(const char *line)
{
	uint64_t *state = attack_begin(line);

	tinypvh_storm(state);
	for (unsigned int i = 0; i < STEPS; i++) {
		switch (attack_next() % 4) {
		case 0:
			msr();
			break;
		case 1:
			port();
			break;
		default:
			(void)attack_any_call();
			break;
		}
	}
	tinypvh_storm(state); /* again, with all kinds of interrupts that wait */
	printf("tiny: %u steps, %u and %u faults\n", STEPS, tinypvh_faults[0], tinypvh_faults[1]);
}
