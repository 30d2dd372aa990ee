// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoding and doing: see store_insn.h. (AMD64 Architecture Programmer's Manual vol. 3: instruction
 * encoding in chapter 1, opcode maps in appendix A.) Prefixes that would change the meaning of an
 * address, high-byte registers and rare forms are left out: the caller has another answer for what
 * it cannot decode.
 */
#include "store_insn.h"
#include <asm/gpr.h>
#include <tine/compiler.h>
#include <tine/lib.h>

#define FLAG_CF BIT(0)
#define FLAG_PF BIT(2)
#define FLAG_AF BIT(4)
#define FLAG_ZF BIT(6)
#define FLAG_SF BIT(7)
#define FLAG_OF BIT(11)
#define FLAGS_ARITHMETIC (FLAG_CF | FLAG_PF | FLAG_AF | FLAG_ZF | FLAG_SF | FLAG_OF)

struct decoder {
	const u8 *bytes;
	unsigned int len, at;
	bool operand16, rep;
	u8 rex;
	u8 modrm;
	bool bit_string; /* the address moves with the register operand */
	bool rip_relative;
};

/* Reads past the end give 0 and leave AT beyond LEN, which the caller checks at last. */
static u8 next(struct decoder *dec)
{
	u8 b = dec->at < dec->len ? dec->bytes[dec->at] : 0;

	dec->at++;
	return b;
}

static u64 next_signed(struct decoder *dec, unsigned int size)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		value |= (u64)next(dec) << (8 * i);
	return (u64)((s64)(value << (64 - 8 * size)) >> (64 - 8 * size));
}

static u64 truncate(u64 value, unsigned int size)
{
	return size == 8 ? value : value & (BIT(8 * size) - 1);
}

static u64 reg_value(const struct cpu_regs *regs, unsigned int n)
{
	return *x86_gpr((struct cpu_regs *)(unsigned long)regs, n);
}

/* The first opcode byte. LOCK changes nothing: everything is done atomically. */
static u8 decode_prefixes(struct decoder *dec)
{
	for (;;) {
		u8 b = next(dec);

		switch (b) {
		case 0x66:
			dec->operand16 = true;
			break;
		case 0xf0:
		case 0x2e: /* segments without a base in 64-bit mode */
		case 0x36:
		case 0x3e:
		case 0x26:
			break;
		case 0x40 ... 0x4f:
			dec->rex = b;
			return next(dec);
		default:
			return b;
		}
		if (dec->at >= dec->len)
			return 0xf4; /* nothing that is decoded here */
	}
}

static u64 sib_address(struct decoder *dec, unsigned int mod, const struct cpu_regs *regs)
{
	u8 sib = next(dec);
	unsigned int base = (sib & 7U) | ((dec->rex & 1U) << 3);
	unsigned int index = ((sib >> 3) & 7U) | ((dec->rex & 2U) << 2);
	u64 address = 0;

	if ((base & 7) == 5 && mod == 0)
		address = next_signed(dec, 4);
	else
		address = reg_value(regs, base);
	if (index != 4)
		address += reg_value(regs, index) << (sib >> 6);
	return address;
}

/* The memory operand's address; false when ModRM means a register. */
static bool decode_modrm(struct decoder *dec, const struct cpu_regs *regs, u64 *address)
{
	unsigned int mod, rm;

	dec->modrm = next(dec);
	mod = dec->modrm >> 6;
	rm = dec->modrm & 7;
	if (mod == 3)
		return false;
	if (rm == 4) {
		*address = sib_address(dec, mod, regs);
	} else if (rm == 5 && mod == 0) {
		*address = next_signed(dec, 4);
		dec->rip_relative = true;
	} else {
		*address = reg_value(regs, rm | ((dec->rex & 1U) << 3));
	}
	if (mod == 1)
		*address += next_signed(dec, 1);
	else if (mod == 2)
		*address += next_signed(dec, 4);
	return true;
}

static unsigned int wide_size(const struct decoder *dec)
{
	if (dec->rex & 8)
		return 8;
	return dec->operand16 ? 2 : 4;
}

static unsigned int modrm_reg(const struct decoder *dec)
{
	return ((dec->modrm >> 3) & 7U) | ((dec->rex & 4U) << 1);
}

/* Without REX, numbers 4 to 7 of a byte operand are AH to BH. */
static bool is_high_byte(const struct decoder *dec, unsigned int size)
{
	return size == 1 && !dec->rex && (modrm_reg(dec) & 4);
}

static bool with_register(struct decoder *dec, struct store_insn *in, const struct cpu_regs *regs,
			  enum store_op op, bool byte)
{
	in->op = op;
	in->size = byte ? 1 : wide_size(dec);
	if (!decode_modrm(dec, regs, &in->address) || is_high_byte(dec, in->size))
		return false;
	in->reg = modrm_reg(dec);
	in->operand = truncate(reg_value(regs, in->reg), in->size);
	return true;
}

