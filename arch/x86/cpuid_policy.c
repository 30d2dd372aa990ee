// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What CPUID says to a guest: a PV guest that asks through the forced-emulation prefix, and any PVH guest. The machine's own
 * leaves with the bits removed that such a guest cannot use (virtualisation, power, interrupt hardware; for PV paging
 * modes as well), and Xen's leaves from 0x40000000 (public arch-x86/cpuid.h). Features are
 * named one by one: what is not known here is not offered.
 *
 * State: none. The native instruction is executed each time, because several leaves depend on the
 * CPU and on XCR0.
 */
#include <asm/cpuid_policy.h>
#include <asm/cpufeature.h>
#include <asm/time.h>
#include <tine/bootmem.h>
#include <tine/lib.h>
#include <tine/vcpu.h>

#define XEN_LEAVES 0x40000000u
#define XEN_LEAVES_LAST (XEN_LEAVES + 5)
#define XEN_VERSION_WORD ((4u << 16) | 17)
#define MAX_BASIC_LEAF 0xdu
#define MAX_EXTENDED_LEAF 0x80000008u

#define LEAF1_ECX_OSXSAVE BIT(27)
#define LEAF1_ECX_HYPERVISOR BIT(31)

/* SSE3 PCLMULQDQ SSSE3 FMA CX16 SSE4.1 SSE4.2 MOVBE POPCNT AES XSAVE AVX F16C RDRAND */
#define LEAF1_ECX                                                                                  \
	(BIT(0) | BIT(1) | BIT(9) | BIT(12) | BIT(13) | BIT(19) | BIT(20) | BIT(22) | BIT(23) |    \
	 BIT(25) | BIT(26) | BIT(28) | BIT(29) | BIT(30))
/*
 * The part of leaf 1 EDX that AMD repeats in 0x80000001: FPU DE TSC MSR PAE MCE CX8 APIC MCA CMOV
 * PAT MMX FXSR
 */
#define COMMON_EDX                                                                                 \
	(BIT(0) | BIT(2) | BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(8) | BIT(9) | BIT(14) |         \
	 BIT(15) | BIT(16) | BIT(23) | BIT(24))
/* And SEP CLFLUSH SSE SSE2 */
#define LEAF1_EDX (COMMON_EDX | BIT(11) | BIT(19) | BIT(25) | BIT(26))
/* FSGSBASE BMI1 AVX2 BMI2 ERMS RDSEED ADX CLFLUSHOPT CLWB SHA */
#define LEAF7_EBX                                                                                  \
	(BIT(0) | BIT(3) | BIT(5) | BIT(8) | BIT(9) | BIT(18) | BIT(19) | BIT(23) | BIT(24) |      \
	 BIT(29))
/* SYSCALL NX MMXEXT FXSR_OPT LM 3DNOWEXT 3DNOW */
#define EXT1_EDX (COMMON_EDX | BIT(11) | BIT(20) | BIT(22) | BIT(25) | BIT(29) | BIT(30) | BIT(31))
/* LAHF ABM SSE4A MISALIGNSSE 3DNOWPREFETCH XOP FMA4 TBM */
#define EXT1_ECX (BIT(0) | BIT(5) | BIT(6) | BIT(7) | BIT(8) | BIT(11) | BIT(16) | BIT(21))

/* What a guest has besides when its page tables and its local APIC are its own: x2APIC; PSE PGE PSE36; SMEP SMAP; PAGE1GB RDTSCP */
#define TRANSLATED_LEAF1_ECX BIT(21)
#define TRANSLATED_COMMON_EDX (BIT(3) | BIT(13) | BIT(17))
#define TRANSLATED_LEAF7_EBX (BIT(7) | BIT(20))
#define TRANSLATED_EXT1_EDX (TRANSLATED_COMMON_EDX | BIT(26) | BIT(27))

/* Leaf 4 of Xen's: the numbers of vCPU and domain are there. */
#define XEN_HVM_VCPU_ID BIT(3)
#define XEN_HVM_DOMAIN_ID BIT(4)

/* XSAVE state components that the switch code saves and restores: x87, SSE, AVX. */
#define XCR0_OFFERED 7u
#define XSAVE_HEADER_END 576u
#define XSAVE_AVX_END 832u

static struct cpuid_regs leaf_1(const struct cpuid_view *g)
{
	struct cpuid_regs r = cpuid(1, 0);

	r.ebx = (g->apic_id << 24) | (1u << 16) |
		(r.ebx & 0xff00); /* APIC id, one thread, CLFLUSH size */
	r.ecx &= (u32)LEAF1_ECX;
	if (g->translated) /* emulated, whether the machine has it or not */
		r.ecx |= (u32)TRANSLATED_LEAF1_ECX;
	if (!x86_cpu.xsave) /* the hypervisor does not switch extended state */
		r.ecx &= ~(u32)(BIT(26) | BIT(28) | BIT(29) |
				BIT(12)); /* and what needs it: AVX F16C FMA */
	else if (g->osxsave)
		r.ecx |= (u32)LEAF1_ECX_OSXSAVE;
	r.ecx |= (u32)LEAF1_ECX_HYPERVISOR;
	r.edx &= (u32)(g->translated ? LEAF1_EDX | TRANSLATED_COMMON_EDX : LEAF1_EDX);
	return r;
}

