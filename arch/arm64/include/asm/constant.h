/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants of 64 bits that C and assembly share. */
#ifndef ASM_CONSTANT_H
#define ASM_CONSTANT_H

#ifdef __ASSEMBLER__
#define ARM64_UL(n) n
#else
#define ARM64_UL(n) n##UL
#endif

#endif
