/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hypercall from another mode (tinypvh_modes.S), and where the second processor starts. */
#ifndef TINYPVH_MODE_H
#define TINYPVH_MODE_H

#define TRAMPOLINE 0x8000 /* a page below 1 MiB that nothing else is in */

/* Offsets in struct tinypvh_mode_call. */
#define MODE_COMPATIBILITY 0
#define MODE_CR0 4
#define MODE_CR3 8
#define MODE_CR4 12
#define MODE_OP 16
#define MODE_ARGS 20
#define MODE_RESULT 40
#define MODE_LME 44
#define MODE_EFER 48

/* In MODE_LME: EFER.LME while paging is off. */
#define LME_OFF 0
#define LME_STAYS 1 /* set before CR4 changes */
#define LME_AFTER 2 /* set again after it has */

#ifndef __ASSEMBLER__
#include "tiny_types.h"

struct tinypvh_mode_call {
	uint32_t compatibility; /* 32-bit code in long mode; else: */
	uint32_t cr0, cr3, cr4; /* what CR0 has more than PE, and whose tables */
	uint32_t op, args[5];
	uint32_t result;
	uint32_t lme;  /* LME_... */
	uint32_t efer; /* what it was there */
};
_Static_assert(offsetof(struct tinypvh_mode_call, args) == MODE_ARGS, "as assembly has it");
_Static_assert(offsetof(struct tinypvh_mode_call, result) == MODE_RESULT, "as assembly has it");
_Static_assert(offsetof(struct tinypvh_mode_call, efer) == MODE_EFER, "as assembly has it");

/* CALL is static. Of vCPU 0. */
void tinypvh_call_in_mode(struct tinypvh_mode_call *call);
void tinypvh_second(void); /* what the second processor does */
extern const char tinypvh_trampoline[], tinypvh_trampoline_end[];
extern uint64_t tinypvh_level4[];
#endif

#endif
