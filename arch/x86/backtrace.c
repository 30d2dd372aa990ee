// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Backtraces with symbol names. With frame pointers the chain of saved RBPs is followed as long as
 * it climbs within one stack; without, every word that looks like a return address is shown. Reads
 * only memory that is surely stack.
 */
#include <asm/memory.h>
#include <asm/setup.h>
#include <tine/arch.h>
#include <tine/printk.h>
#include <tine/symbols.h>

#define MAX_FRAMES 32
#define MAX_SCAN 512 /* words */

static void print_place(unsigned long rip)
{
	unsigned long offset;
	const char *name = symbol_lookup(rip, &offset);

	if (name)
		printk_always("  %016lx %s+%#lx", rip, name, offset);
	else
		printk_always("  %016lx ?", rip);
}

/* First byte beyond the stack that holds SP; 0 when it is in none. */
static unsigned long stack_end(unsigned long sp)
{
	if (sp >= (unsigned long)boot_stack && sp < (unsigned long)boot_stack_top)
		return (unsigned long)boot_stack_top;
	return x86_stack_end(sp);
}

/*
 * The chain may lead from an exception's own stack back to the one it interrupted; the count bounds
 * it in any case.
 */
static void follow_frames(unsigned long rbp)
{
	for (unsigned int i = 0; i < MAX_FRAMES; i++) {
		const unsigned long *frame = (const unsigned long *)rbp;

		if (rbp % 8 || rbp + 16 > stack_end(rbp) || !frame[1])
			return;
		print_place(frame[1]);
		rbp = frame[0];
	}
}

static void scan_stack(unsigned long rsp)
{
	unsigned long end = stack_end(rsp), offset;
	unsigned int shown = 0;

	rsp = ROUND_UP(rsp, 8UL);
	for (unsigned int i = 0; i < MAX_SCAN && rsp + 8 <= end && shown < MAX_FRAMES; i++) {
		unsigned long word = *(const unsigned long *)rsp;

		if (symbol_lookup(word, &offset)) {
			print_place(word);
			shown++;
		}
		rsp += 8;
	}
}

void arch_backtrace(void)
{
	unsigned long rbp = (unsigned long)__builtin_frame_address(0);

	printk_always("Backtrace%s:", IS_ENABLED(CONFIG_FRAME_POINTER) ? "" : " (by guess)");
	if (IS_ENABLED(CONFIG_FRAME_POINTER))
		follow_frames(rbp);
	else
		scan_stack(rbp);
}
