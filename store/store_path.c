// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths: what may be one, and where it leads. Those that do not begin with a slash are below the
 * domain's home.
 */
#include <tine/string.h>
#include "internal.h"

static bool path_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '/' || c == '_' || c == '@';
}

/* Names between single slashes, none at the end. */
static bool well_formed(const char *path)
{
	size_t i;

	for (i = 0; path[i]; i++) {
		if (!path_char(path[i]) || (path[i] == '/' && path[i + 1] == '/'))
			return false;
	}
	return i == 1 || path[i - 1] != '/';
}

int store_path_resolve(struct store *s, const char *given, bool special)
{
	size_t len = strlen(given), home = strlen(s->home);
	bool absolute = *given == '/' || *given == '@';

	if (!len || len > (absolute ? XENSTORE_ABS_PATH_MAX : XENSTORE_REL_PATH_MAX) ||
	    !well_formed(given) || (*given == '@' && !special))
		return -EINVAL;
	if (absolute) {
		memcpy(s->path, given, len + 1);
		return 0;
	}
	memcpy(s->path, s->home, home);
	s->path[home] = '/';
	memcpy(s->path + home + 1, given, len + 1);
	return 0;
}

bool store_path_within(const char *path, const char *top)
{
	size_t len = strlen(top);

	if (len == 1 && *top == '/')
		return *path == '/';
	return !strncmp(path, top, len) && (!path[len] || path[len] == '/');
}

bool store_path_is_guests(const struct store *s, const char *path)
{
	return store_path_within(path, s->home) && path[strlen(s->home)];
}
