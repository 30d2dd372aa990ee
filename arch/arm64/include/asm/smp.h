/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs by their affinity: MPIDR_EL1's four bytes packed into one word, level 3 on top (boot_cpu.hw_id). */
#ifndef ASM_SMP_H
#define ASM_SMP_H

#include <asm/sysreg.h>
#include <tine/cpu.h>

DECLARE_PERCPU(u32, cpu_hw_id);

static inline u64 arm64_mpidr_of(u32 hw_id)
{
	return (u64)(hw_id >> 24) << 32 | (hw_id & 0xffffff);
}

static inline u32 arm64_hw_id_of(u64 mpidr)
{
	return (u32)(mpidr >> 32 & 0xff) << 24 | (u32)(mpidr & 0xffffff);
}

static inline u32 arm64_own_hw_id(void)
{
	return arm64_hw_id_of(read_sysreg(mpidr_el1));
}

#endif
