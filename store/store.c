// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A store as a whole: its memory, and bytes in and out.
 *
 * Requests are taken in whatever portions they come, at once: a guest sends header and payload
 * separately and may wait for the header to be taken (ABI page 0, surprise 4). One request is
 * worked on at a time; its answer leaves before the next begins, and before watch events that it
 * caused. An event that has begun to leave is finished first.
 */
#include <tine/heap.h>
#include <tine/string.h>
#include "internal.h"

#define HEADER_SIZE sizeof(struct xsd_sockmsg)

/* ---- Memory ---- */

struct chunk {
	size_t size;
	u64 bytes[];
};

void *store_alloc(struct store *s, size_t size)
{
	struct chunk *c;

	size += sizeof(*c);
	if (size > STORE_BYTES - s->used)
		return NULL;
	c = kzalloc(size);
	if (!c)
		return NULL;
	c->size = size;
	s->used += size;
	return c->bytes;
}

void store_free(struct store *s, void *obj)
{
	struct chunk *c;

	if (!obj)
		return;
	c = container_of(obj, struct chunk, bytes);
	s->used -= c->size;
	kfree(c);
}

/* ---- In ---- */

/* Moves what M lacks up to byte WANTED from *BYTES. */
static void collect(struct store_message *m, size_t wanted, const u8 **bytes, size_t *n)
{
	size_t take = min(wanted - m->done, *n);

	if (m->done < HEADER_SIZE)
		memcpy((u8 *)&m->header + m->done, *bytes, take);
	else
		memcpy(m->payload + m->done - HEADER_SIZE, *bytes, take);
	m->done += take;
	*bytes += take;
	*n -= take;
}

size_t store_put(struct store *s, const void *data, size_t size)
{
	struct store_message *m = &s->request;
	const u8 *bytes = data;
	size_t n = size;

	if (s->broken || s->answering)
		return 0;
	if (m->done < HEADER_SIZE)
		collect(m, HEADER_SIZE, &bytes, &n);
	if (m->done < HEADER_SIZE)
		return size;
	if (m->header.len > XENSTORE_PAYLOAD_MAX) {
		s->broken = true;
		return size - n;
	}
	collect(m, HEADER_SIZE + m->header.len, &bytes, &n);
	if (m->done == HEADER_SIZE + m->header.len) {
		m->payload[m->header.len] = '\0';
		m->done = 0;
		s->requests++;
		s->answering = true;
		s->reply.done = 0;
		store_request(s);
	}
	return size - n;
}

bool store_is_broken(const struct store *s)
{
	return s->broken;
}

/* ---- Out ---- */

void store_reply(struct store *s, const void *bytes, size_t n)
{
	memcpy(s->reply.payload, bytes, n);
	s->reply.header.len = (u32)n;
}

static size_t get_reply(struct store *s, u8 *buf, size_t n)
{
	struct store_message *m = &s->reply;
	size_t end = m->done < HEADER_SIZE ? HEADER_SIZE : HEADER_SIZE + m->header.len;
	size_t take = min(end - m->done, n);

	if (m->done < HEADER_SIZE)
		memcpy(buf, (u8 *)&m->header + m->done, take);
	else
		memcpy(buf, m->payload + m->done - HEADER_SIZE, take);
	m->done += take;
	if (m->done == HEADER_SIZE + m->header.len)
		s->answering = false;
	return take;
}

static size_t get_event(struct store *s, u8 *buf, size_t n)
{
	struct store_event *e = list_first(&s->events, struct store_event, link);
	size_t take = min(e->size - s->event_done, n);

	memcpy(buf, e->bytes + s->event_done, take);
	s->event_done += take;
	if (s->event_done == e->size) {
		list_del(&e->link);
		store_free(s, e);
		s->event_done = 0;
	}
	return take;
}

size_t store_get(struct store *s, void *buf, size_t n)
{
	size_t got = 0;

	while (got < n) {
		if (s->answering && !s->event_done)
			got += get_reply(s, (u8 *)buf + got, n - got);
		else if (!list_empty(&s->events))
			got += get_event(s, (u8 *)buf + got, n - got);
		else
			break;
	}
	return got;
}

/* ---- Beginning and end ---- */

/* Not even a root. */
struct store *store_empty(domid_t id)
{
	struct store *s = kzalloc(sizeof(*s));

	if (!s)
		return NULL;
	s->users = 1;
	s->id = id;
	(void)tine_snprintf(s->home, sizeof(s->home), "/local/domain/%u", id);
	store_tree_init(&s->tree);
	list_init(&s->watches);
	list_init(&s->transactions);
	list_init(&s->events);
	return s;
}

struct store *store_create(domid_t id)
{
	struct store *s = store_empty(id);
	struct store_node *node;
	bool made;

	if (!s)
		return NULL;
	if (store_tree_make(s, &s->tree, s->home, &node, &made)) {
		store_destroy(s);
		return NULL;
	}
	return s;
}

void store_destroy(struct store *s)
{
	if (!s || __atomic_sub_fetch(&s->users, 1, __ATOMIC_ACQ_REL))
		return;
	store_transaction_clear(s);
	store_watch_clear(s);
	store_events_clear(s);
	store_tree_clear(s, &s->tree);
	ASSERT(!s->used);
	kfree(s);
}

int store_write(struct store *s, const char *path, const char *value)
{
	struct store_node *node;
	bool made;
	int ret = store_path_resolve(s, path, false);

	if (!ret)
		ret = store_tree_make(s, &s->tree, s->path, &node, &made);
	if (!ret)
		ret = store_node_set(s, node, value, strlen(value));
	if (ret)
		return ret;
	s->generation++;
	return (int)store_watch_fire(s, s->path, false);
}

void store_get_stats(const struct store *s, struct store_stats *out)
{
	*out = (struct store_stats){
		.bytes_used = s->used,
		.bytes_max = STORE_BYTES,
		.nodes = s->tree.count,
		.watches = s->nr_watches,
		.transactions = s->nr_transactions,
		.requests = s->requests,
		.lost_events = s->lost_events,
	};
}
