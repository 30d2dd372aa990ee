/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small parser with planted bugs: what `tools/tine demo fuzz` looks for bugs in. */
#ifndef NOTES_PARSER_H
#define NOTES_PARSER_H

#include <stddef.h>

#define NOTES_BUGS 6

extern unsigned char notes_chunk; /* type of the chunk that is looked at: where a crash was */
extern unsigned int notes_seen;   /* a bit for each place in the parser that it has reached */
extern unsigned int notes_result; /* what it read, if anybody asks */

/* Before the first: the buffer whose end is watched. -1: no memory. */
int notes_init(void);

/* 0: a good file. -1: a bad one. There should be no third way. */
int notes_parse(const unsigned char *data, size_t size);

#endif
