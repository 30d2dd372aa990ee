// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ways a machine ends: QEMU's isa-debug-exit device with a verdict, ACPI soft-off, the several
 * resets, or a halt. Each falls through to the next when the machine is still there.
 */
#include <asm/acpi.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/io.h>
#include <asm/power.h>
#include <asm/time.h>
#include <tine/arch.h>
#include <tine/printk.h>

#define QEMU_EXIT_PORT 0xf4 /* the process ends with status 2 * value + 1 */
#define QEMU_EXIT_SUCCESS 0x10
#define QEMU_EXIT_FAILURE 0x11

#define FW_CFG_SELECT 0x510
#define FW_CFG_DATA 0x511

#define ACPI_SLP_EN (1U << 13)
#define ACPI_SCI_EN 1U

#define KEYBOARD_STATUS 0x64
#define KEYBOARD_PULSE_RESET 0xfe
#define RESET_CONTROL 0xcf9
#define RESET_FULL 0x0e

bool x86_stopping;

void arch_halt(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

void arch_idle(void)
{
	__asm__ volatile("sti; hlt"
			 :
			 :
			 : "memory"); /* STI holds interrupts off for one instruction */
}

void arch_stop_others(void)
{
	x86_console_last_resort();
	x86_stopping = true;
	apic_send_nmi_to_others();
}

/* fw_cfg's signature, asked only below a hypervisor: on hardware the port may be anything. */
static bool is_qemu(void)
{
	static const char signature[4] = { 'Q', 'E', 'M', 'U' };

	if (x86_cpu.qemu_tcg)
		return true;
	if (!x86_cpu.hypervisor)
		return false;
	outw(FW_CFG_SELECT, 0);
	for (unsigned int i = 0; i < sizeof(signature); i++)
		if (inb(FW_CFG_DATA) != (u8)signature[i])
			return false;
	return true;
}

static void qemu_exit(bool success)
{
	if (is_qemu())
		outl(QEMU_EXIT_PORT, success ? QEMU_EXIT_SUCCESS : QEMU_EXIT_FAILURE);
}

static void wait_a_moment(void)
{
	for (unsigned int i = 0; i < 1000000; i++)
		(void)inb(KEYBOARD_STATUS);
}

static void acpi_soft_off(void)
{
	u16 pm1a = x86_acpi.pm1a_control, pm1b = x86_acpi.pm1b_control;

	if (!x86_acpi.s5_known || !pm1a)
		return;
	if (x86_acpi.smi_command && !(inw(pm1a) & ACPI_SCI_EN)) {
		outb((u16)x86_acpi.smi_command, x86_acpi.acpi_enable);
		for (unsigned int i = 0; i < 100000 && !(inw(pm1a) & ACPI_SCI_EN); i++)
			;
	}
	outw(pm1a, (u16)(x86_acpi.slp_typ_a << 10 | ACPI_SLP_EN));
	if (pm1b)
		outw(pm1b, (u16)(x86_acpi.slp_typ_b << 10 | ACPI_SLP_EN));
	wait_a_moment();
}

void arch_poweroff(bool success)
{
	local_irq_disable();
	qemu_exit(success);
	acpi_soft_off();
	printk_always("This machine cannot be switched off by software. Halted.");
	arch_stop_others();
	arch_halt();
}

static void reset_by_acpi(void)
{
	if (x86_acpi.reset_known && x86_acpi.reset.space == ACPI_SPACE_IO) {
		outb((u16)x86_acpi.reset.address, x86_acpi.reset_value);
		wait_a_moment();
	}
}

static void triple_fault(void)
{
	struct {
		u16 words[5];
	} none = { { 0 } };

	__asm__ volatile("lidt %0; int3" : : "m"(none));
}

void arch_reboot(void)
{
	local_irq_disable();
	reset_by_acpi();
	outb(KEYBOARD_STATUS, KEYBOARD_PULSE_RESET);
	wait_a_moment();
	outb(RESET_CONTROL, RESET_FULL);
	wait_a_moment();
	triple_fault();
	arch_halt();
}

void arch_panic_end(void)
{
	qemu_exit(false);
	printk_always("Rebooting.");
	arch_reboot();
}
