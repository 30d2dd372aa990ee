/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 64-bit instructions that write to memory, decoded from bytes and done on a value instead: what a
 * guest's kernel uses on its page tables. Nothing here touches memory or knows a hypervisor; host
 * tests build it too.
 */
#ifndef PV_STORE_INSN_H
#define PV_STORE_INSN_H

#include <asm/regs.h>
#include <tine/compiler.h>
#include <tine/types.h>

enum store_op {
	STORE_ADD, /* this and the next seven: as the opcode map numbers them */
	STORE_OR,
	STORE_ADC,
	STORE_SBB,
	STORE_AND,
	STORE_SUB,
	STORE_XOR,
	STORE_CMP, /* never decoded: it does not write */
	STORE_MOV,
	STORE_XCHG,
	STORE_CMPXCHG,
	STORE_XADD,
	STORE_BTS,
	STORE_BTR,
	STORE_BTC,
	STORE_NOT,
};

struct store_insn {
	enum store_op op;
	unsigned int length; /* of the instruction */
	unsigned int size;   /* of the operand in memory: 1, 2, 4 or 8 */
	u64 address;         /* where it writes */
	u64 operand;         /* the other one: register or immediate */
	unsigned int reg;    /* XCHG, XADD: the register that gets the old value */
};

/* What the instruction makes of the old value. */
struct store_effect {
	bool writes; /* CMPXCHG may not */
	u64 value;
	u64 rflags;
	bool sets_register;
	unsigned int reg;
	u64 reg_value;
};

/* Of the LEN bytes at REGS' RIP. False: not one of these, or not whole. */
bool store_decode(struct store_insn *in, const u8 *bytes, unsigned int len,
		  const struct cpu_regs *regs) __must_check;

void store_apply(const struct store_insn *in, const struct cpu_regs *regs, u64 old,
		 struct store_effect *effect);

/* The effect on registers and flags, once the write has happened. */
void store_finish(const struct store_insn *in, const struct store_effect *effect,
		  struct cpu_regs *regs);

#endif
