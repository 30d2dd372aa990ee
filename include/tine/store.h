/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A domain's own xenstore: the tree below /local/domain/ID, and the protocol by which the domain
 * reads, writes and watches it (public/io/xs_wire.h, ABI page 6.4). Bytes go in, bytes come out:
 * this room knows no rings, events or domains, and treats all that goes in as hostile. No domain
 * sees another's tree. Not locked: the caller is one at a time.
 */
#ifndef TINE_STORE_H
#define TINE_STORE_H

#include <tine/compiler.h>
#include <tine/types.h>

struct store;

/* What it holds, requests and answers included, is bounded. NULL: no memory. */
struct store *store_create(domid_t id) __must_check;
void store_destroy(struct store *s); /* NULL is fine; of one in common, the last does it */

/*
 * A store may be in common to several, as long as nobody calls what changes it; reading answers does. CLONE: a copy for domain ID to
 * change, its home's name included; without transactions, which nobody could finish. NULL: no memory.
 */
struct store *store_share(struct store *s);
bool store_is_shared(const struct store *s);
domid_t store_owner(const struct store *s);
struct store *store_clone(const struct store *s, domid_t id) __must_check;

/*
 * Takes up to N bytes of requests, cut anywhere, and does at most one request; returns how many
 * were taken. None when N is 0, or when the answer to the last request must be fetched first, or
 * when what was sent before is no request at all.
 */
size_t store_put(struct store *s, const void *bytes, size_t n);
/* Fetches up to N bytes of answers and watch events. */
size_t store_get(struct store *s, void *buf, size_t n);
/* A request longer than the protocol allows has come: there is no way to find the next. */
bool store_is_broken(const struct store *s);

/*
 * The hypervisor writes to PATH below the domain's home. How many watches it met, -EINVAL, -ENOSPC.
 */
int store_write(struct store *s, const char *path, const char *value) __must_check;

struct store_stats {
	size_t bytes_used, bytes_max;
	unsigned int nodes, watches, transactions;
	unsigned long requests, lost_events; /* lost: the domain did not fetch those before */
};
void store_get_stats(const struct store *s, struct store_stats *out);

#endif
