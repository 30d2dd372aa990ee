/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a domain needs beyond struct domain. Owned by arch/arm64/guest. */
#ifndef ASM_GUEST_DOMAIN_H
#define ASM_GUEST_DOMAIN_H

#include <tine/types.h>

struct arch_domain {
	bool none; /* there are no guests yet */
};

#endif
