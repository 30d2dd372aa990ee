/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nested page tables as a p2m: arch/x86/svm/npt_codec.c. */
#ifndef ASM_NPT_H
#define ASM_NPT_H

#include <tine/p2m.h>

extern const struct p2m_codec svm_npt_codec;

#endif
