/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug registers (AMD APM vol. 2, 13.1.1). */
#ifndef ASM_DEBUGREG_H
#define ASM_DEBUGREG_H

#include <tine/types.h>

#define DR_ADDRESSES 4

#define DR6_BS 0x4000UL       /* a single step */
#define DR6_NONE 0xffff0ff0UL /* with the bits that always read as 1, as DR7_NONE */

#define DR7_NONE 0x400UL
#define DR7_ENABLES 0xffUL
#define DR7_RESERVED_ZEROS 0xffffffff0000d800UL
#define DR7_GD 0x2000UL /* any access to a debug register faults */

static inline void x86_read_dr(u64 dr[DR_ADDRESSES])
{
	__asm__ volatile("mov %%db0, %0\n"
			 "mov %%db1, %1\n"
			 "mov %%db2, %2\n"
			 "mov %%db3, %3"
			 : "=r"(dr[0]), "=r"(dr[1]), "=r"(dr[2]), "=r"(dr[3]));
}

static inline void x86_write_dr(const u64 dr[DR_ADDRESSES])
{
	__asm__ volatile("mov %0, %%db0\n"
			 "mov %1, %%db1\n"
			 "mov %2, %%db2\n"
			 "mov %3, %%db3"
			 :
			 : "r"(dr[0]), "r"(dr[1]), "r"(dr[2]), "r"(dr[3]));
}

static inline void x86_write_dr7(u64 value)
{
	__asm__ volatile("mov %0, %%db7" : : "r"(value));
}

#endif
