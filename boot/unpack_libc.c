// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the decompression libraries expect of a C library, and Tine does not have under these names.
 * They allocate seldom and mostly much, so each allocation has pages of its own, and its size in
 * front.
 */
#include "unpack_libc.h"
#include "unpack.h"
#include <tine/lib.h>
#include <tine/printk.h>

#define HEADER 64 /* keeps what follows as aligned as anybody wants it */

void *malloc(size_t size)
{
	size_t whole = size + HEADER;
	u8 *at = whole > size ? extent_alloc(whole) : NULL;

	if (!at)
		return NULL;
	*(size_t *)(void *)at = whole;
	return at + HEADER;
}

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	void *at = __builtin_mul_overflow(count, size, &bytes) ? NULL : malloc(bytes);

	if (at)
		memset(at, 0, bytes);
	return at;
}

void free(void *at)
{
	u8 *whole;

	if (!at)
		return;
	whole = (u8 *)at - HEADER;
	extent_free(whole, *(size_t *)(void *)whole);
}

/*
 * The guard word that they compare is the same all the time (arch_library_begin()): it is a stack
 * overrun.
 */
void __stack_chk_fail(void)
{
	panic("Stack overrun in a decompression library");
}
