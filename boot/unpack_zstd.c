// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * zstd by libzstd, block by block into the output itself: a stream decoder would need a window
 * beside it, of 128 MiB for what Linux's build makes.
 */
#include "unpack.h"
#include <tine/lib.h>
#define ZSTD_STATIC_LINKING_ONLY /* the interface by blocks */
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include <zstd.h>

/*
 * The library calls these if they exist, by weak references; left undefined they would be calls to
 * address 0, out of the image's reach. 0 says that nobody traces.
 */
unsigned long long ZSTD_trace_decompress_begin(const ZSTD_DCtx *dctx);
void ZSTD_trace_decompress_end(unsigned long long context, const void *trace);

unsigned long long ZSTD_trace_decompress_begin(const ZSTD_DCtx *dctx)
{
	return 0;
}

void ZSTD_trace_decompress_end(unsigned long long context, const void *trace)
{
}

static bool start(struct unpacking *u)
{
	u->state = ZSTD_createDCtx();
	return u->state && !ZSTD_isError(ZSTD_decompressBegin(u->state));
}

/* A block is at most 128 KiB: one a step. */
static enum unpack_result step(struct unpacking *u)
{
	size_t want = ZSTD_nextSrcSizeToDecompress(u->state), got;

	if (!want)
		return UNPACK_DONE;
	if (!span_has(u->in, u->in_at, want))
		return UNPACK_BAD;
	got = ZSTD_decompressContinue(u->state, u->out + u->out_at, u->out_size - u->out_at,
				      u->in.data + u->in_at, want);
	if (ZSTD_isError(got))
		return UNPACK_BAD;
	u->in_at += want;
	u->out_at += got;
	return UNPACK_MORE;
}

static void finish(struct unpacking *u)
{
	(void)ZSTD_freeDCtx(u->state);
}

const struct unpack_format unpack_zstd = {
	.name = "zstd",
	.magic = { 0x28, 0xb5, 0x2f, 0xfd },
	.magic_size = 4,
	.start = start,
	.step = step,
	.finish = finish,
};
