/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Firmware calls: PSCI (DEN 0022) by SMC. */
#ifndef ASM_PSCI_H
#define ASM_PSCI_H

#include <tine/compiler.h>
#include <tine/types.h>

/* Asks its version and says it in a line. Without firmware, the functions below return. */
void psci_init(void);
/* Firmware starts the CPU of that MPIDR at ENTRY, MMU off, at EL2, with CONTEXT in x0. 0, -ENODEV, -EINVAL, -EEXIST (on already), -EIO. */
int psci_cpu_on(u64 mpidr, paddr_t entry, u64 context) __must_check;
void psci_system_off(void);
void psci_system_reset(void);

#endif
