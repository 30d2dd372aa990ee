/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions, callbacks and how tests expect them. The assembly stubs build `struct tiny_regs` on
 * the kernel stack below what the hypervisor pushed (abi page 5.3) so that its upper part is the
 * frame of the iret hypercall (5.4).
 */
#ifndef TINYPV_TRAP_H
#define TINYPV_TRAP_H

/* Pseudo vectors for what arrives through callbacks; real vectors end at 0xff. */
#define TRAP_EVENT 0x100
#define TRAP_FAILSAFE 0x101
#define TRAP_SYSCALL 0x102

#define TRAP_DIVIDE 0
#define TRAP_DEBUG 1
#define TRAP_NMI 2
#define TRAP_BREAKPOINT 3
#define TRAP_OVERFLOW 4
#define TRAP_INVALID_OPCODE 6
#define TRAP_NO_FPU 7
#define TRAP_NO_SEGMENT 11
#define TRAP_STACK 12
#define TRAP_PROTECTION 13
#define TRAP_PAGE 14
#define TRAP_FPU 16
#define TRAP_USER_GATE 0x80
/*
 * A software interrupt open to the kernel only. QEMU 7.2 reports `int n` as 2n (abi page 0): the
 * gate at twice it tells.
 */
#define TRAP_KERNEL_GATE 0x28
#define TRAP_QEMU_GATE 0x50

#define PF_PRESENT 0x01
#define PF_WRITE 0x02
#define PF_USER 0x04
#define PF_FETCH 0x10

#define EFLAGS_CF 0x00000001ul
#define EFLAGS_TF 0x00000100ul
#define EFLAGS_IF 0x00000200ul
#define EFLAGS_DF 0x00000400ul
#define EFLAGS_IOPL 0x00003000ul
#define EFLAGS_AC 0x00040000ul
#define EFLAGS_ID 0x00200000ul

/* Offset of the word that holds error code and vector; asserted in tinypv_trap.c. */
#define REGS_ERROR 120

/* How far apart the stubs of two vectors are. */
#define TRAP_STUB_BYTES 32

#ifndef __ASSEMBLER__

#include "tiny_types.h"

struct tiny_regs {
	uint64_t r15, r14, r13, r12, rbp, rbx, r10, r9, r8, rdx, rsi, rdi;
	uint64_t rax, r11, rcx; /* from here on: the frame of the iret hypercall */
	uint32_t error, vector; /* its word of flags, zeroed on the way out */
	uint64_t rip;
	uint16_t cs, pad0;
	uint8_t saved_upcall_mask, pad1[3];
	uint64_t rflags, rsp, ss;
};

static inline bool regs_from_user(const struct tiny_regs *regs)
{
	return (regs->cs & 3) == 3;
}

/*
 * The last fault that an exception-table entry caught. PROBE clears it, runs `instruction`, and
 * goes on behind it whether it faulted or not; `vector` is then TRAP_NONE or what happened. A call
 * to a bad address is caught by its return address.
 */
#define TRAP_NONE 0xffffffffu

struct tiny_fault {
	uint32_t vector, error;
	uint64_t rip, cr2, rsp;
	uint16_t cs;
	uint8_t saved_upcall_mask;
	uint64_t rflags;
};

extern struct tiny_fault tiny_fault;

#define EX_TABLE(from, to)                                                                         \
	".pushsection .tiny_extable, \"a\"\n"                                                      \
	".quad " from ", " to "\n"                                                                 \
	".popsection\n"

/*
 * Operands as for asm(); an instruction that faults leaves its outputs as they were, so give them a
 * value before. The first entry is for faults, the one that points at itself for traps (RIP already
 * behind) and calls (found by the return address).
 */
#define PROBE(instruction, ...)                                                                    \
	do {                                                                                       \
		tiny_fault.vector = TRAP_NONE;                                                     \
		asm volatile("" : : : "memory");                                                   \
		asm volatile("771: " instruction "\n772:\n" EX_TABLE("771b", "772b")               \
				     EX_TABLE("772b", "772b") __VA_ARGS__);                        \
		asm volatile("" : : : "memory");                                                   \
	} while (0)

/*
 * Sees an exception before anything else does; returns true if it dealt with it. One hook a vector,
 * NULL removes it.
 */
typedef bool (*trap_hook_t)(struct tiny_regs *regs);
void trap_set_hook(unsigned int vector, trap_hook_t hook);

/*
 * Registers trap table, callbacks and the kernel stack. Called once, on the boot CPU, before
 * anything can fault.
 */
void trap_init(void);

/* What trap_init registered, for a test that has put its own in place. */
int __must_check trap_restore_table(void);
void trap_restore_callbacks(void);

/* Called by the stubs of tinypv_entry.S on the kernel stack. */
void trap_dispatch(struct tiny_regs *regs);

void trap_dump(const struct tiny_regs *regs);

#endif
#endif
