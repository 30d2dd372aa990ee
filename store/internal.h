/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of store/ share. A tree is a list of nodes that each carry their whole path: trees
 * are small (STORE_NODES), so looking all through is cheap, and there is nothing recursive that a
 * guest could make deep.
 *
 * All memory that depends on the domain comes from store_alloc(), which counts it against one
 * limit.
 */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <tine/errno.h>
#include <tine/list.h>
#include <tine/store.h>
#include <xen/io/xs_wire.h>

#define STORE_BYTES KiB(128)
#define STORE_NODES 512U /* in a tree */
#define STORE_WATCHES 64U
#define STORE_TRANSACTIONS 4U
#define STORE_TOKEN_MAX 255U
#define STORE_PERMS_MAX 128U

struct store_node {
	struct list link;
	char *value, *perms; /* perms NULL: the domain's own */
	u32 value_size, perms_size;
	char path[];
};

struct store_tree {
	struct list nodes;
	unsigned int count;
};

struct store_watch {
	struct list link;
	bool relative; /* was given, and is told, relative to the home */
	const char *token;
	char path[]; /* absolute; the token is behind it */
};

/* A message to the domain, complete. */
struct store_event {
	struct list link;
	u32 size;
	char bytes[];
};

struct store_transaction {
	struct list link;
	u32 id;
	u64 generation; /* of the store when it began */
	struct store_tree tree;
	struct list changes; /* struct store_change, to be told to watches at the end */
};

struct store_message {
	size_t done; /* received, or sent */
	struct xsd_sockmsg header;
	char payload[XENSTORE_PAYLOAD_MAX + 1];
};

struct store {
	u32 users; /* atomic; above 1 it does not change */
	domid_t id;
	char home[24];
	size_t used;
	u64 generation; /* counts changes of the tree */
	struct store_tree tree;
	struct list watches, transactions, events;
	unsigned int nr_watches, nr_transactions;
	u32 last_transaction;
	unsigned long requests, lost_events;
	size_t event_done; /* bytes sent of the first event */
	bool broken, answering;
	struct store_message request, reply;
	char path[XENSTORE_ABS_PATH_MAX + 1]; /* of the request in work */
};

/* ---- store.c ---- */
struct store *store_empty(domid_t id) __must_check;
void *store_alloc(struct store *s,
		  size_t size) __must_check; /* zeroed; NULL: over the limit, or no memory */
void store_free(struct store *s, void *obj);
void store_reply(struct store *s, const void *bytes, size_t n);

/* ---- store_path.c ---- */
/* The absolute form of GIVEN into s->path. -EINVAL. SPECIAL: "@name" is fine, too. */
int store_path_resolve(struct store *s, const char *given, bool special) __must_check;
/* Is PATH below TOP, or TOP itself? */
bool store_path_within(const char *path, const char *top);
bool store_path_is_guests(const struct store *s, const char *path); /* to change */

/* ---- store_tree.c ---- */
void store_tree_init(struct store_tree *t);
void store_tree_clear(struct store *s, struct store_tree *t);
int store_tree_copy(struct store *s, struct store_tree *to,
		    const struct store_tree *from) __must_check;
struct store_node *store_tree_find(const struct store_tree *t, const char *path);
/* Makes the node and those above it, as needed. *MADE: it was not there. -ENOSPC. */
int store_tree_make(struct store *s, struct store_tree *t, const char *path,
		    struct store_node **node, bool *made) __must_check;
/* A node at the end of the list, those above it being there. NULL: no room. */
struct store_node *store_tree_append(struct store *s, struct store_tree *t, const char *path,
				     size_t len) __must_check;
void store_tree_remove(struct store *s, struct store_tree *t,
		       const char *path); /* with all below */
int store_node_set(struct store *s, struct store_node *node, const char *value,
		   size_t size) __must_check;
int store_node_set_perms(struct store *s, struct store_node *node, const char *perms,
			 size_t size) __must_check;
/*
 * The names right below PATH, each with its NUL, into BUF. The size of all, whether it fits into
 * MAX or not.
 */
size_t store_tree_list(const struct store_tree *t, const char *path, char *buf, size_t max);

/* ---- store_watch.c ---- */
int store_watch_add(struct store *s, const char *given,
		    const char *token) __must_check; /* s->path resolved */
int store_watch_remove(struct store *s, const char *token) __must_check;
void store_watch_clear(struct store *s);
unsigned int store_watch_fire(struct store *s, const char *path, bool removed);
void store_events_clear(struct store *s);

/* ---- store_transaction.c ---- */
int store_transaction_start(struct store *s, u32 *id) __must_check;
int store_transaction_end(struct store *s, u32 id, bool commit) __must_check;
struct store_transaction *store_transaction_find(const struct store *s, u32 id);
void store_transaction_clear(struct store *s);
/* PATH has changed in transaction T, or at once when T is NULL. -ENOSPC. */
int store_changed(struct store *s, struct store_transaction *t, const char *path,
		  bool removed) __must_check;

/* ---- store_request.c ---- */
void store_request(struct store *s); /* does s->request, fills s->reply */

#endif
