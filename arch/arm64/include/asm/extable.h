/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tine/extable.h needs of arm64: an abort that the hypervisor takes at FROM continues at TO. */
#ifndef ASM_EXTABLE_H
#define ASM_EXTABLE_H

#include <tine/extable.h>

#ifndef __ASSEMBLER__
DECLARE_PERCPU(u64,
	       arm64_fixup_esr); /* what happened at FROM; good at TO until interrupts may come */
#endif

#endif
