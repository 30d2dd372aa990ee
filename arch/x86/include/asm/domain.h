/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A domain on x86. */
#ifndef ASM_DOMAIN_H
#define ASM_DOMAIN_H

#include <asm/pv_domain.h> /* struct pv_domain */

struct svm_domain;

struct arch_domain {
	struct pv_domain pv;
	struct svm_domain *svm; /* a PVH guest's; arch/x86/svm/internal.h */
};

#endif
