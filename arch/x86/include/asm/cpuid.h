/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUID instruction and the feature bits that Tine looks at (Intel SDM vol. 2A, CPUID; AMD APM vol. 3, appendix E). */
#ifndef ASM_CPUID_H
#define ASM_CPUID_H

#include <tine/lib.h>

struct cpuid_regs {
	u32 eax, ebx, ecx, edx;
};

static inline struct cpuid_regs cpuid_count(u32 leaf, u32 subleaf)
{
	struct cpuid_regs r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(subleaf));
	return r;
}

static inline struct cpuid_regs cpuid(u32 leaf)
{
	return cpuid_count(leaf, 0);
}

/* Leaf 1, ECX */
#define CPUID_1_ECX_OSXSAVE BIT(27)
#define CPUID_1_ECX_HYPERVISOR BIT(31)

#endif
