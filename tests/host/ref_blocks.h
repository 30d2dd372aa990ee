/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What free lists must look like, found another way than the heap's: from the top down. A block is on a list if all its frames are
 * free and of one node, and its parent's are not.
 */
#ifndef REF_BLOCKS_H
#define REF_BLOCKS_H

#include <tine/bootmem.h>
#include <tine/heap.h>

struct ref_set {
	unsigned long count, room;
	struct heap_block *block; /* sorted by frame number */
};

/* Blocks that the free frames in the sorted RANGES must form; their nodes come from NODE_OF and NODE_END. */
void ref_expect(struct ref_set *set, const struct mfn_range *ranges, unsigned int n,
		nodeid_t (*node_of)(mfn_t), mfn_t (*node_end)(mfn_t));

/* The blocks on the heap's lists. */
void ref_actual(struct ref_set *set);

/* Fails the test, naming the first difference. */
void ref_assert_equal(const struct ref_set *expected, const struct ref_set *actual,
		      const char *what);

void ref_free(struct ref_set *set);

#endif
