/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small objects for programs that test store/: from malloc, so that AddressSanitizer sees each by
 * itself and what is not given back.
 */
#ifndef STORE_MEMORY_H
#define STORE_MEMORY_H

#include <stdlib.h>
#include <tine/heap.h>

static unsigned long store_objects; /* there now */
static unsigned long store_fail_at; /* the allocation that fails, counted down; 0: none */

void *kzalloc(size_t size)
{
	if (store_fail_at && !--store_fail_at)
		return NULL;
	store_objects++;
	return calloc(1, size);
}

void kfree(void *obj)
{
	store_objects -= obj != NULL;
	free(obj);
}

#endif
