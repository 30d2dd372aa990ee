// SPDX-License-Identifier: GPL-2.0-or-later
/* See fake_memory.h. Pieces and mappings are small lists; a mapping may not span two pieces. One thread. */
#include "fake_memory.h"
#include <asm/boot.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PIECES 64
#define MOST_MAPPINGS 16384

static struct piece {
	u64 pa;
	size_t size;
	u8 *data;
} pieces[MOST_PIECES];
static unsigned int nr_pieces;

static void *mappings[MOST_MAPPINGS];
static unsigned int nr_mappings;

void fake_memory_reset(void)
{
	while (nr_pieces)
		free(pieces[--nr_pieces].data);
	while (nr_mappings)
		free(mappings[--nr_mappings]);
}

u8 *fake_memory_add(u64 pa, const void *data, size_t size)
{
	struct piece *p = &pieces[nr_pieces];

	if (nr_pieces == MOST_PIECES)
		abort();
	nr_pieces++;
	p->pa = pa;
	p->size = size;
	p->data = calloc(1, size ? size : 1);
	if (data)
		memcpy(p->data, data, size);
	return p->data;
}

const void *x86_boot_map(paddr_t pa, size_t len)
{
	u64 start = paddr_x(pa);

	if (len == 0 || nr_mappings == MOST_MAPPINGS)
		return NULL;
	for (unsigned int i = 0; i < nr_pieces; i++) {
		const struct piece *p = &pieces[i];
		void *copy;

		if (start < p->pa || start - p->pa > p->size || len > p->size - (start - p->pa))
			continue;
		copy = malloc(len);
		memcpy(copy, p->data + (start - p->pa), len);
		mappings[nr_mappings++] = copy;
		return copy;
	}
	return NULL;
}
