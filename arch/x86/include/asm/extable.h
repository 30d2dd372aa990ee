/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tine/extable.h needs of x86: a #PF, #GP, #NP or #SS that the hypervisor takes at FROM continues
 * at TO.
 */
#ifndef ASM_EXTABLE_H
#define ASM_EXTABLE_H

#include <tine/extable.h>

#ifndef __ASSEMBLER__
/* What happened at FROM; good at TO until interrupts may come. */
DECLARE_PERCPU(u32, x86_fixup_vector);
DECLARE_PERCPU(u32, x86_fixup_error_code);
#endif

#endif
