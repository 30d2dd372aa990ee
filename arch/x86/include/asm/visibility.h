/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Included first into every C file (arch/x86/objs.mk): all symbols are the image's own, so that position-independent
 * code reaches them relative to RIP and not through a global offset table. The image lives outside the top 2 GiB, where
 * the compiler's other code models do not reach.
 */
#pragma GCC visibility push(hidden)
