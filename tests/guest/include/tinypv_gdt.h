/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own GDT: one read-only page, changed by update_descriptor only. */
#ifndef TINYPV_GDT_H
#define TINYPV_GDT_H

#include "tiny_types.h"

#define GDT_ENTRIES 16
#define GDT_CODE64 2
#define GDT_DATA 3
#define GDT_CODE32 4
#define GDT_TLS 12 /* to 14, where Linux has them */
#define GDT_TLS_COUNT 3

/* The hypervisor's own entries begin here (abi page 5.1). */
#define GDT_RESERVED 7168

#define SELECTOR(index) ((index) << 3 | 3)

#define DESC_CODE64 0x00af9b000000fffful
#define DESC_CODE32 0x00cf9b000000fffful
#define DESC_DATA 0x00cf93000000fffful
#define DESC_DPL3 0x0000600000000000ul

/*
 * Makes the kernel's GDT the one in use, whatever a test had put in its place; -errno from the
 * hypervisor.
 */
int __must_check gdt_init(void);

const uint64_t *gdt_page(void);
uint64_t gdt_machine_address(unsigned int index);

/*
 * A 32-bit data segment as thread-local storage has it: byte granular up to 1 MiB, ring 3,
 * writable, not yet accessed.
 */
static inline uint64_t gdt_data_descriptor(uint32_t base, uint32_t limit)
{
	return (limit & 0xffff) | (uint64_t)(base & 0xffffff) << 16 | 0xf2ul << 40 |
	       (uint64_t)(limit >> 16 & 0xf) << 48 | 0x5ul << 52 | (uint64_t)(base >> 24) << 56;
}

static inline uint64_t gdt_limit(unsigned int selector)
{
	uint64_t limit = ~0ul;

	asm volatile("lsl %1, %0" : "+r"(limit) : "r"((uint64_t)selector) : "cc");
	return limit;
}

#endif
