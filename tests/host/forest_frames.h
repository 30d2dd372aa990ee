/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the forest's frames are, kept apart from struct page: forest.c does, forest_audit.c compares. */
#ifndef HOST_FOREST_FRAMES_H
#define HOST_FOREST_FRAMES_H

#include "forest.h"

#define OWNER_NONE 0
#define OWNER_COW 0xffff

extern u16 forest_owner[FOREST_FRAMES]; /* 1 + tree, OWNER_* */
extern unsigned long forest_nr_cow;
extern unsigned long forest_hoarded; /* frames: forest_hunger.c */

/* Frames that are gone from the heap since forest_start(), but for hoarded ones. */
unsigned long forest_used(void);

#endif
