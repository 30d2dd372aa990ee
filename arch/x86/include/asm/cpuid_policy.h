/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID as guests see it: one policy (arch/x86/cpuid_policy.c), told about the guest that asks. */
#ifndef ASM_CPUID_POLICY_H
#define ASM_CPUID_POLICY_H

#include <tine/types.h>

struct vcpu;

struct cpuid_view {
	const struct vcpu *v;
	u64 xcr0;
	u32 apic_id;
	bool translated; /* PVH: page tables and local APIC are its own */
	bool osxsave;    /* to be shown as set */
};

/* EAX, EBX, ECX, EDX of the leaf. */
void x86_guest_cpuid(const struct cpuid_view *g, u32 leaf, u32 subleaf, u32 out[4]);

#endif
