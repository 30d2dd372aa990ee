// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which features the CPU has, which of them are used, and the control registers that follow.
 * x86_cpu is written at start of day only.
 *
 * QEMU's translator has two traps (abi/00 2, abi/11): with CR4.SMAP set it refuses the stack
 * accesses of an IRET at ring 3, which PV kernels execute; so SMAP is off there unless smap=1
 * insists. And a CR4 bit that the CPU lacks leads to wild behaviour rather than a fault; nothing is
 * set here that CPUID does not name.
 */
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/usercopy.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/string.h>

struct x86_features x86_cpu;

static enum { SMAP_AUTO, SMAP_OFF, SMAP_ON } opt_smap;

static int parse_smap(const char *value)
{
	if (!strcmp(value, "") || !strcmp(value, "1") || !strcmp(value, "on") ||
	    !strcmp(value, "yes") || !strcmp(value, "true"))
		opt_smap = SMAP_ON;
	else if (!strcmp(value, "0") || !strcmp(value, "off") || !strcmp(value, "no") ||
		 !strcmp(value, "false"))
		opt_smap = SMAP_OFF;
	else
		return -EINVAL;
	return 0;
}
CMDLINE_CUSTOM_OPTION("smap", smap, parse_smap);

static void detect_identity(void)
{
	struct cpuid_regs r = cpuid(0, 0);
	u32 name[3] = { r.ebx, r.edx, r.ecx };

	x86_cpu.vendor = VENDOR_OTHER;
	if (!memcmp(name, "GenuineIntel", 12))
		x86_cpu.vendor = VENDOR_INTEL;
	else if (!memcmp(name, "AuthenticAMD", 12) || !memcmp(name, "HygonGenuine", 12))
		x86_cpu.vendor = VENDOR_AMD;

	r = cpuid(1, 0);
	x86_cpu.family = (r.eax >> 8) & 0xf;
	x86_cpu.model = ((r.eax >> 4) & 0xf) | ((r.eax >> 12) & 0xf0);
	x86_cpu.stepping = r.eax & 0xf;
	if (x86_cpu.family == 0xf)
		x86_cpu.family += (r.eax >> 20) & 0xff;
	x86_cpu.xsave = r.ecx & (1U << 26);
	x86_cpu.tsc_deadline = r.ecx & (1U << 24);
	x86_cpu.hypervisor = r.ecx & (1U << 31);
}

static void detect_below(void)
{
	struct cpuid_regs r;
	u32 name[3];

	if (!x86_cpu.hypervisor)
		return;
	r = cpuid(0x40000000, 0);
	name[0] = r.ebx;
	name[1] = r.ecx;
	name[2] = r.edx;
	x86_cpu.qemu_tcg = !memcmp(name, "TCGTCGTCGTCG", 12);
}

static void detect_extended(void)
{
	u32 max = cpuid(0x80000000, 0).eax;
	struct cpuid_regs r = cpuid(0x80000001, 0);

	x86_cpu.nx = r.edx & (1U << 20);
	x86_cpu.gib_pages = r.edx & (1U << 26);
	x86_cpu.rdtscp = r.edx & (1U << 27);
	x86_cpu.phys_bits = max >= 0x80000008 ? cpuid(0x80000008, 0).eax & 0xff : 36;
	x86_cpu.x87_pointers_stay = x86_cpu.vendor == VENDOR_AMD &&
				    (max < 0x80000008 || !(cpuid(0x80000008, 0).ebx & (1U << 2)));
	x86_cpu.invariant_tsc = max >= 0x80000007 && (cpuid(0x80000007, 0).edx & (1U << 8));
	if (cpuid(0, 0).eax >= 7) {
		r = cpuid(7, 0);
		x86_cpu.fsgsbase = r.ebx & (1U << 0);
		x86_cpu.smep = r.ebx & (1U << 7);
		x86_cpu.smap = r.ebx & (1U << 20);
	}
	if (x86_cpu.xsave) { /* x87, SSE and AVX, as far as they are there */
		r = cpuid(0xd, 0);
		x86_cpu.xcr0 = r.eax & 7;
	}
}

void x86_features_detect(void)
{
	detect_identity();
	detect_below();
	detect_extended();
	x86_cpu.cr4 = CR4_PAE | CR4_MCE | CR4_OSFXSR | CR4_OSXMMEXCPT;
	if (x86_cpu.smep)
		x86_cpu.cr4 |= CR4_SMEP;
	if (x86_cpu.fsgsbase)
		x86_cpu.cr4 |= CR4_FSGSBASE;
	if (x86_cpu.xsave)
		x86_cpu.cr4 |= CR4_OSXSAVE;
}

static void settle_smap(void)
{
	bool use = x86_cpu.smap && opt_smap != SMAP_OFF;

	if (opt_smap == SMAP_ON && !x86_cpu.smap)
		pr_warn("smap: this CPU does not have it");
	if (use && opt_smap == SMAP_AUTO && x86_cpu.qemu_tcg) {
		pr_info("SMAP is left off: QEMU's translator mistakes a PV guest's IRET for a "
			"violation");
		use = false;
	}
	x86_cpu.smap = use;
	if (!use)
		return;
	x86_smap_patch();
	x86_cpu.cr4 |= CR4_SMAP;
	x86_write_cr4(x86_cpu.cr4);
}

void x86_features_log(void)
{
	static const char *const vendors[] = { "Intel", "AMD", "other" };

	settle_smap();
	pr_info("CPU: %s family %#x model %#x stepping %u, %u physical address bits%s%s%s%s%s%s%s",
		vendors[x86_cpu.vendor], x86_cpu.family, x86_cpu.model, x86_cpu.stepping,
		x86_cpu.phys_bits, x86_cpu.nx ? ", NX" : "",
		x86_cpu.gib_pages ? ", 1 GiB pages" : "", x86_cpu.smep ? ", SMEP" : "",
		x86_cpu.smap ? ", SMAP" : "", x86_cpu.fsgsbase ? ", FSGSBASE" : "",
		x86_cpu.xsave ? ", XSAVE" : "", x86_cpu.qemu_tcg ? ", QEMU TCG" : "");
}

void x86_features_enable(void)
{
	u64 efer = x86_rdmsr(MSR_EFER) | EFER_SCE;

	x86_wrmsr(MSR_EFER, x86_cpu.nx ? efer | EFER_NXE : efer);
	x86_write_cr4(x86_cpu.cr4);
	if (x86_cpu.xsave)
		x86_xsetbv(0, x86_cpu.xcr0);
	x86_wrmsr(MSR_PAT, X86_PAT_VALUE);
}
