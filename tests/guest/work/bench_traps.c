// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Into the guest's handlers and back: exceptions, page faults and system calls, each to a handler
 * of a few instructions (pv/tinypv_bench.S) that returns by iret; iret alone; an event sent, taken
 * and returned from. What the guest itself executes is part of a figure, some ten instructions.
 */
#include "tiny_bench.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_user.h"

extern const char bench_skip_two[], bench_skip_two_error[], bench_return[], bench_upcall[];
extern const char user_bench_syscalls[], user_bench_faults[];
void bench_iret(void);

/* For bench_upcall. */
xen_ulong_t *bench_port_word;
uint64_t bench_port_bit;
uint32_t bench_upcalls;

static evtchn_port_t port;

static long set_gate(uint8_t vector, const char *handler)
{
	const trap_info_t gates[2] = { { .vector = vector,
					 .flags =
						 3 | 4, /* also by INT of user mode; masks events */
					 .cs = FLAT_KERNEL_CS64,
					 .address = (uint64_t)handler } };

	return hv_set_trap_table(gates);
}

static long set_callback(uint16_t type, const char *handler)
{
	struct callback_register callback = { .type = type,
					      .flags = CALLBACKF_mask_events,
					      .address = (uint64_t)handler };

	return hv_callback_op(CALLBACKOP_register, &callback);
}

static inline long undefined(void)
{
	asm volatile("ud2" : : : "memory");
	return 0;
}

static inline long breakpoint(void)
{
	asm volatile("int3" : : : "memory");
	return 0;
}

static inline long read_nothing(void)
{
	asm volatile("mov (%0), %%al" : : "S"(0ul) : "eax", "memory");
	return 0;
}

static inline long return_here(void)
{
	asm volatile("call bench_iret" : : : "rax", "rcx", "rdx", "r11", "memory");
	return 0;
}

static inline long send(void)
{
	evtchn_send_t argument = { .port = port };

	return hv_event_channel_op(EVTCHNOP_send, &argument);
}

BENCH_ROW(loop_undefined, undefined())
BENCH_ROW(loop_breakpoint, breakpoint())
BENCH_ROW(loop_read, read_nothing())
BENCH_ROW(iret_kernel, return_here())
BENCH_ROW(loop_send, send())

/* RUN with HANDLER for VECTOR; the usual handlers are back afterwards. */
static long with_gate(uint8_t vector, const char *handler, long (*run)(uint64_t *),
		      uint64_t *elapsed)
{
	long rc = set_gate(vector, handler);

	if (!rc)
		rc = run(elapsed);
	return trap_restore_table() ? -XEN_EINVAL : rc;
}

static long exception_ud(uint64_t *elapsed)
{
	return with_gate(TRAP_INVALID_OPCODE, bench_skip_two, bench_loop_undefined, elapsed);
}

static long exception_bp(uint64_t *elapsed)
{
	return with_gate(TRAP_BREAKPOINT, bench_return, bench_loop_breakpoint, elapsed);
}

static long page_fault_kernel(uint64_t *elapsed)
{
	return with_gate(TRAP_PAGE, bench_skip_two_error, bench_loop_read, elapsed);
}

/* A program of user mode that measures itself and ends by #UD. */
static long run_user(const char *program, uint64_t *elapsed)
{
	struct tiny_regs left;

	user_run(program, BENCH_COUNT, false, &left);
	*elapsed = left.rax;
	return left.vector == TRAP_INVALID_OPCODE ? 0 : -XEN_EINVAL;
}

static long user_faults(uint64_t *elapsed)
{
	return run_user(user_bench_faults, elapsed);
}

static long page_fault_user(uint64_t *elapsed)
{
	return with_gate(TRAP_PAGE, bench_skip_two_error, user_faults, elapsed);
}

static long syscall_user(uint64_t *elapsed)
{
	long rc = set_callback(CALLBACKTYPE_syscall, bench_return);

	if (!rc)
		rc = run_user(user_bench_syscalls, elapsed);
	trap_restore_callbacks();
	return rc;
}

static long event_delivery(uint64_t *elapsed)
{
	long rc = set_callback(CALLBACKTYPE_event, bench_upcall);

	bench_upcalls = 0;
	event_clear_port(port);
	event_unmask_port(port);
	events_on();
	if (!rc)
		rc = bench_loop_send(elapsed);
	events_off();
	event_mask_port(port);
	trap_restore_callbacks();
	if (!rc && bench_upcalls != BENCH_COUNT)
		rc = -XEN_EINVAL;
	return rc;
}

static const char *prepare(void)
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };

	if (hv_event_channel_op(EVTCHNOP_bind_ipi, &bind))
		return "cannot bind an IPI port";
	port = bind.port;
	bench_port_word = &tiny_shared->evtchn_pending[port / 64];
	bench_port_bit = port % 64;
	return user_init() ? "no user mode" : NULL;
}

static const struct bench_row rows[] = {
	{ "exception_ud", exception_ud, 0 },           { "exception_bp", exception_bp, 0 },
	{ "page_fault_kernel", page_fault_kernel, 0 }, { "page_fault_user", page_fault_user, 0 },
	{ "syscall_user", syscall_user, 0 },           { "iret_kernel", bench_iret_kernel, 0 },
	{ "event_delivery", event_delivery, 0 },
};

const struct bench_group bench_traps = { prepare, rows, ARRAY_SIZE(rows) };
