// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `attack` on arm64: calls, firmware, system registers and the interrupt controller's with values on the edge, random but the same each time. The
 * guest must be there afterwards, and so must everybody else. Left out is what it may do to itself: end, wait, or lose its own tables and vectors.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinyarm.h"
#include "translated_attack.h"

#define STEPS 60000

/* MSR and MRS (DDI 0487, C5.1.2): op0, op1, CRn, CRm and op2 of the register in bits 20 to 5. */
#define MSR_X0 0xd5100000u
#define MRS_X0 0xd5300000u
#define RET 0xd65f03c0u
#define NAME_BITS 0xfffe0u
#define OP0_IS_3(insn) ((insn) >> 19 & 1)
#define CRN(insn) ((insn) >> 12 & 15)
#define VBAR 0xc000u
#define VBAR_MASK 0x7ffe0u /* but for op0, which is 3 */

#define PSCI_END 0x20
#define REDISTRIBUTORS 0x20000u /* of one CPU */
#define SGI_FRAME 0x10000u      /* the second half of one */

static uint32_t code[2] __page_aligned;
static unsigned int undefined, accepted;

static void note_fault(void)
{
	undefined += tinyarm_fault.syndrome != ~0ul;
}

/* What is the guest's own state: translation, the exception's and the stack's registers, floating point's and interrupts' masks. */
static bool loses_itself(uint32_t insn)
{
	static const uint16_t own = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 10;

	return OP0_IS_3(insn) && (own & 1u << CRN(insn) || (insn & VBAR_MASK) == VBAR);
}

static void execute(uint32_t insn, uint64_t value)
{
	register uint64_t x0 asm("x0") = value;

	code[0] = insn;
	code[1] = RET;
	asm volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb"
		     :
		     : "r"(code)
		     : "memory");
	PROBE("blr %1", : "+r"(x0) : "r"(code) : "x9", "x10", "x30", "memory");
	note_fault();
}

static void system_register(void)
{
	uint32_t name = (uint32_t)attack_next() & NAME_BITS;

	if (attack_next() & 1)
		execute(MRS_X0 | name, 0);
	else if (!loses_itself(MSR_X0 | name))
		execute(MSR_X0 | name, attack_edge());
}

/* CPU_SUSPEND, CPU_OFF, SYSTEM_OFF, SYSTEM_RESET, SYSTEM_SUSPEND, SYSTEM_RESET2. */
static bool ends(uint32_t function)
{
	static const uint32_t those = 1u << 1 | 1u << 2 | 1u << 8 | 1u << 9 | 1u << 14 | 1u << 18;

	return those & 1u << function % PSCI_END;
}

static void firmware(void)
{
	static const uint32_t from[] = { 0x84000000, 0xc4000000, 0x80000000, 0x86000000, 0 };
	uint32_t function = (uint32_t)(attack_next() % PSCI_END);

	if (!ends(function))
		(void)firmware_call(from[attack_next() % ARRAY_SIZE(from)] + function,
				    attack_edge(), attack_edge(), attack_edge());
}

static void read(uint64_t at, unsigned int size)
{
	uint64_t value;

	if (size == 1)
		PROBE("ldrb %w0, [%1]", : "=&r"(value) : "r"(at) : "x9", "x10", "memory");
	else if (size == 2)
		PROBE("ldrsh %w0, [%1]", : "=&r"(value) : "r"(at) : "x9", "x10", "memory");
	else if (size == 4)
		PROBE("ldr %w0, [%1]", : "=&r"(value) : "r"(at) : "x9", "x10", "memory");
	else
		PROBE("ldr %0, [%1]", : "=&r"(value) : "r"(at) : "x9", "x10", "memory");
}

static void write(uint64_t at, unsigned int size, uint64_t value)
{
	if (size == 1)
		PROBE("strb %w0, [%1]", : : "r"(value), "r"(at) : "x9", "x10", "memory");
	else if (size == 2)
		PROBE("strh %w0, [%1]", : : "r"(value), "r"(at) : "x9", "x10", "memory");
	else if (size == 4)
		PROBE("str %w0, [%1]", : : "r"(value), "r"(at) : "x9", "x10", "memory");
	else
		PROBE("str %0, [%1]", : : "r"(value), "r"(at) : "x9", "x10", "memory");
}

/* Any place of the distributor's, or of the CPU's other part; also across the end of a register, which faults before it gets anywhere. */
static void controller(void)
{
	bool other = attack_next() & 1;
	uint64_t base = other ? tinyarm_machine.cpu : tinyarm_machine.distributor;
	uint64_t size = !tinyarm_machine.gic_v3 ? 0x1000 : other ? REDISTRIBUTORS : 0x10000;
	uint64_t at = attack_next() % size;
	unsigned int width = 1u << attack_next() % 4;

	if (attack_next() & 7)
		at &= ~(uint64_t)(width - 1);
	if (attack_next() & 1)
		read(base + at, width);
	else
		write(base + at, width, attack_edge());
	note_fault();
}

/* Registers of a byte or two bits an interrupt, and what is beside them: each size at each address. */
static void beside_registers(void)
{
	static const struct {
		uint16_t first, end;
	} places[] = { { 0x3f8, 0x428 }, { 0x7f8, 0x828 }, { 0xbf8, 0xc10 }, { 0xef8, 0xf38 } };
	uint64_t base = tinyarm_machine.gic_v3 ? tinyarm_machine.cpu + SGI_FRAME
					       : tinyarm_machine.distributor;

	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		for (uint64_t at = places[i].first; at < places[i].end; at++) {
			for (unsigned int width = 1; width <= 8; width *= 2) {
				read(base + at, width);
				write(base + at, width, attack_edge());
				note_fault();
			}
		}
	}
}

const char *tinyarm_attack(const char *line)
{
	attack_begin(line);
	beside_registers();
	for (unsigned int i = 0; i < STEPS; i++) {
		switch (attack_next() % 5) {
		case 0:
			system_register();
			break;
		case 1:
			firmware();
			break;
		case 2:
			controller();
			break;
		default:
			accepted += attack_any_call();
			break;
		}
	}
	events_off();
	gic_init();
	printf("tiny: %u steps, %u faults, %u calls accepted\n", STEPS, undefined, accepted);
	return NULL;
}
