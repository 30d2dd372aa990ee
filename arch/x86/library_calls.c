// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place where code compiled for user space may run inside the hypervisor: it uses SSE registers,
 * which hold a guest's values, the 128 bytes below the stack pointer, where an interrupt would push
 * its frame, and a guard word at offset 40 of FS, where a guest has its own data. Boot CPU only,
 * one at a time.
 */
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <tine/arch.h>
#include <tine/lib.h>

#define FXSAVE_SIZE 512

static u8 fpu_image[FXSAVE_SIZE] __aligned(16);
static u64 guard_page[8];
static u64 saved_fs_base, saved_cr0;

unsigned long arch_library_begin(void)
{
	unsigned long flags = local_irq_save();

	saved_cr0 = x86_read_cr0();
	saved_fs_base = x86_rdmsr(MSR_FS_BASE);
	__asm__ volatile("clts\n"
			 "fxsaveq (%0)"
			 :
			 : "r"(fpu_image)
			 : "memory");
	x86_wrmsr(MSR_FS_BASE, (u64)guard_page);
	return flags;
}

void arch_library_end(unsigned long flags)
{
	x86_wrmsr(MSR_FS_BASE, saved_fs_base);
	__asm__ volatile("fxrstorq (%0)" : : "r"(fpu_image) : "memory");
	if (saved_cr0 & CR0_TS)
		x86_write_cr0(saved_cr0);
	local_irq_restore(flags);
}
