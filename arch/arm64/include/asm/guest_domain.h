/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a domain needs beyond struct domain: all guests' memory is translated by stage 2. Owned by arch/arm64/guest. */
#ifndef ASM_GUEST_DOMAIN_H
#define ASM_GUEST_DOMAIN_H

#include <tine/cpu.h>
#include <tine/grant.h>
#include <tine/p2m.h>
#include <tine/types.h>
#include <xen/hvm/params.h>

struct arch_domain {
	struct p2m p2m;
	u32 vmid; /* guest/vmid.c: if it is of the present generation */
	u64 vmid_generation;
	u64 count_offset; /* what its virtual count is behind the physical one */
	u64 ram_end;      /* guest-physical; RAM starts at GUEST_RAM */
	u32 gicd_ctlr;    /* as the guest last wrote it; atomic */
	u64 params[HVM_NR_PARAMS];
	unsigned long placed
		[1 +
		 GRANT_FRAMES_MAX]; /* where shared info and grant frames are, gfn + 1; d->lock */
	u8 last_vcpu
		[MAX_CPUS]; /* that ran there, id + 1: another one may use the same ASIDs otherwise */
};

#endif
