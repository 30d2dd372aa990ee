/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C string functions that Tine uses, with their standard meaning, and bounded formatting. In host tests the C
 * library provides the mem* and str* ones; the others are lib/string.c and lib/format.c there as well.
 */
#ifndef TINE_STRING_H
#define TINE_STRING_H

#include <stdarg.h>
#include <tine/compiler.h>
#include <tine/types.h>

void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);

/* Copies at most SIZE - 1 bytes and always ends DST with NUL (SIZE > 0). Returns strlen(SRC): >= SIZE means cut. */
size_t str_copy(char *dst, const char *src, size_t size);

/*
 * Formats like C99's snprintf: always NUL-ended when SIZE > 0, returns what the whole would take. Knows %d %i %u %x %X
 * %o %c %s %p %% with flags '-', '0', '#', '+', ' ', width and precision (also '*') and the sizes hh h l ll z t.
 * %pM, %pG, %pP are not extensions here: print a boxed number with %lx and its _x().
 */
int tine_snprintf(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
int tine_vsnprintf(char *buf, size_t size, const char *fmt, va_list args) __printf(3, 0);

/*
 * Reads an unsigned number in BASE (0: by prefix 0x or 0, else decimal) at *TEXT and moves *TEXT behind it.
 * 0, -EINVAL when there is no digit, -ERANGE when it does not fit (then *TEXT is behind all digits).
 */
int str_to_ulong(const char **text, unsigned int base, unsigned long *out) __must_check;

/* As str_to_ulong, with an optional suffix K, M, G or T (either case, powers of 1024); without one the unit is UNIT bytes. */
int str_to_size(const char **text, unsigned long unit, unsigned long *out) __must_check;

#endif
