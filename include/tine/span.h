/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of untrusted bytes together with its length. Every read is checked against the length and goes through
 * memcpy, because what firmware, loaders and guests hand over is neither complete nor aligned.
 */
#ifndef TINE_SPAN_H
#define TINE_SPAN_H

#include <tine/string.h>

struct span {
	const u8 *data;
	size_t size;
};

static inline struct span span_of(const void *data, size_t size)
{
	return (struct span){ data, size };
}

/* Do LEN bytes from OFFSET on lie inside? */
static inline bool span_has(struct span s, size_t offset, size_t len)
{
	return offset <= s.size && len <= s.size - offset;
}

/* The part from OFFSET on, at most LEN bytes; empty when OFFSET lies outside. */
static inline struct span span_sub(struct span s, size_t offset, size_t len)
{
	if (offset > s.size)
		offset = s.size;
	if (len > s.size - offset)
		len = s.size - offset;
	return (struct span){ s.data + offset, len };
}

/* Copies LEN bytes from OFFSET to OUT; false, and OUT untouched, when they are not all inside. */
static inline bool span_read(struct span s, size_t offset, void *out, size_t len)
{
	if (!span_has(s, offset, len))
		return false;
	memcpy(out, s.data + offset, len);
	return true;
}

/* Little-endian numbers at OFFSET; 0 when they are not inside, for callers that checked the length before. */
static inline u64 span_le(struct span s, size_t offset, size_t bytes)
{
	u64 value = 0;

	if (!span_has(s, offset, bytes))
		return 0;
	while (bytes--)
		value = value << 8 | s.data[offset + bytes];
	return value;
}

static inline u8 span_u8(struct span s, size_t offset)
{
	return (u8)span_le(s, offset, 1);
}

static inline u16 span_u16(struct span s, size_t offset)
{
	return (u16)span_le(s, offset, 2);
}

static inline u32 span_u32(struct span s, size_t offset)
{
	return (u32)span_le(s, offset, 4);
}

static inline u64 span_u64(struct span s, size_t offset)
{
	return span_le(s, offset, 8);
}

/*
 * Copies the text at OFFSET, up to its NUL or the end of the span, into DST and always ends it with a NUL. False when
 * the span ends before the text does, or the text is longer than SIZE - 1: what fits was copied.
 */
static inline bool span_text(struct span s, size_t offset, char *dst, size_t size)
{
	struct span rest = span_sub(s, offset, s.size);
	size_t len = strnlen((const char *)rest.data, rest.size);
	size_t copied = len < size ? len : size - 1;

	memcpy(dst, rest.data, copied);
	dst[copied] = '\0';
	return len < rest.size && copied == len;
}

#endif
