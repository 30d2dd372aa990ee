/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers, and attacks by hypercall (translated_attack.c). */
#ifndef TRANSLATED_ATTACK_H
#define TRANSLATED_ATTACK_H

#include "tiny_types.h"

/* The next of a random sequence, in its upper bits at least; STATE is not 0. */
static inline uint64_t tiny_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 20;
}

uint64_t *attack_begin(const char *line); /* from `seed=`; the state of the sequence that follows */
uint64_t attack_next(void);
uint64_t attack_edge(void); /* small numbers, ends of ranges, and pointers good and bad */
bool attack_any_call(void); /* it was accepted */

#endif
