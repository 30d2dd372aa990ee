// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Backtraces with symbol names. With frame pointers the chain of frame records (the caller's frame
 * pointer, then the return address, on all architectures) is followed as long as it climbs within one
 * stack; without, every word that looks like a return address is shown. Reads only memory that is
 * surely stack.
 */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/symbols.h>

#define MAX_FRAMES 32
#define MAX_SCAN 512 /* words */

static void print_place(unsigned long at)
{
	unsigned long offset;
	const char *name = symbol_lookup(at, &offset);

	if (name)
		printk_always("  %016lx %s+%#lx", at, name, offset);
	else
		printk_always("  %016lx ?", at);
}

/*
 * The chain may lead from an exception's own stack back to the one it interrupted; the count bounds
 * it in any case.
 */
static void follow_frames(unsigned long fp)
{
	for (unsigned int i = 0; i < MAX_FRAMES; i++) {
		const unsigned long *frame = (const unsigned long *)fp;

		if (fp % 8 || fp + 16 > arch_stack_end(fp) || !frame[1])
			return;
		print_place(frame[1]);
		fp = frame[0];
	}
}

static void scan_stack(unsigned long sp)
{
	unsigned long end = arch_stack_end(sp), offset;
	unsigned int shown = 0;

	sp = ROUND_UP(sp, 8UL);
	for (unsigned int i = 0; i < MAX_SCAN && sp + 8 <= end && shown < MAX_FRAMES; i++) {
		unsigned long word = *(const unsigned long *)sp;

		if (symbol_lookup(word, &offset)) {
			print_place(word);
			shown++;
		}
		sp += 8;
	}
}

void backtrace(void)
{
	unsigned long fp = (unsigned long)__builtin_frame_address(0);

	printk_always("Backtrace%s:", IS_ENABLED(CONFIG_FRAME_POINTER) ? "" : " (by guess)");
	if (IS_ENABLED(CONFIG_FRAME_POINTER))
		follow_frames(fp);
	else
		scan_stack(fp);
}
