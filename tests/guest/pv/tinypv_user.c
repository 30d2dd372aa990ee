// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User mode: its page tables (an L4 of its own, so that nothing of the kernel is mapped there) and
 * the way in and out. One run at a time; `run` says where the kernel waits for it. Events are
 * masked from the kernel's last look until iret opens them.
 */
#include "tinypv_user.h"
#include "tiny_event.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

extern const char userland_start[], userland_end[];

void user_enter(struct tiny_regs *regs, uint64_t *saved_sp);
void __noreturn user_leave(uint64_t saved_sp);

static struct {
	bool active, until_event;
	uint64_t saved_sp, entry_sp;
	struct tiny_regs *left;
} run;

static char kernel_stack[4 * PAGE_SIZE] __page_aligned;

uint64_t user_kernel_stack_top(void)
{
	return (uint64_t)kernel_stack + sizeof(kernel_stack);
}

uint64_t user_entry_sp(void)
{
	return run.entry_sp;
}

void user_left(struct tiny_regs *regs)
{
	if (!run.active)
		tiny_fail("user mode came back, but nobody had entered it");
	if (regs->vector == TRAP_EVENT && !run.until_event)
		return;
	*run.left = *regs;
	run.entry_sp = (uint64_t)regs;
	run.active = false;
	user_leave(run.saved_sp);
}

void user_resume(struct tiny_regs *regs, bool until_event, struct tiny_regs *left)
{
	struct tiny_regs entry = *regs;
	bool on = events_off();

	run.active = true;
	run.until_event = until_event;
	run.left = left;
	user_enter(&entry, &run.saved_sp);
	events_off();
	events_restore(on);
}

void user_run(const char *program, uint64_t argument, bool until_event, struct tiny_regs *left)
{
	struct tiny_regs regs = {
		.rdi = argument,
		.rip = TINY_USER_CODE + (program - userland_start),
		.cs = FLAT_USER_CS64,
		.rflags = EFLAGS_IF | 2,
		.rsp = TINY_USER_STACK_TOP,
		.ss = FLAT_USER_SS64,
	};

	user_resume(&regs, until_event, left);
}

static void fill_leaf_table(uint64_t *l1)
{
	unsigned int code = TINY_USER_CODE >> PAGE_SHIFT & 511;
	uint64_t *page = page_alloc();

	memcpy(page, userland_start, userland_end - userland_start);
	l1[code] = make_pte(virt_to_mfn(page), PTE_PRESENT | PTE_USER | PTE_ACCESSED);
	page = page_alloc();
	page[0] = TINY_USER_DATA;
	l1[code + 1] = make_pte(virt_to_mfn(page), PTE_KERNEL_RW | PTE_USER | PTE_NX);
	l1[code + 2] = make_pte(virt_to_mfn(page_alloc()), PTE_KERNEL_RW | PTE_USER | PTE_NX);
}

int user_init(void)
{
	uint64_t *table[5];
	mmuext_op_t pin = { .cmd = MMUEXT_PIN_L4_TABLE }, load = { .cmd = MMUEXT_NEW_USER_BASEPTR };
	unsigned int level;
	int rc;

	for (level = 1; level <= 4; level++)
		table[level] = page_alloc();
	fill_leaf_table(table[1]);
	for (level = 2; level <= 4; level++)
		table[level][(uint64_t)TINY_USER_CODE >> (PAGE_SHIFT + 9 * (level - 1)) & 511] =
			make_pte(virt_to_mfn(table[level - 1]), PTE_USER_TABLE);
	for (level = 1; level <= 4; level++) {
		rc = page_set_readonly(table[level]);
		if (rc)
			return rc;
	}
	pin.arg1.mfn = load.arg1.mfn = virt_to_mfn(table[4]).n;
	rc = hv_mmuext_op(&pin, 1, NULL);
	if (!rc)
		rc = hv_mmuext_op(&load, 1, NULL);
	if (!rc)
		rc = hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top());
	return rc;
}
