/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PV domain needs beyond struct domain. Owned by arch/x86/pv. */
#ifndef ASM_PV_DOMAIN_H
#define ASM_PV_DOMAIN_H

#include <tine/types.h>

struct pv_domain {
	mfn_t perdomain_l3; /* what slot 258 of each of its top-level tables points to */
};

#endif
