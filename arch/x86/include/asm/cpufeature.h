/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPU 0 can do, read once at start of day; other CPUs are expected to match. */
#ifndef ASM_CPUFEATURE_H
#define ASM_CPUFEATURE_H

#include <tine/types.h>

enum x86_vendor { VENDOR_INTEL, VENDOR_AMD, VENDOR_OTHER };

struct x86_features {
	enum x86_vendor vendor;
	unsigned int family, model, stepping;
	unsigned int phys_bits;
	bool rdtscp, nx, gib_pages, smep, smap, fsgsbase, xsave, tsc_deadline, invariant_tsc;
	bool x87_pointers_stay; /* FXRSTOR does not always load them; see pv/fpu.c */
	bool qemu_tcg;          /* the machine is QEMU's translator, not a CPU */
	bool hypervisor;        /* some hypervisor is below us */
	u64 xcr0;               /* states that are enabled; 0 without XSAVE */
	u64 cr4;                /* as every CPU sets it */
};

extern struct x86_features x86_cpu;

struct cpuid_regs {
	u32 eax, ebx, ecx, edx;
};

static inline struct cpuid_regs cpuid(u32 leaf, u32 subleaf)
{
	struct cpuid_regs r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(subleaf));
	return r;
}

void x86_features_detect(void); /* fills x86_cpu; before the command line is known */
void x86_features_log(void); /* one line about the CPU; settles what options may change (smap=) */
void x86_features_enable(void); /* control registers, EFER and PAT of the CPU that calls */

#endif
