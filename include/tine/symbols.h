/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the image's functions, for backtraces. The table is made from the linked image (tools/build/symbols.awk). */
#ifndef TINE_SYMBOLS_H
#define TINE_SYMBOLS_H

#include <tine/types.h>

/* The function that holds ADDRESS and the distance from its start; NULL when ADDRESS is not in the image's text. */
const char *symbol_lookup(unsigned long address, unsigned long *offset);

#endif
