// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything that enters the kernel comes through trap_dispatch: event upcalls, system calls from
 * user mode, exceptions. Owns the trap table and the record of the last expected fault. Exceptions
 * mask events on entry (but for #OF, so that a test can see the difference); the iret hypercall
 * restores the mask from the frame.
 */
#include "tinypv_trap.h"
#include "tiny_event.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_user.h"

#define FLAT_CODE FLAT_KERNEL_CS64
#define GATE_KERNEL 1 /* lowest privilege that may raise it by a software interrupt */
#define GATE_USER 3
#define GATE_MASKED 4

struct ex_entry {
	uint64_t from, to;
};

struct tiny_fault tiny_fault;

extern const struct ex_entry tiny_extable_start[], tiny_extable_end[];
extern const char trap_stubs[], trap_stub_user_gate[], trap_stub_kernel_gate[],
	trap_stub_qemu_gate[];
extern const char trap_stub_event[], trap_stub_failsafe[], trap_stub_syscall[];

static trap_hook_t hooks[TRAP_SYSCALL + 1];
static trap_info_t table[40];

_Static_assert(offsetof(struct tiny_regs, error) == REGS_ERROR, "REGS_ERROR in tinypv_trap.h");
_Static_assert(sizeof(struct tiny_regs) == 21 * 8, "the stubs push 15 words onto at most 8");

void trap_set_hook(unsigned int vector, trap_hook_t hook)
{
	hooks[vector] = hook;
}

static const struct ex_entry *find_entry(uint64_t rip, bool itself)
{
	const struct ex_entry *entry;

	for (entry = tiny_extable_start; entry < tiny_extable_end; entry++)
		if (entry->from == rip && (entry->from == entry->to) == itself)
			return entry;
	return NULL;
}

static void record(const struct tiny_regs *regs)
{
	tiny_fault = (struct tiny_fault){
		.vector = regs->vector,
		.error = regs->error,
		.rip = regs->rip,
		.cr2 = tiny_vcpu->arch.cr2,
		.rsp = regs->rsp,
		.cs = regs->cs,
		.saved_upcall_mask = regs->saved_upcall_mask,
		.rflags = regs->rflags,
	};
}

/* Was it expected? Then note it and go on behind the instruction. */
static bool fix_up(struct tiny_regs *regs)
{
	const struct ex_entry *entry = find_entry(regs->rip, false);
	bool trap = regs->vector == TRAP_BREAKPOINT || regs->vector == TRAP_OVERFLOW ||
		    regs->vector >= 32;

	if (!entry && trap)
		entry = find_entry(regs->rip, true);
	if (entry) {
		record(regs);
		regs->rip = entry->to;
		return true;
	}
	/* A call to where nothing can be fetched: the return address tells who expected it. */
	if (regs->vector != TRAP_PAGE || regs->rip != tiny_vcpu->arch.cr2)
		return false;
	entry = find_entry(*(const uint64_t *)regs->rsp, true);
	if (!entry)
		return false;
	record(regs);
	regs->rip = entry->to;
	regs->rsp += sizeof(uint64_t);
	return true;
}

void trap_dump(const struct tiny_regs *r)
{
	printf("vector 0x%x error 0x%x cs 0x%x rip %016lx rflags %lx ss %lx rsp %016lx cr2 "
	       "%016lx\n",
	       r->vector, r->error, r->cs, r->rip, r->rflags, r->ss, r->rsp,
	       (uint64_t)tiny_vcpu->arch.cr2);
	printf("rax %016lx rbx %016lx rcx %016lx rdx %016lx\n", r->rax, r->rbx, r->rcx, r->rdx);
	printf("rsi %016lx rdi %016lx rbp %016lx r8  %016lx\n", r->rsi, r->rdi, r->rbp, r->r8);
	printf("r9  %016lx r10 %016lx r11 %016lx r12 %016lx\n", r->r9, r->r10, r->r11, r->r12);
	printf("r13 %016lx r14 %016lx r15 %016lx\n", r->r13, r->r14, r->r15);
}

void trap_dispatch(struct tiny_regs *regs)
{
	if (regs->vector == TRAP_EVENT)
		event_upcall();
	if (regs->vector < ARRAY_SIZE(hooks) && hooks[regs->vector] && hooks[regs->vector](regs))
		return;
	if (regs_from_user(regs))
		user_left(regs);
	if (regs->vector == TRAP_EVENT || fix_up(regs))
		return;
	trap_dump(regs);
	tiny_fail("unexpected exception 0x%x at %lx", regs->vector, regs->rip);
}

static void add_gate(unsigned int *count, uint8_t vector, uint8_t flags, const char *stub)
{
	table[(*count)++] = (trap_info_t){ vector, flags, FLAT_CODE, (uint64_t)stub };
}

static void build_table(void)
{
	unsigned int vector, count = 0;

	for (vector = 0; vector < 32; vector++) {
		uint8_t flags =
			vector == TRAP_BREAKPOINT || vector == TRAP_OVERFLOW ? GATE_USER : 0;

		if (vector != TRAP_OVERFLOW)
			flags |= GATE_MASKED;
		add_gate(&count, vector, flags, trap_stubs + vector * TRAP_STUB_BYTES);
	}
	add_gate(&count, TRAP_USER_GATE, GATE_USER, trap_stub_user_gate);
	add_gate(&count, TRAP_KERNEL_GATE, GATE_KERNEL, trap_stub_kernel_gate);
	add_gate(&count, TRAP_QEMU_GATE, GATE_KERNEL, trap_stub_qemu_gate);
	_Static_assert(ARRAY_SIZE(table) > 32 + 3, "the table ends with an address of 0");
}

static void register_callback(uint16_t type, uint16_t flags, const char *stub)
{
	struct callback_register callback = { .type = type,
					      .flags = flags,
					      .address = (uint64_t)stub };
	long rc = hv_callback_op(CALLBACKOP_register, &callback);

	if (rc)
		tiny_fail("callback_op(register, type %u): %ld", type, rc);
}

int trap_restore_table(void)
{
	return hv_set_trap_table(table);
}

void trap_init(void)
{
	long rc;

	build_table();
	rc = trap_restore_table();
	if (rc)
		tiny_fail("set_trap_table: %ld", rc);
	trap_restore_callbacks();
}

void trap_restore_callbacks(void)
{
	register_callback(CALLBACKTYPE_event, 0, trap_stub_event);
	register_callback(CALLBACKTYPE_failsafe, CALLBACKF_mask_events, trap_stub_failsafe);
	register_callback(CALLBACKTYPE_syscall, CALLBACKF_mask_events, trap_stub_syscall);
}