static bool with_immediate(struct decoder *dec, struct store_insn *in, enum store_op op,
			   unsigned int imm_size)
{
	in->op = op;
	in->operand = truncate(next_signed(dec, imm_size), in->size);
	return true;
}

static bool decode_immediate_group(struct decoder *dec, struct store_insn *in,
				   const struct cpu_regs *regs, u8 opcode)
{
	enum store_op op;

	in->size = opcode == 0x80 ? 1 : wide_size(dec);
	if (!decode_modrm(dec, regs, &in->address))
		return false;
	op = (enum store_op)((dec->modrm >> 3) & 7);
	return op != STORE_CMP &&
	       with_immediate(dec, in, op, opcode == 0x81 ? min(in->size, 4U) : 1);
}

static bool decode_mov_immediate(struct decoder *dec, struct store_insn *in,
				 const struct cpu_regs *regs, bool byte)
{
	in->size = byte ? 1 : wide_size(dec);
	return decode_modrm(dec, regs, &in->address) && !(dec->modrm & 0x38) &&
	       with_immediate(dec, in, STORE_MOV, min(in->size, 4U));
}

static bool decode_not(struct decoder *dec, struct store_insn *in, const struct cpu_regs *regs,
		       bool byte)
{
	in->op = STORE_NOT;
	in->size = byte ? 1 : wide_size(dec);
	return decode_modrm(dec, regs, &in->address) && (dec->modrm & 0x38) == 0x10;
}

/*
 * A bit's number in a register may reach beyond the operand: the operand is the one that holds the
 * bit.
 */
static bool decode_bit(struct decoder *dec, struct store_insn *in, const struct cpu_regs *regs,
		       enum store_op op)
{
	s64 bit;

	if (!with_register(dec, in, regs, op, false))
		return false;
	bit = (s64)(in->operand << (64 - 8 * in->size)) >> (64 - 8 * in->size);
	in->address += (u64)(bit >> (in->size == 8 ? 6 : in->size == 4 ? 5 : 4)) * in->size;
	in->operand = (u64)bit & (8 * in->size - 1);
	return true;
}

static bool decode_bit_immediate(struct decoder *dec, struct store_insn *in,
				 const struct cpu_regs *regs)
{
	static const enum store_op ops[] = { STORE_BTS, STORE_BTR, STORE_BTC };
	unsigned int kind;

	in->size = wide_size(dec);
	if (!decode_modrm(dec, regs, &in->address))
		return false;
	kind = (dec->modrm >> 3) & 7U;
	if (kind < 5)
		return false;
	in->op = ops[kind - 5];
	in->operand = next(dec) & (8 * in->size - 1);
	return true;
}

static bool decode_two_byte(struct decoder *dec, struct store_insn *in, const struct cpu_regs *regs)
{
	u8 opcode = next(dec);

	switch (opcode) {
	case 0xab:
		return decode_bit(dec, in, regs, STORE_BTS);
	case 0xb0:
	case 0xb1:
		return with_register(dec, in, regs, STORE_CMPXCHG, opcode == 0xb0);
	case 0xb3:
		return decode_bit(dec, in, regs, STORE_BTR);
	case 0xba:
		return decode_bit_immediate(dec, in, regs);
	case 0xbb:
		return decode_bit(dec, in, regs, STORE_BTC);
	case 0xc0:
	case 0xc1:
		return with_register(dec, in, regs, STORE_XADD, opcode == 0xc0);
	case 0xc3: /* MOVNTI */
		return with_register(dec, in, regs, STORE_MOV, false);
	default:
		return false;
	}
}

static bool decode_opcode(struct decoder *dec, struct store_insn *in, const struct cpu_regs *regs)
{
	u8 opcode = decode_prefixes(dec);

	if (opcode < 0x38 && (opcode & 7) < 2) /* ADD to XOR, register to memory */
		return with_register(dec, in, regs, (enum store_op)(opcode >> 3), !(opcode & 1));
	switch (opcode) {
	case 0x0f:
		return decode_two_byte(dec, in, regs);
	case 0x80:
	case 0x81:
	case 0x83:
		return decode_immediate_group(dec, in, regs, opcode);
	case 0x86:
	case 0x87:
		return with_register(dec, in, regs, STORE_XCHG, opcode == 0x86);
	case 0x88:
	case 0x89:
		return with_register(dec, in, regs, STORE_MOV, opcode == 0x88);
	case 0xc6:
	case 0xc7:
		return decode_mov_immediate(dec, in, regs, opcode == 0xc6);
	case 0xf6:
	case 0xf7:
		return decode_not(dec, in, regs, opcode == 0xf6);
	default:
		return false;
	}
}

bool store_decode(struct store_insn *in, const u8 *bytes, unsigned int len,
		  const struct cpu_regs *regs)
{
	struct decoder dec = { .bytes = bytes, .len = len };

	*in = (struct store_insn){ .op = STORE_CMP };
	if (!decode_opcode(&dec, in, regs) || dec.at > dec.len)
		return false;
	in->length = dec.at;
	if (dec.rip_relative)
		in->address += regs->rip + in->length;
	return true;
}

