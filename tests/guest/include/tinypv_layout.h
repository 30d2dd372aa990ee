/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the PV kernel lives. For C, assembly and the linker script: plain numbers only. */
#ifndef TINYPV_LAYOUT_H
#define TINYPV_LAYOUT_H

#define TINY_VIRT_BASE 0xffffffff80000000 /* of guest frame 0 */
#define TINY_LOAD_OFFSET 0x100000
#define TINY_STACK_SIZE 0x8000
#define TINY_ARENA_SIZE 0x300000 /* pages to hand out, whatever the builder maps beyond */

/* User programs run here, in page tables of their own. */
#define TINY_USER_CODE 0x400000
#define TINY_USER_DATA 0x401000
#define TINY_USER_STACK_TOP 0x403000

/* The machine-to-frame table that the hypervisor shows every PV guest (abi page 5.2). */
#define TINY_M2P 0xffff800000000000

#endif