static struct cpuid_regs leaf_7(const struct cpuid_view *g, u32 subleaf)
{
	struct cpuid_regs r = cpuid(7, subleaf);

	if (subleaf != 0)
		return (struct cpuid_regs){ 0 };
	return (struct cpuid_regs){
		.ebx = r.ebx & (u32)(g->translated ? LEAF7_EBX | TRANSLATED_LEAF7_EBX : LEAF7_EBX),
	};
}

/* Sizes follow the components that the guest has switched on (EBX) and may switch on (ECX). */
static struct cpuid_regs leaf_xsave(const struct cpuid_view *g, u32 subleaf)
{
	struct cpuid_regs r = cpuid(0xd, subleaf);
	u32 offered;

	if (!x86_cpu.xsave || subleaf > 2)
		return (struct cpuid_regs){ 0 };
	if (subleaf == 2)
		return r;
	if (subleaf == 1)
		return (struct cpuid_regs){ .eax = r.eax & 1 }; /* XSAVEOPT */
	offered = r.eax & XCR0_OFFERED;
	r.eax = offered;
	r.ebx = g->xcr0 & 4 ? XSAVE_AVX_END : XSAVE_HEADER_END;
	r.ecx = offered & 4 ? XSAVE_AVX_END : XSAVE_HEADER_END;
	r.edx = 0;
	return r;
}

static struct cpuid_regs leaf_xen(const struct cpuid_view *g, u32 leaf, u32 subleaf)
{
	switch (leaf - XEN_LEAVES) {
	case 0: /* "XenVMMXenVMM" */
		return (struct cpuid_regs){ XEN_LEAVES_LAST, 0x566e6558, 0x65584d4d, 0x4d4d566e };
	case 1:
		return (struct cpuid_regs){ .eax = XEN_VERSION_WORD };
	/* One hypercall page, its MSR; accessed and dirty bits are preserved by mmu_update. */
	case 2:
		return (struct cpuid_regs){ .eax = 1, .ebx = XEN_LEAVES, .ecx = 1 };
	case 3:
		if (subleaf == 0)
			return (struct cpuid_regs){ .ecx = (u32)tsc_khz };
		if (subleaf == 1)
			return (struct cpuid_regs){ .ecx = tsc_scale.mul,
						    .edx = (u32)(s32)tsc_scale.shift };
		return (struct cpuid_regs){ .eax = subleaf == 2 ? (u32)tsc_khz : 0 };
	case 4:
		if (!g->translated)
			return (struct cpuid_regs){ 0 };
		return (struct cpuid_regs){
			.eax = (u32)(XEN_HVM_VCPU_ID | XEN_HVM_DOMAIN_ID),
			.ebx = g->v->id,
			.ecx = g->v->domain->id,
		};
	case 5: /* width of a machine address */
		return (struct cpuid_regs){ .ebx = msb(mfn_x(bootmem_end_of_ram())) + 1 +
						   PAGE_SHIFT };
	default:
		return (struct cpuid_regs){ 0 };
	}
}

static struct cpuid_regs leaf_extended(const struct cpuid_view *g, u32 leaf)
{
	struct cpuid_regs r = cpuid(leaf, 0);

	switch (leaf) {
	case 0x80000000:
		r.eax = min(r.eax, MAX_EXTENDED_LEAF);
		break;
	case 0x80000001:
		r.ecx &= (u32)EXT1_ECX;
		r.edx &= (u32)(g->translated ? EXT1_EDX | TRANSLATED_EXT1_EDX : EXT1_EDX);
		break;
	case 0x80000007:
		return (struct cpuid_regs){ .edx = r.edx & (u32)BIT(8) }; /* invariant TSC */
	case 0x80000008:
		return (struct cpuid_regs){ .eax = r.eax & 0xffff }; /* address widths */
	default:
		break;
	}
	return r;
}

static struct cpuid_regs leaf_basic(const struct cpuid_view *g, u32 leaf, u32 subleaf)
{
	struct cpuid_regs r;

	switch (leaf) {
	case 0:
		r = cpuid(0, 0);
		r.eax = min(r.eax, MAX_BASIC_LEAF);
		return r;
	case 1:
		return leaf_1(g);
	case 2:
		return cpuid(2, 0);
	case 4:
		r = cpuid(4, subleaf);
		r.eax &= 0x3fff; /* without the numbers of cores and threads */
		return r;
	case 7:
		return leaf_7(g, subleaf);
	case 0xd:
		return leaf_xsave(g, subleaf);
	default: /* monitor, power, performance counters, topology */
		return (struct cpuid_regs){ 0 };
	}
}

void x86_guest_cpuid(const struct cpuid_view *g, u32 leaf, u32 subleaf, u32 out[4])
{
	struct cpuid_regs r = { 0 };

	if (leaf <= MAX_BASIC_LEAF)
		r = leaf_basic(g, leaf, subleaf);
	else if (leaf >= XEN_LEAVES && leaf <= XEN_LEAVES_LAST)
		r = leaf_xen(g, leaf, subleaf);
	else if (leaf >= 0x80000000 && leaf <= MAX_EXTENDED_LEAF)
		r = leaf_extended(g, leaf);
	out[0] = r.eax;
	out[1] = r.ebx;
	out[2] = r.ecx;
	out[3] = r.edx;
}
