// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ways a machine ends: PSCI's system off or reset, or a halt. PSCI has no room for a verdict, so it is a line of its own, which tools/tine takes as
 * the word on success; a reset is never one.
 */
#include <asm/gic.h>
#include <asm/pl011.h>
#include <asm/power.h>
#include <asm/psci.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/printk.h>

bool arm64_stopping;

void arch_halt(void)
{
	local_irq_disable();
	for (;;)
		__asm__ volatile("wfi");
}

/* WFI ends when an interrupt is pending, masked or not; so none that comes before it is lost. */
void arch_idle(void)
{
	dsb_sy();
	__asm__ volatile("wfi" ::: "memory");
	local_irq_enable();
	isb();
}

bool arm64_stop_handler(u32 intid)
{
	if (arm64_stopping)
		arch_halt();
	return true;
}

void arch_stop_others(void)
{
	unsigned int cpu;

	pl011_last_resort();
	arm64_stopping = true;
	for_each_online_cpu (cpu)
		if (cpu != smp_processor_id())
			gic_send_sgi(cpu, SGI_STOP);
}

void arch_poweroff(bool success)
{
	local_irq_disable();
	printk_always("Power off: %s", success ? "success" : "failure");
	psci_system_off();
	printk_always("This machine cannot be switched off by software. Halted.");
	arch_stop_others();
	arch_halt();
}

void arch_reboot(void)
{
	local_irq_disable();
	psci_system_reset();
	printk_always("This machine cannot be restarted by software. Halted.");
	arch_halt();
}

void arch_panic_end(void)
{
	printk_always("Rebooting.");
	arch_reboot();
}
