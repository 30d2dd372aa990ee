/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a freestanding program misses: memory and string functions, formatted output, the command
 * line, an end.
 */
#ifndef TINY_LIB_H
#define TINY_LIB_H

#include <stdarg.h>

#include "tiny_types.h"

void *memset(void *to, int byte, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

/*
 * Formats %c %s %d %i %u %x %p %% with `0`, `-`, a width, and the lengths l, ll and z. Always ends
 * `to` with NUL; returns what the whole text would have needed without it. An unknown conversion is
 * written out as it stands.
 */
int vsnprintf(char *to, size_t size, const char *format, va_list args);
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes to the hypervisor's console; a line longer than 400 characters is cut. */
void printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Does `line` hold `word` standing alone between blanks? */
bool cmdline_has_word(const char *line, const char *word);

/* What follows `key=` in `line`, up to the next blank or the end; NULL if it is not there. */
const char *cmdline_value(const char *line, const char *key);

/* The decimal number that follows `key=`, or USUAL if there is none. */
uint64_t cmdline_number(const char *line, const char *key, uint64_t usual);

/*
 * The guest's last line and its end: `tiny: RESULT success` and power off, or `tiny: RESULT failure
 * <why>` and a crash.
 */
void __noreturn tiny_succeed(void);
void __noreturn tiny_fail(const char *why, ...) __attribute__((format(printf, 1, 2)));

#endif
