/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the PVH guest share. */
#ifndef TINYPVH_H
#define TINYPVH_H

#include "tiny_types.h"

extern uint64_t tinypvh_skip;
extern volatile uint32_t tinypvh_faults[2], tinypvh_upcalls; /* #UD, #GP */
extern volatile uint32_t tinypvh_timers, tinypvh_nmis, tinypvh_nmi_depth, tinypvh_nmi_deepest;
extern volatile uint32_t tinypvh_nmi_again; /* the next handler sends itself an NMI */

/* Executes INSN; the fault, if there is one, is counted and skips it. */
#define TRY(insn, ...)                                                                             \
	asm volatile("lea 1f(%%rip), %%r11\n"                                                      \
		     "mov %%r11, tinypvh_skip(%%rip)\n" insn "\n1:" __VA_ARGS__)

void tinypvh_set_gate(unsigned int vector, const void *to);
uint16_t tinypvh_domain(void);                /* its number */
bool read_msr(uint32_t msr, uint64_t *value); /* false: it faulted */

static inline void tinypvh_write_msr(uint32_t msr, uint64_t value)
{
	asm volatile("wrmsr"
		     :
		     : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
		     : "memory");
}

void tinypvh_quiet_lapic(void);        /* no timer, all that came is taken */
void tinypvh_attack(const char *line); /* the word `attack` */
void tinypvh_storm(uint64_t *state);   /* tinypvh_storm.c */
void tinypvh_tables(const char *line); /* the word `tables` */
void tinypvh_equal(void);              /* tinypvh_equal.c */

#endif
