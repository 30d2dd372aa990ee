// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions that write to memory, as arch/x86/pv/store_insn.c decodes and does them, against the
 * CPU that runs this test: random instructions of all the forms with random registers, flags and
 * memory, once by the one and once by the other. Afterwards memory, registers and defined flags
 * must be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "../../arch/x86/pv/store_insn.h"
#include <asm/gpr.h>
#include <tine/lib.h>

#define ROUNDS 200000
#define CELLS 16 /* words of memory; the operand is in the middle ones */

#define FLAG_CF 0x1UL
#define FLAG_AF 0x10UL
#define FLAG_ZF 0x40UL
#define FLAGS_ALL 0x8d5UL

#define RBX 3
#define RSP 4
#define RBP 5
#define R12 12
#define R13 13

static u8 *code;
static u64 memory[CELLS], before[CELLS];

struct insn {
	u8 bytes[16];
	unsigned int len;
	u64 defined; /* flags that it leaves defined, of the arithmetic ones */
};

/* The machine's turn: registers and flags from and to REGS, but for the stack pointer. */
void run_natively(struct cpu_regs *regs, const u8 *at);
__asm__(".text\n"
	"run_natively:\n"
	"push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %rdi; push %rsi\n"
	"push 144(%rdi); popf\n" /* rflags */
	"mov 0(%rdi), %r15; mov 8(%rdi), %r14; mov 16(%rdi), %r13; mov 24(%rdi), %r12\n"
	"mov 32(%rdi), %rbp; mov 40(%rdi), %rbx; mov 48(%rdi), %r11; mov 56(%rdi), %r10\n"
	"mov 64(%rdi), %r9; mov 72(%rdi), %r8; mov 80(%rdi), %rax; mov 88(%rdi), %rcx\n"
	"mov 96(%rdi), %rdx; mov 104(%rdi), %rsi; mov 112(%rdi), %rdi\n"
	"call *(%rsp)\n"
	"xchg %rdi, 8(%rsp)\n"
	"mov %r15, 0(%rdi); mov %r14, 8(%rdi); mov %r13, 16(%rdi); mov %r12, 24(%rdi)\n"
	"mov %rbp, 32(%rdi); mov %rbx, 40(%rdi); mov %r11, 48(%rdi); mov %r10, 56(%rdi)\n"
	"mov %r9, 64(%rdi); mov %r8, 72(%rdi); mov %rax, 80(%rdi); mov %rcx, 88(%rdi)\n"
	"mov %rdx, 96(%rdi); mov %rsi, 104(%rdi)\n"
	"pushf; pop 144(%rdi)\n"
	"pop %rsi; pop %rax; mov %rax, 112(%rdi)\n"
	"pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"ret\n");

_Static_assert(offsetof(struct cpu_regs, rdi) == 112 && offsetof(struct cpu_regs, rflags) == 144,
	       "run_natively() has them as numbers");

static u64 random_word(void)
{
	u64 word = ((u64)random() << 42) ^ ((u64)random() << 21) ^ (u64)random();

	switch (random() % 5) {
	case 0:
		return word & 0xff;
	case 1:
		return ~(word & 0xff);
	case 2:
		return BIT(word % 64);
	default:
		return word;
	}
}

static void put(struct insn *in, u8 byte)
{
	in->bytes[in->len++] = byte;
}

static void put_number(struct insn *in, u64 value, unsigned int bytes)
{
	while (bytes--) {
		put(in, (u8)value);
		value >>= 8;
	}
}

/*
 * A memory operand at ADDRESS in any encoding: the base register is set so that it fits. REG is the
 * other field. Returns the REX bits that it needs.
 */
struct operand {
	u8 bytes[6];
	unsigned int len;
	u8 rex;
};

static void encode_operand(struct operand *op, struct cpu_regs *regs, unsigned int reg, u64 address)
{
	unsigned int base, index = RSP, scale = 0, mod = (unsigned int)random() % 3;
	s64 disp = mod == 1 ? (s8)random() : mod == 2 ? (s32)random() : 0;
	bool sib;

	do
		base = (unsigned int)random() % 16;
	while (base == RSP || base == reg || (mod == 0 && (base & 7) == RBP) || base == 0);
	sib = (base & 7) == RSP || random() % 2;
	if (sib && random() % 2) {
		do
			index = (unsigned int)random() % 16;
		while (index == RSP || index == base);
		scale = (unsigned int)random() % 4;
		address -= *x86_gpr(regs, index) << scale;
	}
	*x86_gpr(regs, base) = address - (u64)disp;
	op->len = 0;
	op->bytes[op->len++] = (u8)(mod << 6 | (reg & 7) << 3 | (sib ? 4 : (base & 7)));
	if (sib)
		op->bytes[op->len++] = (u8)(scale << 6 | (index & 7) << 3 | (base & 7));
	for (unsigned int i = 0; i < (mod == 1 ? 1U : mod == 2 ? 4U : 0U); i++)
		op->bytes[op->len++] = (u8)((u64)disp >> (8 * i));
	op->rex = (u8)((reg >> 3) << 2 | (index >> 3) << 1 | base >> 3);
}

/* SIZE chooses prefixes; byte operands always have REX, so that no high byte is meant. */
static void assemble(struct insn *in, const u8 *opcode, unsigned int opcode_len,
		     const struct operand *op, unsigned int size, bool lock)
{
	if (lock)
		put(in, 0xf0);
	if (size == 2)
		put(in, 0x66);
	if (op->rex || size == 8 || size == 1)
		put(in, (u8)(0x40 | op->rex | (size == 8 ? 8 : 0)));
	for (unsigned int i = 0; i < opcode_len; i++)
		put(in, opcode[i]);
	for (unsigned int i = 0; i < op->len; i++)
		put(in, op->bytes[i]);
}

static unsigned int random_size(void)
{
	return 1U << random() % 4;
}

static unsigned int random_register(void)
{
	unsigned int reg;

	do
		reg = (unsigned int)random() % 16;
	while (reg == RSP);
	return reg;
}

static u64 cell(void)
{
	return (u64)&memory[CELLS / 2];
}

static void with_register(struct insn *in, struct cpu_regs *regs, u8 prefix, u8 opcode, bool lock)
{
	unsigned int size = random_size(), reg = random_register();
	u8 bytes[2] = { prefix, (u8)(opcode | (size > 1)) };
	struct operand op;

	encode_operand(&op, regs, reg, cell());
	assemble(in, prefix ? bytes : bytes + 1, prefix ? 2 : 1, &op, size, lock);
}

static void with_immediate(struct insn *in, struct cpu_regs *regs, u8 opcode, unsigned int field,
			   unsigned int size, unsigned int imm)
{
	struct operand op;

	encode_operand(&op, regs, field, cell());
	op.rex &= 0xb; /* the field is part of the opcode */
	assemble(in, &opcode, 1, &op, size, false);
	put_number(in, random_word(), imm);
}

/* The register's bit number reaches into the words around. */
static void with_bit_register(struct insn *in, struct cpu_regs *regs, u8 opcode)
{
	unsigned int size = 2U << random() % 3, reg;
	u8 bytes[2] = { 0x0f, opcode };
	struct operand op;

	do
		reg = random_register();
	while (reg == 0);
	*x86_gpr(regs, reg) = (u64)(random() % 384 - 192) | (size < 8 ? random_word() << 32 : 0);
	encode_operand(&op, regs, reg, cell());
	assemble(in, bytes, 2, &op, size, random() % 2);
	in->defined = FLAG_CF | FLAG_ZF;
}

static void with_bit_number(struct insn *in, struct cpu_regs *regs)
{
	static const u8 opcode[2] = { 0x0f, 0xba };
	unsigned int size = 2U << random() % 3, field = 5 + (unsigned int)random() % 3;
	struct operand op;

	encode_operand(&op, regs, field, cell());
	assemble(in, opcode, 2, &op, size, random() % 2);
	put(in, (u8)random());
	in->defined = FLAG_CF | FLAG_ZF;
}

static void arithmetic(struct insn *in, struct cpu_regs *regs)
{
	unsigned int op = (unsigned int)random() % 7, size = random_size();

	if (op == 1 || op == 4 || op == 6)
		in->defined = FLAGS_ALL & ~FLAG_AF;
	if (random() % 2)
		with_register(in, regs, 0, (u8)(op << 3), random() % 2);
	else if (size == 1)
		with_immediate(in, regs, 0x80, op, 1, 1);
	else if (random() % 2)
		with_immediate(in, regs, 0x83, op, size, 1);
	else
		with_immediate(in, regs, 0x81, op, size, size == 8 ? 4 : size);
}

static void make(struct insn *in, struct cpu_regs *regs)
{
	static const u8 bit_opcodes[] = { 0xab, 0xb3, 0xbb };
	unsigned int size = random_size();

	*in = (struct insn){ .defined = FLAGS_ALL };
	switch (random() % 9) {
	case 0:
		with_register(in, regs, 0, 0x88, false);
		break;
	case 1:
		with_register(in, regs, 0, 0x86, random() % 2);
		break;
	case 2:
		with_register(in, regs, 0x0f, 0xb0, random() % 2);
		break;
	case 3:
		with_register(in, regs, 0x0f, 0xc0, random() % 2);
		break;
	case 4:
		with_bit_register(in, regs, bit_opcodes[random() % 3]);
		break;
	case 5:
		with_bit_number(in, regs);
		break;
	case 6:
		with_immediate(in, regs, size == 1 ? 0xc6 : 0xc7, 0, size, size == 8 ? 4 : size);
		break;
	case 7:
		with_immediate(in, regs, size == 1 ? 0xf6 : 0xf7, 2, size, 0);
		break;
	default:
		arithmetic(in, regs);
		break;
	}
}

static void randomize(struct cpu_regs *regs)
{
	memset(regs, 0, sizeof(*regs));
	for (unsigned int i = 0; i < 16; i++)
		*x86_gpr(regs, i) = random_word();
	for (unsigned int i = 0; i < CELLS; i++)
		memory[i] = random_word();
	regs->rflags = 0x202 | (random_word() & FLAGS_ALL);
	if (random() % 2)
		regs->rax = memory[CELLS / 2]; /* that CMPXCHG succeeds now and then */
}

/* The same on memory by the code under test. */
static void do_it(const struct store_insn *in, struct cpu_regs *regs)
{
	struct store_effect effect;
	u64 old = 0;

	assert_in_range(in->address, (u64)memory, (u64)&memory[CELLS] - in->size);
	memcpy(&old, (void *)in->address, in->size);
	store_apply(in, regs, old, &effect);
	if (effect.writes)
		memcpy((void *)in->address, &effect.value, in->size);
	store_finish(in, &effect, regs);
}

static void show(const struct insn *in, unsigned int round)
{
	print_error("round %u:", round);
	for (unsigned int i = 0; i < in->len; i++)
		print_error(" %02x", in->bytes[i]);
	print_error("\n");
}

static void compare(const struct insn *in, unsigned int round, const struct cpu_regs *ours,
		    const struct cpu_regs *theirs, const u64 *their_memory)
{
	bool same = !memcmp(memory, their_memory, sizeof(memory)) &&
		    !((ours->rflags ^ theirs->rflags) & in->defined);

	for (unsigned int i = 0; i < 16; i++) {
		if (i != RSP && *x86_gpr((struct cpu_regs *)(uintptr_t)ours, i) !=
					*x86_gpr((struct cpu_regs *)(uintptr_t)theirs, i))
			same = false;
	}
	if (same)
		return;
	show(in, round);
	fail_msg("flags %lx and %lx, rax %lx and %lx, word %lx and %lx", (long)ours->rflags,
		 (long)theirs->rflags, (long)ours->rax, (long)theirs->rax, (long)memory[CELLS / 2],
		 (long)their_memory[CELLS / 2]);
}

static void does_what_the_cpu_does(void **state)
{
	u64 their_memory[CELLS];

	srandom(1);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct cpu_regs ours, theirs;
		struct store_insn decoded;
		struct insn in;

		randomize(&ours);
		make(&in, &ours);
		theirs = ours;
		memcpy(before, memory, sizeof(memory));
		memcpy(code, in.bytes, in.len);
		code[in.len] = 0xc3;
		run_natively(&theirs, code);
		memcpy(their_memory, memory, sizeof(memory));
		memcpy(memory, before, sizeof(memory));
		if (!store_decode(&decoded, in.bytes, in.len, &ours) || decoded.length != in.len) {
			show(&in, round);
			fail_msg("not decoded as %u bytes", in.len);
		}
		do_it(&decoded, &ours);
		compare(&in, round, &ours, &theirs, their_memory);
	}
}

