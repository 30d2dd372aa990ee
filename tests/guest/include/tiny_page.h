/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single pages from ranges that the platform gave at start. */
#ifndef TINY_PAGE_H
#define TINY_PAGE_H

#include "tiny_types.h"

void page_add_range(void *start, void *end);

/* A zeroed page. Running out ends the guest with a message: no test can do without. */
void *page_alloc(void);
void page_free(void *page);
size_t page_free_count(void);

#endif
