// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Transactions: each has a copy of the tree and works on it alone. To commit, the store must not
 * have changed since; then the copy takes the tree's place, and watches are told what was changed.
 */
#include <tine/string.h>
#include "internal.h"

struct store_change {
	struct list link;
	bool removed;
	char path[];
};

struct store_transaction *store_transaction_find(const struct store *s, u32 id)
{
	struct store_transaction *t;

	list_for_each (t, &s->transactions, link) {
		if (t->id == id)
			return t;
	}
	return NULL;
}

static void drop(struct store *s, struct store_transaction *t)
{
	while (!list_empty(&t->changes)) {
		struct store_change *c = list_first(&t->changes, struct store_change, link);

		list_del(&c->link);
		store_free(s, c);
	}
	store_tree_clear(s, &t->tree);
	list_del(&t->link);
	s->nr_transactions--;
	store_free(s, t);
}

int store_transaction_start(struct store *s, u32 *id)
{
	struct store_transaction *t;

	if (s->nr_transactions >= STORE_TRANSACTIONS)
		return -ENOSPC;
	t = store_alloc(s, sizeof(*t));
	if (!t)
		return -ENOSPC;
	list_init(&t->changes);
	store_tree_init(&t->tree);
	list_add_tail(&s->transactions, &t->link);
	s->nr_transactions++;
	if (store_tree_copy(s, &t->tree, &s->tree)) {
		drop(s, t);
		return -ENOSPC;
	}
	do {
		s->last_transaction++;
	} while (!s->last_transaction || store_transaction_find(s, s->last_transaction));
	t->id = s->last_transaction;
	t->generation = s->generation;
	*id = t->id;
	return 0;
}

/* The lists' heads lie in their trees, so the nodes move. */
static void take_tree(struct store *s, struct store_transaction *t)
{
	store_tree_clear(s, &s->tree);
	while (!list_empty(&t->tree.nodes)) {
		struct store_node *node = list_first(&t->tree.nodes, struct store_node, link);

		list_del(&node->link);
		list_add_tail(&s->tree.nodes, &node->link);
	}
	s->tree.count = t->tree.count;
	t->tree.count = 0;
}

int store_transaction_end(struct store *s, u32 id, bool commit)
{
	struct store_transaction *t = store_transaction_find(s, id);
	int ret = 0;

	if (!t)
		return -ENOENT;
	if (commit && t->generation != s->generation) {
		ret = -EAGAIN;
	} else if (commit && !list_empty(&t->changes)) {
		const struct store_change *c;

		take_tree(s, t);
		s->generation++;
		list_for_each (c, &t->changes, link)
			(void)store_watch_fire(s, c->path, c->removed);
	}
	drop(s, t);
	return ret;
}

void store_transaction_clear(struct store *s)
{
	while (!list_empty(&s->transactions))
		drop(s, list_first(&s->transactions, struct store_transaction, link));
}

int store_changed(struct store *s, struct store_transaction *t, const char *path, bool removed)
{
	struct store_change *c;

	if (!t) {
		s->generation++;
		(void)store_watch_fire(s, path, removed);
		return 0;
	}
	c = store_alloc(s, sizeof(*c) + strlen(path) + 1);
	if (!c)
		return -ENOSPC;
	c->removed = removed;
	memcpy(c->path, path, strlen(path) + 1);
	list_add_tail(&t->changes, &c->link);
	return 0;
}
