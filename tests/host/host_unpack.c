// SPDX-License-Identifier: GPL-2.0-or-later
/* What boot/unpack.c stands on, for the host: memory of a limited size, and library calls that need no preparation. */
#include <stdlib.h>

#include "../../boot/unpack.h"
#include "host_unpack.h"

size_t host_extent_limit = MiB(64);
unsigned int host_extents;

void *extent_alloc(size_t size)
{
	void *at = size && size <= host_extent_limit ? malloc(size) : NULL;

	host_extents += at != NULL;
	return at;
}

void extent_free(void *at, size_t size)
{
	free(at);
	host_extents--;
}

unsigned long arch_library_begin(void)
{
	return 0;
}

void arch_library_end(unsigned long flags)
{
}
