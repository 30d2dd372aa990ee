/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter that xz puts before compression of x86 code, undone. */
#ifndef BOOT_BRANCH_FILTER_H
#define BOOT_BRANCH_FILTER_H

#include <tine/types.h>

struct branch_filter {
	u8 *data;
	size_t size;
	size_t at;   /* up to here it is done */
	size_t last; /* where the last opcode was seen */
	/*
	 * Bit N of these is for an opcode N bytes before LAST, as far as 3: there was one, which was
	 * no call, as it turned out; and its operand's top byte is 0 or 0xff.
	 */
	u8 opcodes, extremes;
};

/* An opcode without a whole operand behind it is none: the last bytes stay as they are. */
#define BRANCH_SIZE 5

static inline bool branch_filter_done(const struct branch_filter *f)
{
	return f->at + BRANCH_SIZE > f->size;
}

/*
 * Goes on with F until UNTIL or the end, whatever is less. Starts with data and size set, all else
 * 0.
 */
void branch_filter_undo(struct branch_filter *f, size_t until);

#endif
