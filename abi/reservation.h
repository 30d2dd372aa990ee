/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_op's operations on reservations, for its dispatcher. */
#ifndef ABI_RESERVATION_H
#define ABI_RESERVATION_H

#include <tine/hypercall.h>

/* A command word: the operation, and above it the extent that a continuation goes on with. */
#define MEMORY_OP_BITS 6
#define MEMORY_OP_MASK ((1U << MEMORY_OP_BITS) - 1)

/*
 * increase_reservation, decrease_reservation, populate_physmap: how many extents are done in all, or
 * -EPERM.
 */
long reservation_change(unsigned long cmd, gva_t arg);

/* exchange: 0, or why it ended; how far it came is in guest memory. */
long reservation_exchange(gva_t arg);

/* abi/physmap.c: the same and its kin for guests with translated memory. */
long physmap_reservation(unsigned long cmd, gva_t arg);
long physmap_add(gva_t arg);
long physmap_add_batch(unsigned long cmd, gva_t arg);
long physmap_remove(gva_t arg);

#endif
