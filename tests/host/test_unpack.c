// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bzImages through boot/unpack.c: every compression gives back what went in; whatever is cut off or
 * changed is refused in one line, and nothing stays allocated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lz4.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "../../boot/unpack.h"
#include "host_log.h"
#include "host_unpack.h"
#include <tine/errno.h>
#include <tine/lib.h>

#define HEADER 1024
#define CONTENT_SIZE (3 * 1000 * 1000 + 7)
#define ROOM (2 * CONTENT_SIZE)

static u8 content[CONTENT_SIZE], image[HEADER + ROOM];
static size_t image_size;

/* Like code: calls, and much that repeats. */
static void fill_content(void)
{
	srandom(7);
	for (size_t i = 0; i < CONTENT_SIZE; i++) {
		long r = random();

		content[i] = i > 4000 && r % 9 ? content[i - 4000 + (size_t)(r >> 12) % 16]
			     : r % 5           ? (u8)(r >> 8)
					       : 0xe8;
	}
}

static size_t pack_gzip(u8 *out)
{
	z_stream s = {
		.next_in = content, .avail_in = CONTENT_SIZE, .next_out = out, .avail_out = ROOM
	};

	assert_int_equal(deflateInit2(&s, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
	deflateEnd(&s);
	return s.total_out;
}

static size_t pack_zstd(u8 *out)
{
	return ZSTD_compress(out, ROOM, content, CONTENT_SIZE, 1);
}

static size_t pack_lz4(u8 *out)
{
	static const u8 magic[4] = { 0x02, 0x21, 0x4c, 0x18 };
	int size = LZ4_compress_default((char *)content, (char *)out + 8, CONTENT_SIZE, ROOM - 8);
	u32 length = (u32)size;

	memcpy(out, magic, sizeof(magic));
	memcpy(out + 4, &length, sizeof(length));
	return length + 8;
}

static size_t pack_xz_as(u8 *out, lzma_vli first, lzma_check check)
{
	lzma_options_lzma options;
	lzma_filter chain[3] = { { first, NULL }, { LZMA_FILTER_LZMA2, &options } };
	size_t size = 0;

	lzma_lzma_preset(&options, 0);
	chain[2].id = LZMA_VLI_UNKNOWN;
	assert_int_equal(lzma_stream_buffer_encode(first == LZMA_VLI_UNKNOWN ? chain + 1 : chain,
						   check, NULL, content, CONTENT_SIZE, out, &size,
						   ROOM),
			 LZMA_OK);
	return size;
}

static size_t pack_xz(u8 *out)
{
	return pack_xz_as(out, LZMA_FILTER_X86, LZMA_CHECK_CRC32);
}

static size_t pack_xz_plain(u8 *out)
{
	return pack_xz_as(out, LZMA_VLI_UNKNOWN, LZMA_CHECK_CRC32);
}

/* What Tine leaves to the library as a whole. */
static size_t pack_xz_other(u8 *out)
{
	return pack_xz_as(out, LZMA_FILTER_ARM, LZMA_CHECK_CRC64);
}

static const struct {
	const char *name;
	size_t (*pack)(u8 *out);
	bool sums; /* it would notice a changed bit anywhere in its data */
} kinds[] = {
	{ "gzip", pack_gzip, true }, { "zstd", pack_zstd, false },  { "lz4", pack_lz4, false },
	{ "xz", pack_xz, true },     { "xz", pack_xz_plain, true }, { "xz", pack_xz_other, true },
};

static void put32(size_t at, u32 value)
{
	memcpy(image + at, &value, sizeof(value));
}

static void make(unsigned int kind)
{
	size_t packed = kinds[kind].pack(image + HEADER);

	memset(image, 0, HEADER);
	image[0x1f1] = 1;
	image[0x1fe] = 0x55;
	image[0x1ff] = 0xaa;
	put32(0x202, 0x53726448);
	image[0x206] = 0x0f;
	image[0x207] = 0x02;
	if (strcmp(kinds[kind].name, "gzip")) {
		put32(HEADER + packed, CONTENT_SIZE);
		packed += 4;
	}
	put32(0x24c, (u32)packed);
	image_size = HEADER + packed;
}

static int open_image(struct kernel_image *k, size_t size)
{
	u8 *exact = malloc(size); /* so that a byte too far is noticed */
	int rc;

	memcpy(exact, image, size);
	host_log_clear();
	rc = kernel_image_open("name", span_of(exact, size), k);
	if (rc)
		assert_int_equal(host_log_lines(), 1);
	free(exact);
	return rc;
}

static void unpacks(void **state)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct kernel_image k;

		make(i);
		assert_int_equal(open_image(&k, image_size), 0);
		assert_int_equal(k.contents.size, CONTENT_SIZE);
		assert_memory_equal(k.contents.data, content, CONTENT_SIZE);
		kernel_image_close(&k);
		assert_int_equal(host_extents, 0);
	}
}

