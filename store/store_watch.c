// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watches, and the events that they cause. A watch on a path is told of every change at or below
 * it, and of the removal of something above it. What a domain has not fetched yet is told once: an
 * event that waits already is not added again. When there is no room for an event it is lost, and
 * counted.
 */
#include <tine/string.h>
#include "internal.h"

static struct store_watch *find(const struct store *s, const char *token)
{
	struct store_watch *w;

	list_for_each (w, &s->watches, link) {
		if (!strcmp(w->path, s->path) && !strcmp(w->token, token))
			return w;
	}
	return NULL;
}

static bool waits_already(const struct store *s, const struct store_event *e)
{
	const struct store_event *other;

	list_for_each (other, &s->events, link) {
		/* Not the one that is half gone. */
		if (s->event_done && other == list_first(&s->events, struct store_event, link))
			continue;
		if (other->size == e->size && !memcmp(other->bytes, e->bytes, e->size))
			return true;
	}
	return false;
}

static void queue_event(struct store *s, const struct store_watch *w, const char *path)
{
	struct xsd_sockmsg header = { .type = XS_WATCH_EVENT };
	size_t path_size, token_size = strlen(w->token) + 1;
	struct store_event *e;

	if (w->relative)
		path += strlen(s->home) + 1;
	path_size = strlen(path) + 1;
	header.len = (u32)(path_size + token_size);
	e = store_alloc(s, sizeof(*e) + sizeof(header) + header.len);
	if (!e) {
		s->lost_events++;
		return;
	}
	e->size = (u32)sizeof(header) + header.len;
	memcpy(e->bytes, &header, sizeof(header));
	memcpy(e->bytes + sizeof(header), path, path_size);
	memcpy(e->bytes + sizeof(header) + path_size, w->token, token_size);
	if (waits_already(s, e))
		store_free(s, e);
	else
		list_add_tail(&s->events, &e->link);
}

unsigned int store_watch_fire(struct store *s, const char *path, bool removed)
{
	unsigned int met = 0;
	struct store_watch *w;

	list_for_each (w, &s->watches, link) {
		if (store_path_within(path, w->path)) {
			queue_event(s, w, path);
			met++;
		} else if (removed && store_path_within(w->path, path)) {
			queue_event(s, w, w->path);
			met++;
		}
	}
	return met;
}

/* A new watch is told of its path at once, whether something is there or not. */
int store_watch_add(struct store *s, const char *given, const char *token)
{
	size_t path_size = strlen(s->path) + 1, token_size = strlen(token) + 1;
	struct store_watch *w;
	char *behind;

	if (find(s, token))
		return -EEXIST;
	if (token_size - 1 > STORE_TOKEN_MAX)
		return -EINVAL;
	if (s->nr_watches >= STORE_WATCHES)
		return -E2BIG;
	w = store_alloc(s, sizeof(*w) + path_size + token_size);
	if (!w)
		return -ENOSPC;
	memcpy(w->path, s->path, path_size);
	behind = w->path + path_size;
	memcpy(behind, token, token_size);
	w->token = behind;
	w->relative = *given != '/' && *given != '@';
	list_add_tail(&s->watches, &w->link);
	s->nr_watches++;
	queue_event(s, w, w->path);
	return 0;
}

static void drop(struct store *s, struct store_watch *w)
{
	list_del(&w->link);
	s->nr_watches--;
	store_free(s, w);
}

int store_watch_remove(struct store *s, const char *token)
{
	struct store_watch *w = find(s, token);

	if (!w)
		return -ENOENT;
	drop(s, w);
	return 0;
}

void store_watch_clear(struct store *s)
{
	while (!list_empty(&s->watches))
		drop(s, list_first(&s->watches, struct store_watch, link));
}

void store_events_clear(struct store *s)
{
	while (!list_empty(&s->events)) {
		struct store_event *e = list_first(&s->events, struct store_event, link);

		list_del(&e->link);
		store_free(s, e);
	}
	s->event_done = 0;
}
