// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls and jumps in x86 code hold the distance to their target. For compression the absolute
 * target is better, as it is the same wherever one function is called from; the filter put it
 * there, and here it becomes the distance again.
 *
 * The filter knows no instructions: any byte E8 or E9 may be a call or jump. It takes one for such
 * if the operand's top byte is 0 or 0xff, a target less than 16 MiB away, unless opcodes in the
 * three bytes before make that doubtful: two of them, or one whose own top byte would have done.
 * With one such before it, the byte of the operand that is that one's top byte must not become 0 or
 * 0xff by the conversion, which is repeated on the complement of the lower bytes until it does not.
 * (The .xz file format, "BCJ filters"; as xz does it.)
 */
#include "branch_filter.h"
#include <tine/arch.h>
#include <tine/compiler.h>
#include <tine/lib.h>

#define ROUNDS_MAX 8 /* two are known to be enough; damaged data shall not keep us */

static bool is_opcode(u8 byte)
{
	return (byte & 0xfe) == 0xe8;
}

static bool is_extreme(u8 byte)
{
	return byte == 0 || byte == 0xff;
}

typedef u32 any_u32 __attribute__((aligned(1), may_alias));

/* The first opcode in [AT, END), or END. They are far between: most of the work is to find out that there is none. */
static size_t next_opcode(const u8 *data, size_t at, size_t end)
{
	at += arch_no_branch(data + at, end - at);
	while (at < end && !is_opcode(data[at]))
		at++;
	return at;
}

static void convert(struct branch_filter *f, size_t at)
{
	any_u32 *operand = (any_u32 *)(f->data + at + 1);
	u32 next_insn = (u32)(at + BRANCH_SIZE), distance = *operand - next_insn;

	if (f->opcodes) {
		unsigned int shift = 32 - 8 * (unsigned int)__builtin_ctz(f->opcodes);

		for (unsigned int i = 0; i < ROUNDS_MAX; i++) {
			if (!is_extreme((u8)(distance >> (shift - 8))))
				break;
			distance = (distance ^ (u32)(BIT(shift) - 1)) - next_insn;
		}
	}
	distance &= 0x01ffffff;
	if (distance & 0x01000000)
		distance |= 0xff000000;
	*operand = distance;
}

/* Can what is at F->last be a call, by what is around it? */
static bool looks_like_call(const struct branch_filter *f, u8 top)
{
	return is_extreme(top) && !f->extremes && !(f->opcodes & (f->opcodes - 1));
}

/* An opcode at AT. Only those up to three bytes before matter. */
static void see(struct branch_filter *f, size_t at)
{
	size_t gap = at - f->last;
	u8 top = f->data[at + BRANCH_SIZE - 1];

	f->opcodes = gap > 3 ? 0 : (u8)(f->opcodes << gap) & 0xe;
	f->extremes = gap > 3 ? 0 : (u8)(f->extremes << gap) & 0xe;
	f->last = at;
	if (looks_like_call(f, top)) {
		convert(f, at);
		f->opcodes = f->extremes = 0;
		f->at = at + BRANCH_SIZE;
		return;
	}
	f->opcodes |= 1;
	f->extremes |= is_extreme(top);
	f->at = at + 1;
}

void branch_filter_undo(struct branch_filter *f, size_t until)
{
	size_t end = f->size < BRANCH_SIZE ? 0 : min(until, f->size - BRANCH_SIZE + 1);

	while (f->at < end) {
		size_t at = next_opcode(f->data, f->at, end);

		if (at < end)
			see(f, at);
		else
			f->at = end;
	}
}
