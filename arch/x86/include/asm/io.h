/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O ports, and device registers in memory. */
#ifndef ASM_IO_H
#define ASM_IO_H

#include <tine/types.h>

static inline u8 inb(u16 port)
{
	u8 v;

	__asm__ volatile("inb %1, %0" : "=a"(v) : "Nd"(port));
	return v;
}

static inline u16 inw(u16 port)
{
	u16 v;

	__asm__ volatile("inw %1, %0" : "=a"(v) : "Nd"(port));
	return v;
}

static inline u32 inl(u16 port)
{
	u32 v;

	__asm__ volatile("inl %1, %0" : "=a"(v) : "Nd"(port));
	return v;
}

static inline void outb(u16 port, u8 v)
{
	__asm__ volatile("outb %0, %1" : : "a"(v), "Nd"(port));
}

static inline void outw(u16 port, u16 v)
{
	__asm__ volatile("outw %0, %1" : : "a"(v), "Nd"(port));
}

static inline void outl(u16 port, u32 v)
{
	__asm__ volatile("outl %0, %1" : : "a"(v), "Nd"(port));
}

/* One 32-bit access each, in program order: the mappings of devices are uncached. */
static inline u32 mmio_read32(const volatile void *reg)
{
	return *(const volatile u32 *)reg;
}

static inline void mmio_write32(volatile void *reg, u32 v)
{
	*(volatile u32 *)reg = v;
}

#endif
