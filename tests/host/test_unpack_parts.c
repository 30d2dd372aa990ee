// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Tine does itself of unpacking, against the library that it does it instead of: the x86 branch
 * filter and the CRC-32, in pieces of any size, on random data that are mostly calls, and on code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "../../boot/branch_filter.h"
#include <tine/arch.h>
#include <tine/crc32.h>

#define SIZE_MAX_TRIED 5000
#define ROUNDS 3000

static lzma_options_lzma options;
static lzma_filter chain[] = { { LZMA_FILTER_X86, NULL },
			       { LZMA_FILTER_LZMA2, &options },
			       { LZMA_VLI_UNKNOWN, NULL } };

/* SPARE calls' share: 0 for none on purpose. */
static void randomize(uint8_t *data, size_t size, unsigned int spare)
{
	static const uint8_t likely[] = { 0xe8, 0xe9, 0, 0xff, 0xe8, 1 };

	for (size_t i = 0; i < size; i++) {
		long r = random();

		data[i] = spare && r % spare == 0 ? likely[(r >> 8) % 6] : (uint8_t)(r >> 16);
	}
}

/* DATA with the library's filter applied: packed with it, and unpacked without. */
static void filter(const uint8_t *data, size_t size, uint8_t *out)
{
	size_t room = 2 * size + 1000, packed = 0, at = 0, got = 0;
	uint8_t *buffer = malloc(room);

	assert_int_equal(lzma_raw_buffer_encode(chain, NULL, data, size, buffer, &packed, room),
			 LZMA_OK);
	assert_int_equal(lzma_raw_buffer_decode(chain + 1, NULL, buffer, &at, packed, out, &got,
						size + 1),
			 LZMA_OK);
	assert_int_equal(got, size);
	free(buffer);
}

static void check_filter(const uint8_t *data, size_t size)
{
	uint8_t *filtered = malloc(size + 1);
	struct branch_filter f = { .data = filtered, .size = size };

	filter(data, size, filtered);
	while (!branch_filter_done(&f))
		branch_filter_undo(&f, f.at + 1 + (size_t)random() % 700);
	assert_memory_equal(filtered, data, size);
	free(filtered);
}

static void filter_is_undone(void **state)
{
	uint8_t data[SIZE_MAX_TRIED];

	srandom(1);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		size_t size = (size_t)random() % sizeof(data);

		randomize(data, size, i % 6);
		check_filter(data, size);
	}
	for (size_t size = 0; size < 12; size++) {
		memset(data, 0xe8, size);
		check_filter(data, size);
	}
}

/* This program is code, too. */
static void filter_is_undone_on_code(void **state)
{
	static uint8_t code[1 << 20];
	FILE *file = fopen("/proc/self/exe", "rb");
	size_t size;

	assert_non_null(file);
	size = fread(code, 1, sizeof(code), file);
	fclose(file);
	assert_true(size > 10000);
	check_filter(code, size);
}

/* Whatever the data, it ends: also what no filter can have made. */
static void filter_ends_on_any_data(void **state)
{
	uint8_t data[SIZE_MAX_TRIED];

	srandom(2);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct branch_filter f = { .data = data, .size = (size_t)random() % sizeof(data) };

		randomize(data, f.size, 1 + i % 3);
		branch_filter_undo(&f, f.size);
		assert_true(branch_filter_done(&f));
	}
}

static void sums_are_right(void **state)
{
	uint8_t data[SIZE_MAX_TRIED];

	srandom(3);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		size_t size = (size_t)random() % sizeof(data),
		       cut = size ? (size_t)random() % size : 0;
		u32 sum = lzma_crc32(data, 0, 0), quick = CRC32_START, plain = CRC32_START;

		randomize(data, size, 0);
		sum = lzma_crc32(data, size, 0);
		quick = arch_crc32(arch_crc32(quick, data, cut), data + cut, size - cut);
		plain = crc32_update(crc32_update(plain, data, cut), data + cut, size - cut);
		assert_int_equal(~quick, sum);
		assert_int_equal(~plain, sum);
	}
}

static int set_up(void **state)
{
	return lzma_lzma_preset(&options, 0) ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filter_is_undone),
		cmocka_unit_test(filter_is_undone_on_code),
		cmocka_unit_test(filter_ends_on_any_data),
		cmocka_unit_test(sums_are_right),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
