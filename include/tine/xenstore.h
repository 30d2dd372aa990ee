/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A domain's store and the ring by which it gets at it, for domains without a control domain.
 * sched/xenstore.c
 */
#ifndef TINE_XENSTORE_H
#define TINE_XENSTORE_H

#include <tine/compiler.h>
#include <tine/types.h>

struct domain;
struct store_stats;

/*
 * FRAME is the domain's page for the ring (public/io/xs_wire.h), *PORT becomes the channel for it.
 * -EINVAL, -ENOMEM, -ENOSPC. Once a domain.
 */
int xenstore_connect(struct domain *d, unsigned long frame, u32 *port) __must_check;

/*
 * Writes to PATH below the domain's home, and tells whoever watches it. How many watches it met;
 * -ENOTCONN when the domain has no store, -ENOSPC when it is full.
 */
int xenstore_write(struct domain *d, const char *path, const char *value) __must_check;

bool xenstore_get_stats(struct domain *d, struct store_stats *out); /* false: it has none */

#endif
