/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Device registers: BASE is what arm64_map_device() returned. Accesses to one device stay in order, as its memory is Device nGnRE; where a device and
 * memory must be seen in order, the caller has a barrier.
 */
#ifndef ASM_IO_H
#define ASM_IO_H

#include <tine/types.h>

#define DEFINE_REGISTER_ACCESS(bits, size)                                                         \
	static inline u##bits read##bits(const volatile void *base, unsigned long offset)          \
	{                                                                                          \
		u##bits value;                                                                     \
                                                                                                   \
		__asm__ volatile("ldr" size ", %1"                                                 \
				 : "=r"(value)                                                     \
				 : "Q"(*(const volatile u##bits *)((uintptr_t)base + offset)));    \
		return value;                                                                      \
	}                                                                                          \
	static inline void write##bits(volatile void *base, unsigned long offset, u##bits value)   \
	{                                                                                          \
		__asm__ volatile("str" size ", %1"                                                 \
				 :                                                                 \
				 : "r"(value),                                                     \
				   "Q"(*(volatile u##bits *)((uintptr_t)base + offset))            \
				 : "memory");                                                      \
	}

/* One load or store with a plain address: a hypervisor below us can tell what it was. */
DEFINE_REGISTER_ACCESS(8, "b %w0")
DEFINE_REGISTER_ACCESS(32, " %w0")
DEFINE_REGISTER_ACCESS(64, " %x0")

#undef DEFINE_REGISTER_ACCESS
#endif