/* ---- Doing it ---- */

static u64 result_flags(u64 result, unsigned int size)
{
	u64 flags = __builtin_parity((unsigned int)result & 0xff) ? 0 : FLAG_PF;

	if (!truncate(result, size))
		flags |= FLAG_ZF;
	if (result >> (8 * size - 1) & 1)
		flags |= FLAG_SF;
	return flags;
}

static u64 add_flags(u64 a, u64 b, u64 sum, unsigned int size)
{
	unsigned int top = 8 * size - 1;
	u64 carries = (a & b) | ((a | b) & ~sum); /* out of each bit */
	u64 flags = result_flags(sum, size);

	if (carries >> top & 1)
		flags |= FLAG_CF;
	if (carries >> 3 & 1)
		flags |= FLAG_AF;
	if ((a ^ sum) & (b ^ sum) & BIT(top))
		flags |= FLAG_OF;
	return flags;
}

static u64 sub_flags(u64 a, u64 b, u64 difference, unsigned int size)
{
	unsigned int top = 8 * size - 1;
	u64 borrows = (~a & b) | ((~a | b) & difference);
	u64 flags = result_flags(difference, size);

	if (borrows >> top & 1)
		flags |= FLAG_CF;
	if (borrows >> 3 & 1)
		flags |= FLAG_AF;
	if ((a ^ b) & (a ^ difference) & BIT(top))
		flags |= FLAG_OF;
	return flags;
}

static void arithmetic(const struct store_insn *in, u64 old, struct store_effect *e)
{
	u64 a = old, b = in->operand, carry = e->rflags & FLAG_CF, flags;

	switch (in->op) {
	case STORE_ADD:
	case STORE_XADD:
		e->value = a + b;
		flags = add_flags(a, b, e->value, in->size);
		break;
	case STORE_ADC:
		e->value = a + b + carry;
		flags = add_flags(a, b, e->value, in->size);
		break;
	case STORE_SUB:
		e->value = a - b;
		flags = sub_flags(a, b, e->value, in->size);
		break;
	case STORE_SBB:
		e->value = a - b - carry;
		flags = sub_flags(a, b, e->value, in->size);
		break;
	default:
		e->value = in->op == STORE_OR ? a | b : in->op == STORE_AND ? a & b : a ^ b;
		flags = result_flags(e->value, in->size);
		break;
	}
	e->value = truncate(e->value, in->size);
	e->rflags = (e->rflags & ~FLAGS_ARITHMETIC) | flags;
}

static void change_bit(const struct store_insn *in, u64 old, struct store_effect *e)
{
	u64 bit = BIT(in->operand);

	e->value = in->op == STORE_BTS ? old | bit : in->op == STORE_BTR ? old & ~bit : old ^ bit;
	e->rflags = (e->rflags & ~FLAG_CF) | (old & bit ? FLAG_CF : 0);
}

static void compare_exchange(const struct store_insn *in, u64 accumulator, u64 old,
			     struct store_effect *e)
{
	u64 expected = truncate(accumulator, in->size);

	e->rflags = (e->rflags & ~FLAGS_ARITHMETIC) |
		    sub_flags(expected, old, expected - old, in->size);
	e->value = in->operand;
	if (expected == old)
		return;
	e->writes = false;
	e->sets_register = true;
	e->reg = 0; /* RAX */
	e->reg_value = old;
}

void store_apply(const struct store_insn *in, const struct cpu_regs *regs, u64 old,
		 struct store_effect *effect)
{
	old = truncate(old, in->size);
	*effect = (struct store_effect){ .writes = true, .rflags = regs->rflags };
	switch (in->op) {
	case STORE_MOV:
		effect->value = in->operand;
		break;
	case STORE_XCHG:
		effect->value = in->operand;
		break;
	case STORE_CMPXCHG:
		compare_exchange(in, regs->rax, old, effect);
		return;
	case STORE_BTS:
	case STORE_BTR:
	case STORE_BTC:
		change_bit(in, old, effect);
		return;
	case STORE_NOT:
		effect->value = truncate(~old, in->size);
		return;
	default:
		arithmetic(in, old, effect);
		break;
	}
	effect->sets_register = in->op == STORE_XCHG || in->op == STORE_XADD;
	effect->reg = in->reg;
	effect->reg_value = old;
}

void store_finish(const struct store_insn *in, const struct store_effect *effect,
		  struct cpu_regs *regs)
{
	regs->rflags = effect->rflags;
	regs->rip += in->length;
	if (effect->sets_register) {
		u64 *reg = x86_gpr(regs, effect->reg);
		u64 kept = in->size < 4 ? *reg & ~truncate(~0UL, in->size) : 0;

		*reg = kept | effect->reg_value;
	}
}
