/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the image was entered, and where it is linked to load: shared by head.S, the linker script
 * and C.
 */
#ifndef ASM_START_PROTOCOL_H
#define ASM_START_PROTOCOL_H

#define PROTOCOL_MULTIBOOT2 1
#define PROTOCOL_PVH 2

#define IMAGE_LOAD_PADDR 0x200000

#endif
