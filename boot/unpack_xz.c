// SPDX-License-Identifier: GPL-2.0-or-later
/* xz by liblzma: one stream with any filters it knows; Linux's has the x86 branch filter and a dictionary of 32 MiB. */
#include "unpack.h"
#include "unpack_libc.h"
#include <tine/lib.h>
#include <stdint.h>
#define LZMA_MANUAL_HEADERS /* it would include more of a C library than there is */
#include <lzma.h>

static bool start(struct unpacking *u)
{
	static lzma_stream stream;

	memset(&stream, 0, sizeof(stream));
	stream.next_in = u->in.data;
	stream.avail_in = u->in.size;
	stream.next_out = u->out;
	u->state = &stream;
	return lzma_stream_decoder(&stream, UINT64_MAX, 0) == LZMA_OK;
}

static enum unpack_result step(struct unpacking *u)
{
	lzma_stream *s = u->state;
	lzma_ret ret;

	s->avail_out = min(UNPACK_STEP_BYTES, u->out_size - u->out_at);
	ret = lzma_code(s, LZMA_FINISH);
	u->in_at = s->total_in;
	u->out_at = s->total_out;
	if (ret == LZMA_MEM_ERROR)
		return UNPACK_NO_MEMORY;
	if (ret == LZMA_STREAM_END)
		return UNPACK_DONE;
	return ret == LZMA_OK ? UNPACK_MORE : UNPACK_BAD;
}

static void finish(struct unpacking *u)
{
	lzma_end(u->state);
}

const struct unpack_format unpack_xz = {
	.name = "xz",
	.magic = { 0xfd, '7', 'z', 'X', 'Z', 0 },
	.magic_size = 6,
	.start = start,
	.step = step,
	.finish = finish,
};
