// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lz4's legacy frame by liblz4: a magic number, then blocks of a length word and data, each of
 * which unpacks to 8 MiB and the last to less. (LZ4 frame format description, "legacy frame".)
 */
#include "unpack.h"
#include <tine/lib.h>
#include <lz4.h>

#define MAGIC_SIZE 4
#define BLOCK_BYTES MiB(8)

static bool start(struct unpacking *u)
{
	u->in_at = MAGIC_SIZE;
	return true;
}

/* A whole block a step: it is the quickest of all. */
static enum unpack_result step(struct unpacking *u)
{
	size_t length = span_u32(u->in, u->in_at);
	size_t room = min(BLOCK_BYTES, u->out_size - u->out_at);
	int got;

	if (u->in_at == u->in.size)
		return UNPACK_DONE;
	u->in_at += sizeof(u32);
	if (length > LZ4_COMPRESSBOUND(BLOCK_BYTES) || !span_has(u->in, u->in_at, length))
		return UNPACK_BAD;
	got = LZ4_decompress_safe((const char *)u->in.data + u->in_at, (char *)u->out + u->out_at,
				  (int)length, (int)room);
	if (got < 0)
		return UNPACK_BAD;
	u->in_at += length;
	u->out_at += (size_t)got;
	return UNPACK_MORE;
}

static void finish(struct unpacking *u)
{
}

const struct unpack_format unpack_lz4 = {
	.name = "lz4",
	.magic = { 0x02, 0x21, 0x4c, 0x18 },
	.magic_size = 4,
	.start = start,
	.step = step,
	.finish = finish,
};
