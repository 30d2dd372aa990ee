// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One store for several domains that are forks of each other, as long as none of them uses it, and the copy that the first to use it makes. The copy
 * is at the same byte of the same messages; names below the old home are below the new one. Transactions are left out: their trees
 * would be most of the work, and their ids answer -ENOENT as any that is not there.
 */
#include <tine/heap.h>
#include <tine/string.h>
#include "internal.h"

struct store *store_share(struct store *s)
{
	(void)__atomic_add_fetch(&s->users, 1, __ATOMIC_RELAXED);
	return s;
}

bool store_is_shared(const struct store *s)
{
	return __atomic_load_n(&s->users, __ATOMIC_ACQUIRE) > 1;
}

domid_t store_owner(const struct store *s)
{
	return s->id;
}

/* PATH with the home of FROM exchanged for that of TO, into BUF; its length. */
static size_t move_path(const struct store *to, const struct store *from, const char *path,
			char buf[XENSTORE_ABS_PATH_MAX + 32])
{
	const char *home = "";

	if (store_path_within(path, from->home)) {
		home = to->home;
		path += strlen(from->home);
	}
	return (size_t)tine_snprintf(buf, XENSTORE_ABS_PATH_MAX + 32, "%s%s", home, path);
}

static int copy_nodes(struct store *to, const struct store *from)
{
	char path[XENSTORE_ABS_PATH_MAX + 32];
	const struct store_node *node;

	list_for_each (node, &from->tree.nodes, link) {
		size_t len = move_path(to, from, node->path, path);
		struct store_node *copy = store_tree_append(to, &to->tree, path, len);

		if (!copy || store_node_set(to, copy, node->value, node->value_size) ||
		    store_node_set_perms(to, copy, node->perms, node->perms_size))
			return -ENOSPC;
	}
	return 0;
}

static int copy_watches(struct store *to, const struct store *from)
{
	char path[XENSTORE_ABS_PATH_MAX + 32];
	const struct store_watch *w;

	list_for_each (w, &from->watches, link) {
		size_t path_size = move_path(to, from, w->path, path) + 1;
		size_t token_size = strlen(w->token) + 1;
		struct store_watch *copy = store_alloc(to, sizeof(*copy) + path_size + token_size);

		if (!copy)
			return -ENOSPC;
		memcpy(copy->path, path, path_size);
		memcpy(copy->path + path_size, w->token, token_size);
		copy->token = copy->path + path_size;
		copy->relative = w->relative;
		list_add_tail(&to->watches, &copy->link);
		to->nr_watches++;
	}
	return 0;
}

static int copy_events(struct store *to, const struct store *from)
{
	const struct store_event *e;

	list_for_each (e, &from->events, link) {
		struct store_event *copy = store_alloc(to, sizeof(*copy) + e->size);

		if (!copy)
			return -ENOSPC;
		copy->size = e->size;
		memcpy(copy->bytes, e->bytes, e->size);
		list_add_tail(&to->events, &copy->link);
	}
	return 0;
}

static void copy_rest(struct store *to, const struct store *from)
{
	to->generation = from->generation;
	to->last_transaction = from->last_transaction;
	to->requests = from->requests;
	to->lost_events = from->lost_events;
	to->event_done = from->event_done;
	to->broken = from->broken;
	to->answering = from->answering;
	memcpy(&to->request, &from->request, sizeof(to->request));
	memcpy(&to->reply, &from->reply, sizeof(to->reply));
}

struct store *store_clone(const struct store *from, domid_t id)
{
	struct store *to = store_empty(id);

	if (!to)
		return NULL;
	copy_rest(to, from);
	if (!copy_nodes(to, from) && !copy_watches(to, from) && !copy_events(to, from))
		return to;
	store_destroy(to);
	return NULL;
}
