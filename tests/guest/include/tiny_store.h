/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of xenstore that waits for each answer by yielding. Watch events that come meanwhile are
 * kept in order, a few.
 */
#ifndef TINY_STORE_H
#define TINY_STORE_H

#include "tiny_types.h"

#include <xen/io/xs_wire.h>

extern char store_answer[]; /* the last payload, ended with NUL */
extern size_t store_answer_size;

volatile struct xenstore_domain_interface *store_ring(void);
long store_event(void);

/*
 * Sends a request of one or two strings: `path` with its NUL, then `second`, if not NULL, as a
 * value (XS_WRITE) or with its NUL. True if it was done; else store_answer is the error. Header and
 * payload go separately, as Linux sends them.
 */
bool store_call(uint32_t type, uint32_t transaction, const char *path, const char *second);
long store_number(void); /* store_answer as a decimal number; -1 if it is none */

/* The next watch event: path and token in store_answer. False if there is none now. */
bool store_next_event(void);

#endif
