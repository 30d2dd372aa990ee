/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host_unpack.c: what tests of boot/unpack.c may set and look at. */
#ifndef HOST_UNPACK_H
#define HOST_UNPACK_H

#include <stddef.h>

extern size_t host_extent_limit;  /* no more than this in one piece */
extern unsigned int host_extents; /* that are not freed */

#endif
