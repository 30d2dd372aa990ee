/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the public ABI differs by architecture, and generic code has to know: x86. */
#ifndef ASM_ABI_H
#define ASM_ABI_H

#include <asm/memory.h>
#include <asm/regs.h>
#include <tine/types.h>
#include <xen/xen.h>

#define ABI_CAPABILITIES "xen-3.0-x86_64 "
#define ABI_MACHPHYS_START                                                                         \
	M2P_VIRT_START /* the table of XENMEM_machphys_mapping; 0: there is none */

/* XENFEAT_* of a guest whose memory is translated, beyond what all have. */
#define ABI_TRANSLATED_FEATURES (BIT(XENFEAT_hvm_callback_vector) | BIT(XENFEAT_hvm_safe_pvclock))

/* What a domain is when nobody says, and what the initial domain is. */
#define ABI_USUAL_TYPE DOMAIN_PV

/* How many frames a PV guest counts, as it says itself. */
static inline unsigned long shared_info_pfns(const shared_info_t *info)
{
	return info->arch.max_pfn;
}

static inline bool vcpu_info_masked(const vcpu_info_t *info)
{
	return info->evtchn_upcall_mask;
}

static inline void vcpu_info_set_mask(vcpu_info_t *info, bool masked)
{
	*(volatile u8 *)&info->evtchn_upcall_mask = masked;
}

/* The mask above is all that SCHEDOP_block opens. */
static inline void abi_block_unmasks(struct cpu_regs *regs)
{
}

#endif
