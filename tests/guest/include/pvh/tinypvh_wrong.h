/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page tables that are wrong in every way, and pointers into them (tinypvh_wrong.c). For two vCPUs at once, each with its own struct wrong. */
#ifndef TINYPVH_WRONG_H
#define TINYPVH_WRONG_H

#include "tinypvh.h"
#include "translated_attack.h"
#include "tinypvh_mode.h"

struct wrong {
	uint64_t state;
	unsigned int vcpu;
	unsigned long through, through_narrow; /* calls that could read or write there */
};

static inline uint64_t wrong_random(struct wrong *w)
{
	return tiny_random(&w->state);
}

void wrong_prepare(
	struct wrong *w); /* once, with the other vCPU off: its vcpu_info goes into a table */
void wrong_change(struct wrong *w); /* a few entries */
void *wrong_pointer(struct wrong *w);
/* Another mode for CALL, and a pointer for it. */
uint32_t wrong_mode(struct wrong *w, struct tinypvh_mode_call *call);

#endif
