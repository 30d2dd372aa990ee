/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A physical memory for tests of code that uses x86_boot_map(): pieces that the test places. Each mapping is a copy of
 * exactly the bytes asked for, in heap memory of its own, so that the address sanitizer sees the first byte too far.
 */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include <tine/types.h>

void fake_memory_reset(void); /* no memory anywhere; earlier mappings are gone */

/* SIZE bytes at PA, copied from DATA (NULL: zeros). Returns them, to be changed in place until the next reset. */
u8 *fake_memory_add(u64 pa, const void *data, size_t size);

#endif
