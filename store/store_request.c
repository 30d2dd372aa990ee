// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One request and its answer. The payload is strings that end in NUL, a value at the end may be any
 * bytes. An error is answered by its name. What only a control domain may ask is -EACCES, what
 * nobody knows -ENOSYS.
 */
#include <tine/lib.h>
#include <tine/string.h>
#include "internal.h"

/* What is left of the payload. */
struct args {
	const char *at;
	size_t left;
};

typedef int request_fn(struct store *s, struct args *a, struct store_transaction *t);

/* The next string, or NULL: no NUL ends it. */
static const char *next_string(struct args *a)
{
	const char *text = a->at, *nul = a->left ? memchr(a->at, '\0', a->left) : NULL;
	size_t size;

	if (!nul)
		return NULL;
	size = (size_t)(nul - text) + 1;
	a->at += size;
	a->left -= size;
	return text;
}

/* The next string as a path, absolute in s->path. */
static int next_path(struct store *s, struct args *a)
{
	const char *text = next_string(a);

	return text ? store_path_resolve(s, text, false) : -EINVAL;
}

static struct store_tree *tree_of(struct store *s, struct store_transaction *t)
{
	return t ? &t->tree : &s->tree;
}

static int reply_text(struct store *s, const char *text)
{
	store_reply(s, text, strlen(text) + 1);
	return 0;
}

static int reply_ok(struct store *s)
{
	return reply_text(s, "OK");
}

static int find_node(struct store *s, struct args *a, struct store_transaction *t,
		     struct store_node **node)
{
	int ret = next_path(s, a);

	if (ret)
		return ret;
	*node = store_tree_find(tree_of(s, t), s->path);
	return *node ? 0 : -ENOENT;
}

/* ---- Looking ---- */

static int do_read(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	int ret = find_node(s, a, t, &node);

	if (!ret)
		store_reply(s, node->value_size ? node->value : "", node->value_size);
	return ret;
}

static int do_directory(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	int ret = find_node(s, a, t, &node);
	size_t size;

	if (ret)
		return ret;
	size = store_tree_list(tree_of(s, t), s->path, s->reply.payload, XENSTORE_PAYLOAD_MAX);
	if (size > XENSTORE_PAYLOAD_MAX)
		return -E2BIG;
	s->reply.header.len = (u32)size;
	return 0;
}

static int do_get_perms(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	char text[16];
	int ret = find_node(s, a, t, &node);

	if (ret)
		return ret;
	if (node->perms) {
		store_reply(s, node->perms, node->perms_size);
		return 0;
	}
	(void)tine_snprintf(text, sizeof(text), "n%u",
			    store_path_is_guests(s, s->path) ? s->id : 0U);
	return reply_text(s, text);
}

static int do_get_domain_path(struct store *s, struct args *a, struct store_transaction *t)
{
	const char *text = next_string(a);
	unsigned long id;
	char path[32];

	if (!text || str_to_ulong(&text, 10, &id) || *text || id > 0xffff)
		return -EINVAL;
	(void)tine_snprintf(path, sizeof(path), "/local/domain/%lu", id);
	return reply_text(s, path);
}

/* Nobody else is known here. */
static int do_is_introduced(struct store *s, struct args *a, struct store_transaction *t)
{
	const char *text = next_string(a);
	unsigned long id;

	if (!text || str_to_ulong(&text, 10, &id) || *text)
		return -EINVAL;
	return reply_text(s, id == s->id ? "T" : "F");
}

/* ---- Changing ---- */

/* The next string as a path that the domain may change. */
static int next_own_path(struct store *s, struct args *a)
{
	int ret = next_path(s, a);

	if (!ret && !store_path_is_guests(s, s->path))
		ret = -EACCES;
	return ret;
}

static int do_write(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	bool made;
	int ret = next_own_path(s, a);

	if (!ret)
		ret = store_tree_make(s, tree_of(s, t), s->path, &node, &made);
	if (!ret)
		ret = store_node_set(s, node, a->at, a->left);
	if (!ret)
		ret = store_changed(s, t, s->path, false);
	return ret ? ret : reply_ok(s);
}

static int do_mkdir(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	bool made;
	int ret = next_own_path(s, a);

	if (!ret)
		ret = store_tree_make(s, tree_of(s, t), s->path, &node, &made);
	if (!ret && made)
		ret = store_changed(s, t, s->path, false);
	return ret ? ret : reply_ok(s);
}

/* What is not there is removed already, but not if there is nowhere for it to be. */
static int remove_missing(struct store *s, struct store_transaction *t)
{
	char *slash = strrchr(s->path, '/');

	*slash = '\0';
	return store_tree_find(tree_of(s, t), s->path) ? reply_ok(s) : -ENOENT;
}

static int do_rm(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_tree *tree = tree_of(s, t);
	int ret = next_own_path(s, a);

	if (ret)
		return ret;
	if (!store_tree_find(tree, s->path))
		return remove_missing(s, t);
	store_tree_remove(s, tree, s->path);
	ret = store_changed(s, t, s->path, true);
	return ret ? ret : reply_ok(s);
}

