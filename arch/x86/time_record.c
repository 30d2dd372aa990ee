// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clock as a PV or PVH guest computes it (ABI page 2, vcpu_time_info): the scale of
 * system_time() from a base that is now.
 */
#include <tine/arch.h>
#include <xen/xen.h>
#include <asm/time.h>

void arch_time_record(struct vcpu_time_info *rec)
{
	u64 tsc = rdtsc();

	rec->tsc_timestamp = tsc;
	rec->system_time = (u64)tsc_to_stime(tsc);
	rec->tsc_to_system_mul = tsc_scale.mul;
	rec->tsc_shift = tsc_scale.shift;
	rec->flags = 0;
}
