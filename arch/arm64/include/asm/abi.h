/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the public ABI differs by architecture, and generic code has to know: arm64. */
#ifndef ASM_ABI_H
#define ASM_ABI_H

#include <asm/memory.h>
#include <asm/regs.h>
#include <tine/types.h>
#include <xen/xen.h>

#define ABI_CAPABILITIES "xen-3.0-aarch64 "
#define ABI_MACHPHYS_START 0UL /* guests see no machine frame numbers */

/* XENFEAT_* of a guest whose memory is translated, beyond what all have. */
#define ABI_TRANSLATED_FEATURES BIT(XENFEAT_ARM_SMCCC_supported)

/* There are no guests that count their frames themselves. */
static inline unsigned long shared_info_pfns(const shared_info_t *info)
{
	return 0;
}

/* What a domain is when nobody says, and what the initial domain is: all memory here is translated. */
#define ABI_USUAL_TYPE DOMAIN_PVH

/* Upcalls are an interrupt of the guest's controller, which masks it: the structure has no byte for it. */
static inline bool vcpu_info_masked(const vcpu_info_t *info)
{
	return false;
}

static inline void vcpu_info_set_mask(vcpu_info_t *info, bool masked)
{
}

/* What SCHEDOP_block opens besides: an upcall is an interrupt, and these are taken again (as on Xen). */
#define ABI_PSTATE_IRQ (1UL << 7)
static inline void abi_block_unmasks(struct cpu_regs *regs)
{
	regs->pstate &= ~ABI_PSTATE_IRQ;
}

#endif
