// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tree of nodes, each with its whole path. Wherever a node is, the nodes above it are, up to the
 * root: it comes with the first node.
 */
#include <tine/string.h>
#include "internal.h"

void store_tree_init(struct store_tree *t)
{
	list_init(&t->nodes);
	t->count = 0;
}

static void drop(struct store *s, struct store_tree *t, struct store_node *node)
{
	list_del(&node->link);
	t->count--;
	store_free(s, node->value);
	store_free(s, node->perms);
	store_free(s, node);
}

void store_tree_clear(struct store *s, struct store_tree *t)
{
	while (!list_empty(&t->nodes))
		drop(s, t, list_first(&t->nodes, struct store_node, link));
}

struct store_node *store_tree_find(const struct store_tree *t, const char *path)
{
	struct store_node *node;

	list_for_each (node, &t->nodes, link) {
		if (!strcmp(node->path, path))
			return node;
	}
	return NULL;
}

/* A node for the first LEN bytes of PATH, at the end of the list. */
struct store_node *store_tree_append(struct store *s, struct store_tree *t, const char *path,
				     size_t len)
{
	struct store_node *node;

	if (t->count >= STORE_NODES)
		return NULL;
	node = store_alloc(s, sizeof(*node) + len + 1);
	if (!node)
		return NULL;
	memcpy(node->path, path, len);
	list_add_tail(&t->nodes, &node->link);
	t->count++;
	return node;
}

static struct store_node *find_part(const struct store_tree *t, const char *path, size_t len)
{
	struct store_node *node;

	list_for_each (node, &t->nodes, link) {
		if (!strncmp(node->path, path, len) && !node->path[len])
			return node;
	}
	return NULL;
}

/* Takes nodes off the end until LAST is the last. */
static void drop_behind(struct store *s, struct store_tree *t, const struct list *last)
{
	while (t->nodes.prev != last)
		drop(s, t, list_entry(t->nodes.prev, struct store_node, link));
}

/* From the root downwards; a new node gets the permissions of the one above. */
int store_tree_make(struct store *s, struct store_tree *t, const char *path,
		    struct store_node **out, bool *made)
{
	const struct list *last = t->nodes.prev;
	struct store_node *above = NULL, *node;
	size_t len = 1;

	/* LEN is where the part ends: 1 for the root, then before each slash and at the end. */
	for (;; len++) {
		while (len > 1 && path[len] && path[len] != '/')
			len++;
		node = find_part(t, path, len);
		*made = !node;
		if (!node)
			node = store_tree_append(s, t, path, len);
		if (!node || (*made && above && above->perms &&
			      store_node_set_perms(s, node, above->perms, above->perms_size))) {
			drop_behind(s, t, last);
			return -ENOSPC;
		}
		above = node;
		if (!path[len])
			break;
	}
	*out = node;
	return 0;
}

void store_tree_remove(struct store *s, struct store_tree *t, const char *path)
{
	struct store_node *node, *next;

	list_for_each_safe (node, next, &t->nodes, link) {
		if (store_path_within(node->path, path))
			drop(s, t, node);
	}
}

static int replace(struct store *s, char **where, u32 *where_size, const char *bytes, size_t size)
{
	char *fresh = NULL;

	if (size) {
		fresh = store_alloc(s, size);
		if (!fresh)
			return -ENOSPC;
		memcpy(fresh, bytes, size);
	}
	store_free(s, *where);
	*where = fresh;
	*where_size = (u32)size;
	return 0;
}

int store_node_set(struct store *s, struct store_node *node, const char *value, size_t size)
{
	return replace(s, &node->value, &node->value_size, value, size);
}

int store_node_set_perms(struct store *s, struct store_node *node, const char *perms, size_t size)
{
	return replace(s, &node->perms, &node->perms_size, perms, size);
}

int store_tree_copy(struct store *s, struct store_tree *to, const struct store_tree *from)
{
	const struct store_node *node;

	list_for_each (node, &from->nodes, link) {
		struct store_node *copy = store_tree_append(s, to, node->path, strlen(node->path));

		if (!copy || store_node_set(s, copy, node->value, node->value_size) ||
		    store_node_set_perms(s, copy, node->perms, node->perms_size)) {
			store_tree_clear(s, to);
			return -ENOSPC;
		}
	}
	return 0;
}

size_t store_tree_list(const struct store_tree *t, const char *path, char *buf, size_t max)
{
	size_t top = strlen(path) > 1 ? strlen(path) : 0, total = 0;
	const struct store_node *node;

	list_for_each (node, &t->nodes, link) {
		const char *name = node->path + top + 1;
		size_t size;

		if (!store_path_within(node->path, path) || strlen(node->path) <= top + 1 ||
		    strchr(name, '/'))
			continue;
		size = strlen(name) + 1;
		if (total + size <= max)
			memcpy(buf + total, name, size);
		total += size;
	}
	return total;
}
