// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gzip by zlib. The file's last word is the unpacked length anyway (RFC 1952, ISIZE), so a bzImage
 * adds none.
 */
#include "unpack.h"
#include "unpack_libc.h"
#include <tine/lib.h>
#define Z_SOLO     /* no C library; allocation is given below */
#define ZLIB_CONST /* what is read is const */
#include <zlib.h>

#define GZIP_ONLY 16 /* added to the window's bits: zlib.h, inflateInit2 */

static void *allocate(void *unused, unsigned int count, unsigned int size)
{
	return calloc(count, size);
}

static void release(void *unused, void *at)
{
	free(at);
}

static bool start(struct unpacking *u)
{
	static z_stream stream;

	memset(&stream, 0, sizeof(stream));
	stream.zalloc = allocate;
	stream.zfree = release;
	stream.next_in = u->in.data;
	stream.avail_in = (unsigned int)u->in.size; /* a bzImage's payload: below 4 GiB */
	stream.next_out = u->out;
	u->state = &stream;
	return inflateInit2(&stream, GZIP_ONLY + MAX_WBITS) == Z_OK;
}

static enum unpack_result step(struct unpacking *u)
{
	z_stream *s = u->state;
	int ret;

	s->avail_out = (unsigned int)min(UNPACK_STEP_BYTES, u->out_size - u->out_at);
	ret = inflate(s, Z_NO_FLUSH);
	u->in_at = s->total_in;
	u->out_at = s->total_out;
	if (ret == Z_MEM_ERROR)
		return UNPACK_NO_MEMORY;
	if (ret == Z_STREAM_END)
		return UNPACK_DONE;
	return ret == Z_OK ? UNPACK_MORE : UNPACK_BAD;
}

static void finish(struct unpacking *u)
{
	(void)inflateEnd(u->state);
}

const struct unpack_format unpack_gzip = {
	.name = "gzip",
	.magic = { 0x1f, 0x8b },
	.magic_size = 2,
	.size_is_data = true,
	.start = start,
	.step = step,
	.finish = finish,
};