/* A compressed ELF file with its length behind it; cut off, or by any other length, it is refused. */
static void unpacks_a_payload_by_itself(void **state)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct kernel_image k;

		make(i);
		image_size -= HEADER;
		memmove(image, image + HEADER, image_size);
		assert_int_equal(open_image(&k, image_size), 0);
		assert_int_equal(k.contents.size, CONTENT_SIZE);
		assert_memory_equal(k.contents.data, content, CONTENT_SIZE);
		kernel_image_close(&k);
		for (size_t size = 6; size < image_size; size = size * 2 + 1)
			assert_true(open_image(&k, size) < 0);
		assert_true(open_image(&k, image_size - 4) < 0);
		assert_int_equal(host_extents, 0);
	}
}

static void refuses_what_is_cut_off(void **state)
{
	struct kernel_image k;

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		make(i);
		assert_int_equal(open_image(&k, image_size - 1), -EINVAL);
		assert_log("name: is a bzImage cut off");
		put32(0x24c, (u32)(image_size - HEADER) - 1000);
		assert_true(open_image(&k, image_size) < 0);
		assert_int_equal(host_extents, 0);
	}
}

/* A bit anywhere: refused, or the format has no sum, or it made no difference. */
static void refuses_what_is_changed(void **state)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		make(i);
		for (unsigned int round = 0; round < 12; round++) {
			size_t at = HEADER + 40 + (size_t)random() % (image_size - HEADER - 200);
			struct kernel_image k;

			image[at] ^= 1U << round % 8;
			if (!open_image(&k, image_size)) {
				assert_false(kinds[i].sums);
				kernel_image_close(&k);
			}
			image[at] ^= 1U << round % 8;
			assert_int_equal(host_extents, 0);
		}
	}
}

static void refuses_other_sizes(void **state)
{
	static const u32 sizes[] = { 0, 1, CONTENT_SIZE - 1, CONTENT_SIZE + 1, 0xffffffff };
	struct kernel_image k;

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		make(i);
		for (unsigned int s = 0; s < ARRAY_SIZE(sizes); s++) {
			put32(image_size - 4, sizes[s]);
			assert_true(open_image(&k, image_size) < 0);
			assert_int_equal(host_extents, 0);
		}
	}
}

static void leaves_others_alone(void **state)
{
	struct kernel_image k;

	make(0);
	image[0x203] = 'x'; /* no bzImage: for the builder to judge */
	assert_int_equal(open_image(&k, image_size), 0);
	assert_int_equal(k.contents.size, image_size);
	kernel_image_close(&k);
	make(0);
	image[0x206] = 7;
	assert_int_equal(open_image(&k, image_size), -ENOEXEC);
	assert_log("boot protocol 207, before 2.08");
	make(0);
	image[HEADER] = 'B';
	assert_int_equal(open_image(&k, image_size), -ENOEXEC);
	assert_log("name: payload begins with 42 8b 08");
	make(0);
	memcpy(image + HEADER, "\177ELF", 4);
	assert_int_equal(open_image(&k, image_size), 0);
	assert_int_equal(k.contents.size, image_size - HEADER);
	assert_null(k.buffer);
}

static int set_up(void **state)
{
	fill_content();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks),
		cmocka_unit_test(unpacks_a_payload_by_itself),
		cmocka_unit_test(refuses_what_is_cut_off),
		cmocka_unit_test(refuses_what_is_changed),
		cmocka_unit_test(refuses_other_sizes),
		cmocka_unit_test(leaves_others_alone),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
