/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exception and interrupt vectors. */
#ifndef ASM_VECTORS_H
#define ASM_VECTORS_H

#define TRAP_DIVIDE 0
#define TRAP_DEBUG 1
#define TRAP_NMI 2
#define TRAP_BREAKPOINT 3
#define TRAP_OVERFLOW 4
#define TRAP_INVALID_OPCODE 6
#define TRAP_NO_DEVICE 7
#define TRAP_DOUBLE_FAULT 8
#define TRAP_STACK 12
#define TRAP_GENERAL_PROTECTION 13
#define TRAP_PAGE_FAULT 14
#define TRAP_MACHINE_CHECK 18

#define VECTOR_FIRST_EXTERNAL 0x20 /* below: exceptions */
#define VECTOR_PIC 0x20            /* 16 vectors of the masked 8259s: only spurious ones come */
#define VECTOR_GUEST_SYSCALL                                                                       \
	0x80 /* int $0x80 of PV guests: a gate that ring 3 may use, not an interrupt */
#define VECTOR_SERIAL 0x90
#define VECTOR_TIMER 0xf0
#define VECTOR_RESCHEDULE 0xf1
#define VECTOR_CALL 0xf2
#define VECTOR_TLB_FLUSH 0xf3
#define VECTOR_APIC_ERROR 0xfe
#define VECTOR_SPURIOUS 0xff

/* #DF, #TS, #NP, #SS, #GP, #PF, #AC, #CP, #VC, #SX push an error code. */
#define TRAPS_WITH_ERROR_CODE 0x60227d00

/* Page-fault error code. */
#define PF_PRESENT 0x1
#define PF_WRITE 0x2
#define PF_USER 0x4
#define PF_FETCH 0x10

#endif
