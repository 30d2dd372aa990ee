// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory and string functions, but for memset and memcpy, which are an architecture's. The compiler emits calls to some on its own. No state. */
#include "tiny_lib.h"

void *memmove(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f || t >= f + bytes)
		return memcpy(to, from, bytes);
	while (bytes--)
		t[bytes] = f[bytes];
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *x = a, *y = b;

	for (; bytes; bytes--, x++, y++)
		if (*x != *y)
			return *x < *y ? -1 : 1;
	return 0;
}

size_t strlen(const char *s)
{
	const char *end = s;

	while (*end)
		end++;
	return end - s;
}

int strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return (unsigned char)*a - (unsigned char)*b;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

bool cmdline_has_word(const char *line, const char *word)
{
	size_t length = strlen(word);
	const char *at;

	for (at = line; *at; at++)
		if ((at == line || is_blank(at[-1])) && strlen(at) >= length &&
		    !memcmp(at, word, length) && is_blank(at[length]))
			return true;
	return false;
}

const char *cmdline_value(const char *line, const char *key)
{
	size_t length = strlen(key);
	const char *at;

	for (at = line; *at; at++)
		if ((at == line || is_blank(at[-1])) && strlen(at) > length &&
		    !memcmp(at, key, length) && at[length] == '=')
			return at + length + 1;
	return NULL;
}

uint64_t cmdline_number(const char *line, const char *key, uint64_t usual)
{
	const char *at = cmdline_value(line, key);
	uint64_t n = 0;

	if (!at || *at < '0' || *at > '9')
		return usual;
	for (; *at >= '0' && *at <= '9'; at++)
		n = n * 10 + (uint64_t)(*at - '0');
	return n;
}
