// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xz by liblzma. What Linux's build makes, one block of LZMA2 behind the x86 branch filter with a
 * CRC-32, is taken apart here: the library does LZMA2, and filter and sum are done afterwards over
 * the whole, each in a fifth of the library's instructions. Any other stream is all the library's.
 * The index at the end is not looked at: a block must be as long as announced, and its sum must
 * fit. (The .xz file format.)
 */
#include "branch_filter.h"
#include "unpack.h"
#include "unpack_libc.h"
#include <tine/crc32.h>
#include <tine/lib.h>
#include <stdint.h>
#define LZMA_MANUAL_HEADERS /* it would include more of a C library than there is */
#include <lzma.h>

#define FINISHING_BYTES MiB(4) /* a step of filter and sum */
#define BLOCK_ALIGNMENT 4
#define CRC32_SIZE 4

static struct xz_state {
	lzma_stream stream;
	bool plain;      /* LZMA2 is the library's, the rest ours */
	bool filtered;   /* there is a branch filter to undo */
	bool unpacked;   /* LZMA2 is done */
	size_t first_at; /* where its data begin */
	struct branch_filter filter;
	size_t summed;
	u32 sum;
} xz;

/* LZMA2, perhaps behind the branch filter as it is by default; how many filters come before it. */
static bool chain_is_known(const lzma_filter *f, unsigned int *before)
{
	*before = f[0].id == LZMA_FILTER_X86 ? 1 : 0;
	return f[*before].id == LZMA_FILTER_LZMA2 && !(*before && f[0].options);
}

/* True when the stream is of the kind that is taken apart, and LZMA2's decoder is set up. */
static bool take_apart(struct unpacking *u)
{
	lzma_filter filters[LZMA_FILTERS_MAX + 1];
	lzma_block block = { .version = 1, .filters = filters, .check = LZMA_CHECK_CRC32 };
	lzma_stream_flags flags;
	unsigned int before;
	bool good;

	if (u->in.size < LZMA_STREAM_HEADER_SIZE + LZMA_BLOCK_HEADER_SIZE_MAX ||
	    lzma_stream_header_decode(&flags, u->in.data) != LZMA_OK ||
	    flags.check != LZMA_CHECK_CRC32 || !u->in.data[LZMA_STREAM_HEADER_SIZE])
		return false;
	block.header_size = lzma_block_header_size_decode(u->in.data[LZMA_STREAM_HEADER_SIZE]);
	if (lzma_block_header_decode(&block, NULL, u->in.data + LZMA_STREAM_HEADER_SIZE) != LZMA_OK)
		return false;
	good = chain_is_known(filters, &before) &&
	       lzma_raw_decoder(&xz.stream, &filters[before]) == LZMA_OK;
	lzma_filters_free(filters, NULL);
	xz.filtered = before;
	xz.first_at = LZMA_STREAM_HEADER_SIZE + block.header_size;
	return good;
}

static bool start(struct unpacking *u)
{
	memset(&xz, 0, sizeof(xz));
	xz.sum = CRC32_START;
	xz.filter.data = u->out;
	xz.filter.size = u->out_size;
	xz.plain = take_apart(u);
	xz.stream.next_in = u->in.data + xz.first_at;
	xz.stream.avail_in = u->in.size - xz.first_at;
	xz.stream.next_out = u->out;
	return xz.plain || lzma_stream_decoder(&xz.stream, UINT64_MAX, 0) == LZMA_OK;
}

static enum unpack_result check_sum(const struct unpacking *u)
{
	size_t packed = ROUND_UP(xz.stream.total_in, (u64)BLOCK_ALIGNMENT);

	return span_has(u->in, xz.first_at + packed, CRC32_SIZE) &&
			       span_u32(u->in, xz.first_at + packed) == ~xz.sum
		       ? UNPACK_DONE
		       : UNPACK_BAD;
}

/* The filter first, the sum is of what comes out of it. */
static enum unpack_result finishing_step(const struct unpacking *u)
{
	size_t n = min(FINISHING_BYTES, u->out_size - xz.summed);

	if (u->out_at != u->out_size)
		return UNPACK_DONE; /* too short: the caller says so */
	if (xz.filtered && !branch_filter_done(&xz.filter)) {
		branch_filter_undo(&xz.filter, xz.filter.at + FINISHING_BYTES);
		return UNPACK_MORE;
	}
	xz.sum = arch_crc32(xz.sum, u->out + xz.summed, n);
	xz.summed += n;
	return xz.summed < u->out_size ? UNPACK_MORE : check_sum(u);
}

static enum unpack_result step(struct unpacking *u)
{
	lzma_stream *s = &xz.stream;
	lzma_ret ret;

	if (xz.unpacked)
		return finishing_step(u);
	s->avail_out = min(UNPACK_STEP_BYTES, u->out_size - u->out_at);
	ret = lzma_code(s, LZMA_FINISH);
	u->in_at = xz.first_at + s->total_in;
	u->out_at = s->total_out;
	if (ret == LZMA_MEM_ERROR)
		return UNPACK_NO_MEMORY;
	if (ret == LZMA_STREAM_END) {
		xz.unpacked = true;
		return xz.plain ? UNPACK_MORE : UNPACK_DONE;
	}
	return ret == LZMA_OK ? UNPACK_MORE : UNPACK_BAD;
}

static void finish(struct unpacking *u)
{
	lzma_end(&xz.stream);
}

const struct unpack_format unpack_xz = {
	.name = "xz",
	.magic = { 0xfd, '7', 'z', 'X', 'Z', 0 },
	.magic_size = 6,
	.start = start,
	.step = step,
	.finish = finish,
};
