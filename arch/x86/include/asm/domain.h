/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A domain on x86. */
#ifndef ASM_DOMAIN_H
#define ASM_DOMAIN_H

#include <asm/pv_domain.h>  /* struct pv_domain */
#include <asm/svm_domain.h> /* struct svm_domain */
#include <tine/types.h>

struct arch_domain {
	struct pv_domain pv;
	struct svm_domain svm;
	/* msr_policy.c: when a line last told of a register that it does not have, and how many it was not told of since; atomic */
	stime_t msr_told;
	u32 msrs_untold;
};

#endif
