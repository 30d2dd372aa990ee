/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a vCPU needs beyond its registers. Owned by arch/arm64/guest. */
#ifndef ASM_GUEST_VCPU_H
#define ASM_GUEST_VCPU_H

#include <tine/types.h>

struct guest_vcpu {
	bool none; /* there are no guests yet */
};

#endif
