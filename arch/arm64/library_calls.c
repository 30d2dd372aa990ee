// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place where code compiled for user space may run inside the hypervisor: it uses floating-point registers, which hold a guest's values, so they are
 * put aside; its stack guard is a word of ours that never changes. Boot CPU only, one at a time.
 */
#include <asm/fp.h>
#include <asm/irqflags.h>
#include <tine/arch.h>
#include <tine/crc32.h>

unsigned long
	__stack_chk_guard; /* what the libraries compare; __stack_chk_fail() is in boot/unpack_libc.c */

static struct arm64_fp fp;

unsigned long arch_library_begin(void)
{
	unsigned long flags = local_irq_save();

	arm64_fp_save(&fp);
	return flags;
}

void arch_library_end(unsigned long flags)
{
	arm64_fp_load(&fp);
	local_irq_restore(flags);
}

u32 arch_crc32(u32 state, const void *data, size_t n)
{
	return crc32_update(state, data, n);
}

/* Kernels for x86 are not unpacked here but by mistake. */
size_t arch_no_branch(const u8 *data, size_t n)
{
	return 0;
}
