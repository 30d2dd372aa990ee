// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUID by forced emulation (abi page 5.8): what a PV kernel may learn, and nothing else behind the
 * prefix.
 */
#include "tiny_case.h"

#define LEAF_XEN 0x40000000u

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};

static struct cpuid forced_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid out;

	asm volatile("ud2; .ascii \"xen\"; cpuid"
		     : "=a"(out.eax), "=b"(out.ebx), "=c"(out.ecx), "=d"(out.edx)
		     : "0"(leaf), "2"(subleaf));
	return out;
}

TINY_TEST(cpuid_xen_leaves, "cpuid.xen-leaves", "how a guest finds out where it runs")
{
	struct cpuid id = forced_cpuid(LEAF_XEN, 0);

	EXPECT(id.eax >= LEAF_XEN + 2);
	EXPECT_EQ(id.ebx, 0x566e6558);
	EXPECT_EQ(id.ecx, 0x65584d4d);
	EXPECT_EQ(id.edx, 0x4d4d566e);
	EXPECT_EQ(forced_cpuid(LEAF_XEN + 1, 0).eax, hv_xen_version(XENVER_version, NULL));
	id = forced_cpuid(LEAF_XEN + 2, 0);
	EXPECT_EQ(id.eax, 1);
	EXPECT_EQ(id.ebx, 0x40000000);
	EXPECT_EQ(id.ecx & 1, 1);
	EXPECT_EQ(forced_cpuid(0x40000100, 0).ebx, 0);
}

TINY_TEST(cpuid_features, "cpuid.features",
	  "features a PV guest cannot use must be hidden, those it needs shown")
{
	struct cpuid id = forced_cpuid(1, 0);

	EXPECT(id.ecx & 1u << 31);       /* running on a hypervisor */
	EXPECT_EQ(id.ecx & 1u << 3, 0);  /* MONITOR */
	EXPECT_EQ(id.ecx & 1u << 5, 0);  /* VMX */
	EXPECT_EQ(id.ecx & 1u << 17, 0); /* PCID */
	EXPECT_EQ(id.edx & 1u << 1, 0);  /* VME */
	EXPECT_EQ(id.edx & 1u << 3, 0);  /* PSE */
	EXPECT_EQ(id.edx & 1u << 13, 0); /* PGE */
	EXPECT(id.edx & 1u << 6 && id.edx & 1u << 24 && id.edx & 1u << 26); /* PAE FXSR SSE2 */

	id = forced_cpuid(0x80000001, 0);
	EXPECT(id.edx & 1u << 11 && id.edx & 1u << 20 && id.edx & 1u << 29); /* SYSCALL NX LM */
	EXPECT_EQ(id.edx & 1u << 26, 0);                                     /* 1 GiB pages */
	id = forced_cpuid(7, 0);
	EXPECT_EQ(id.ebx & (1u << 7 | 1u << 20), 0); /* SMEP SMAP */
}

TINY_TEST(cpuid_only, "cpuid.prefix",
	  "the prefix opens cpuid alone; everything else behind it stays an invalid opcode")
{
	uint64_t rip;

	PROBE("ud2; .ascii \"xen\"; rdtsc", : : : "rax", "rdx", "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);
	asm volatile("lea 771b(%%rip), %0" : "=r"(rip));
	EXPECT_EQ(tiny_fault.rip, rip);
	PROBE("ud2; .ascii \"xem\"; cpuid", : : : "rax", "rbx", "rcx", "rdx", "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_INVALID_OPCODE);
}
