/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where guests with the word `equal` have pages that hold the same in all of them, for the word `sharing`. */
#ifndef TINY_EQUAL_H
#define TINY_EQUAL_H

#define EQUAL_GFN 0x800ul
#define EQUAL_PAGES 600ul /* some in a large leaf, some not */

#endif
