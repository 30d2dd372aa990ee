/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation for the decompression libraries, by the names that they call. */
#ifndef BOOT_UNPACK_LIBC_H
#define BOOT_UNPACK_LIBC_H

#include <tine/types.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *at);
void __stack_chk_fail(void) __attribute__((noreturn));

#endif
