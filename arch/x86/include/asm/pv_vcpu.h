/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PV vCPU needs beyond struct vcpu. Owned by arch/x86/pv. */
#ifndef ASM_PV_VCPU_H
#define ASM_PV_VCPU_H

#include <tine/types.h>

struct pv_vcpu {
	bool kernel_mode; /* else it runs on the user page tables */
};

#endif
