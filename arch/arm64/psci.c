// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Firmware's power interface, PSCI 0.2 and up (DEN 0022), called by SMC as the SMC calling convention has it (DEN 0028): function in w0, arguments
 * from x1 on, x0 to x17 not kept. By HVC there is nobody to call: that would be ourselves.
 */
#include <asm/platform.h>
#include <asm/psci.h>
#include <tine/errno.h>
#include <tine/printk.h>

#define PSCI_VERSION 0x84000000UL
#define PSCI_CPU_ON 0xc4000003UL
#define PSCI_SYSTEM_OFF 0x84000008UL
#define PSCI_SYSTEM_RESET 0x84000009UL

#define PSCI_INVALID_PARAMETERS (-2)
#define PSCI_ALREADY_ON (-4)
#define PSCI_ON_PENDING (-5)

static long smc(u64 function, u64 a1, u64 a2, u64 a3)
{
	register u64 x0 __asm__("x0") = function;
	register u64 x1 __asm__("x1") = a1;
	register u64 x2 __asm__("x2") = a2;
	register u64 x3 __asm__("x3") = a3;

	__asm__ volatile("smc #0"
			 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
			 :
			 : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			   "x15", "x16", "x17", "memory");
	return (long)x0;
}

void psci_init(void)
{
	long version;

	if (!arm64_platform.psci_smc) {
		pr_warn("PSCI: %s: other CPUs stay off, and the machine cannot be switched off",
			arm64_platform.psci_hvc
				? "the device tree has it called by HVC, which ends here"
				: "the device tree has none");
		return;
	}
	version = smc(PSCI_VERSION, 0, 0, 0);
	pr_info("PSCI: version %lu.%lu, by SMC", version >> 16 & 0x7fff, version & 0xffff);
}

int psci_cpu_on(u64 mpidr, paddr_t entry, u64 context)
{
	if (!arm64_platform.psci_smc)
		return -ENODEV;
	switch ((int)smc(PSCI_CPU_ON, mpidr, paddr_x(entry), context)) {
	case 0:
		return 0;
	case PSCI_INVALID_PARAMETERS:
		return -EINVAL;
	case PSCI_ALREADY_ON:
	case PSCI_ON_PENDING:
		return -EEXIST;
	default:
		return -EIO;
	}
}

void psci_system_off(void)
{
	if (arm64_platform.psci_smc)
		(void)smc(PSCI_SYSTEM_OFF, 0, 0, 0);
}

void psci_system_reset(void)
{
	if (arm64_platform.psci_smc)
		(void)smc(PSCI_SYSTEM_RESET, 0, 0, 0);
}