/* What is cut off is not decoded, and no byte beyond is read (the sanitizer watches). */
static void cut_off_is_refused(void **state)
{
	struct store_insn decoded;
	struct cpu_regs regs;
	struct insn in;

	srandom(2);
	for (unsigned int round = 0; round < 2000; round++) {
		randomize(&regs);
		make(&in, &regs);
		for (unsigned int len = 0; len < in.len; len++) {
			u8 *bytes = malloc(len + 1);

			memcpy(bytes, in.bytes, len);
			assert_false(store_decode(&decoded, bytes, len, &regs));
			free(bytes);
		}
	}
}

static void others_are_refused(void **state)
{
	static const struct {
		const char *what;
		u8 bytes[8];
		unsigned int len;
	} cases[] = {
		{ "register operand", { 0x48, 0x89, 0xd8 }, 3 },
		{ "load", { 0x48, 0x8b, 0x03 }, 3 },
		{ "compare", { 0x48, 0x39, 0x03 }, 3 },
		{ "compare, immediate", { 0x48, 0x83, 0x3b, 0x01 }, 4 },
		{ "bit test", { 0x48, 0x0f, 0xba, 0x23, 0x01 }, 5 },
		{ "high byte", { 0x88, 0x23 }, 2 },
		{ "FS segment", { 0x64, 0x48, 0x89, 0x03 }, 4 },
		{ "32-bit address", { 0x67, 0x48, 0x89, 0x03 }, 4 },
		{ "push", { 0xff, 0x33 }, 2 },
		{ "prefixes only", { 0x66, 0xf0, 0x66, 0xf0, 0x66, 0xf0, 0x66, 0xf0 }, 8 },
	};
	struct cpu_regs regs = { .rbx = 0x1000 };
	struct store_insn decoded;

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		if (store_decode(&decoded, cases[i].bytes, cases[i].len, &regs))
			fail_msg("%s was decoded", cases[i].what);
	}
}

static void relative_to_the_next_instruction(void **state)
{
	static const u8 bytes[] = { 0x48, 0xc7, 0x05, 0xf0, 0xff, 0xff, 0xff, 1, 0, 0, 0x80 };
	struct cpu_regs regs = { .rip = 0x5000 };
	struct store_insn decoded;

	assert_true(store_decode(&decoded, bytes, sizeof(bytes), &regs));
	assert_int_equal(decoded.address, 0x5000 + sizeof(bytes) - 16);
	assert_int_equal(decoded.operand, 0xffffffff80000001);
}

static int set_up(void **state)
{
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	return code == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(does_what_the_cpu_does),
		cmocka_unit_test(cut_off_is_refused),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(relative_to_the_next_instruction),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
