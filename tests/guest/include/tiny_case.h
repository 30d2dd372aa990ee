/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file of test cases includes. */
#ifndef TINY_CASE_H
#define TINY_CASE_H

#include "tiny_event.h"
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_page.h"

#ifdef __aarch64__
#include "arm64/tinyarm.h"
#else
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"
#include "tinypv_user.h"
#endif

/* A call with a pointer as its argument number POINTER (1 to 3): it must be -EFAULT with each bad address there (case_bad_pointers.c). */
struct pointer_call {
	const char *name;
	unsigned int number;
	uint64_t a1, a2, a3;
	unsigned int pointer;
};
void expect_bad_pointers(const struct pointer_call *call, unsigned int count);

#endif
