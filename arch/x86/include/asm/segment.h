/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selectors and the reserved page of every GDT. A PV guest's own descriptors are entries 0 .. 7167;
 * the page behind them, at selector 0xe000, is the same in the GDT of each CPU and of each vCPU,
 * save for the TSS (only in a CPU's own: TR stays loaded) and the LDT (only in a vCPU's).
 */
#ifndef ASM_SEGMENT_H
#define ASM_SEGMENT_H

#define GDT_RESERVED 0xe000
#define GDT_RESERVED_ENTRIES 12
#define GDT_LIMIT (GDT_RESERVED + GDT_RESERVED_ENTRIES * 8 - 1)

#define SEL_HYPERVISOR_CS 0xe008
#define SEL_HYPERVISOR_DS 0xe010
#define SEL_GUEST_CS32 0xe023 /* the ABI's FLAT_RING3_CS32 ... */
#define SEL_GUEST_DS 0xe02b   /* ... FLAT_RING3_SS64 and DS32 */
#define SEL_GUEST_CS64 0xe033 /* ... FLAT_RING3_CS64; SYSRET forms it from STAR as base + 16 */
#define SEL_TSS 0xe040        /* 16 bytes */
#define SEL_LDT 0xe050        /* 16 bytes */

#define DESC_HYPERVISOR_CS 0x00af9b000000ffffUL
#define DESC_HYPERVISOR_DS 0x00cf93000000ffffUL
#define DESC_GUEST_CS32 0x00cffb000000ffffUL
#define DESC_GUEST_DS 0x00cff3000000ffffUL
#define DESC_GUEST_CS64 0x00affb000000ffffUL

#endif