/* A letter and a domain's number. */
static bool is_permission(const char *text)
{
	unsigned long id;

	if (*text != 'n' && *text != 'r' && *text != 'w' && *text != 'b')
		return false;
	text++;
	return !str_to_ulong(&text, 10, &id) && !*text && id <= 0xffff;
}

/* They are kept and told, and mean nothing: there is only one domain in this tree. */
static int do_set_perms(struct store *s, struct args *a, struct store_transaction *t)
{
	struct store_node *node;
	struct args perms;
	int ret = next_own_path(s, a);

	if (ret)
		return ret;
	for (perms = *a; a->left;) {
		const char *text = next_string(a);

		if (!text || !is_permission(text))
			return -EINVAL;
	}
	if (!perms.left || perms.left > STORE_PERMS_MAX)
		return -EINVAL;
	node = store_tree_find(tree_of(s, t), s->path);
	if (!node)
		return -ENOENT;
	ret = store_node_set_perms(s, node, perms.at, perms.left);
	if (!ret)
		ret = store_changed(s, t, s->path, false);
	return ret ? ret : reply_ok(s);
}

/* ---- Watches and transactions ---- */

static int do_watch(struct store *s, struct args *a, struct store_transaction *t)
{
	const char *path = next_string(a), *token = next_string(a);
	int ret = path && token ? store_path_resolve(s, path, true) : -EINVAL;

	if (!ret)
		ret = store_watch_add(s, path, token);
	return ret ? ret : reply_ok(s);
}

static int do_unwatch(struct store *s, struct args *a, struct store_transaction *t)
{
	const char *path = next_string(a), *token = next_string(a);
	int ret = path && token ? store_path_resolve(s, path, true) : -EINVAL;

	if (!ret)
		ret = store_watch_remove(s, token);
	return ret ? ret : reply_ok(s);
}

static int do_reset_watches(struct store *s, struct args *a, struct store_transaction *t)
{
	store_watch_clear(s);
	store_transaction_clear(s);
	return reply_ok(s);
}

static int do_transaction_start(struct store *s, struct args *a, struct store_transaction *t)
{
	char text[16];
	u32 id;
	int ret;

	if (t)
		return -EBUSY;
	ret = store_transaction_start(s, &id);
	if (ret)
		return ret;
	(void)tine_snprintf(text, sizeof(text), "%u", id);
	return reply_text(s, text);
}

static int do_transaction_end(struct store *s, struct args *a, struct store_transaction *t)
{
	const char *text = next_string(a);
	int ret;

	if (!text || (strcmp(text, "T") && strcmp(text, "F")))
		return -EINVAL;
	ret = t ? store_transaction_end(s, t->id, *text == 'T') : -ENOENT;
	return ret ? ret : reply_ok(s);
}

static int not_allowed(struct store *s, struct args *a, struct store_transaction *t)
{
	return -EACCES;
}

/* ---- Dispatch ---- */

static request_fn *const requests[XS_TYPE_COUNT] = {
	[XS_CONTROL] = not_allowed,
	[XS_DIRECTORY] = do_directory,
	[XS_READ] = do_read,
	[XS_GET_PERMS] = do_get_perms,
	[XS_WATCH] = do_watch,
	[XS_UNWATCH] = do_unwatch,
	[XS_TRANSACTION_START] = do_transaction_start,
	[XS_TRANSACTION_END] = do_transaction_end,
	[XS_INTRODUCE] = not_allowed,
	[XS_RELEASE] = not_allowed,
	[XS_GET_DOMAIN_PATH] = do_get_domain_path,
	[XS_WRITE] = do_write,
	[XS_MKDIR] = do_mkdir,
	[XS_RM] = do_rm,
	[XS_SET_PERMS] = do_set_perms,
	[XS_IS_DOMAIN_INTRODUCED] = do_is_introduced,
	[XS_RESUME] = not_allowed,
	[XS_SET_TARGET] = not_allowed,
	[XS_RESET_WATCHES] = do_reset_watches,
};

static const char *error_name(int error)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(xsd_errors); i++) {
		if (xsd_errors[i].errnum == error)
			return xsd_errors[i].errstring;
	}
	return "EIO";
}

void store_request(struct store *s)
{
	const struct xsd_sockmsg *request = &s->request.header;
	struct store_transaction *t =
		request->tx_id ? store_transaction_find(s, request->tx_id) : NULL;
	struct args args = { .at = s->request.payload, .left = request->len };
	int ret = -ENOSYS;

	s->reply.header = *request;
	s->reply.header.len = 0;
	if (request->tx_id && !t)
		ret = -ENOENT;
	else if (request->type < ARRAY_SIZE(requests) && requests[request->type])
		ret = requests[request->type](s, &args, t);
	if (!ret)
		return;
	s->reply.header.type = XS_ERROR;
	(void)reply_text(s, error_name(-ret));
}
