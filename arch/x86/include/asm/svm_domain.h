/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PVH domain needs beyond struct domain. Owned by arch/x86/svm; lasts as long as the structure, since others may hold a reference on it. */
#ifndef ASM_SVM_DOMAIN_H
#define ASM_SVM_DOMAIN_H

#include <tine/grant.h>
#include <tine/p2m.h>
#include <xen/hvm/params.h>

struct svm_domain {
	struct p2m p2m;
	u64 flushes; /* of its translations, so far; atomic */
	u8 callback_vector;
	bool told_of_breakpoints; /* a line about them was said; atomic */
	u64 params[HVM_NR_PARAMS];
	/* Where shared info and the grant table's frames are, 1 + gfn, 0: nowhere. The domain's lock. */
	unsigned long placed[1 + GRANT_FRAMES_MAX];
	/*
	 * RAM is [0, low_end), the builder's pages go on to low_top; and more RAM is from 4 GiB to
	 * high_end, 0: none.
	 */
	unsigned long low_end, low_top, high_end;
};

#endif
