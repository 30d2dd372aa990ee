/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that C and assembly of the arm64 guest share. System registers: DDI 0487, D17.2. */
#ifndef TINYARM_LAYOUT_H
#define TINYARM_LAYOUT_H

#define TINYARM_STACK 16384
#define TINYARM_FRAME 272
#define TINYARM_ARENA 0x80000 /* pages for page_alloc() */

/* Attribute 0: normal memory, write-back; 1: device nGnRE. */
#define TINYARM_MAIR 0x04ff
/* 39 bits through TTBR0 from level 1, 4 KiB, walks write-back and inner shareable; nothing through TTBR1; 40 bits of physical address. */
#define TINYARM_TCR (25 | 1 << 8 | 1 << 10 | 3 << 12 | 1 << 23 | 2 << 32)
/* The ones that must be, MMU, data and instruction caches. */
#define TINYARM_SCTLR (0x30d00800 | 1 | 1 << 2 | 1 << 12)
#define TINYARM_CPACR (3 << 20) /* floating point does not trap */

#endif
