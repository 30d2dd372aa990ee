// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Privileged instructions of the kernel that the hypervisor carries out for it, and those it must
 * not (abi page 5.8).
 */
#include "tiny_case.h"

#include <xen/physdev.h>

#define CR0_TS 0x8ul
#define CR0_PE_PG 0x80000001ul
#define CR4_TSD 0x4ul
#define CR4_PAE 0x20ul
#define CR4_OSXSAVE 0x40000ul
#define MSR_EFER 0xc0000080
#define MSR_PAT 0x277
#define MSR_NONE 0x1234567
#define EFER_SCE_LMA 0x401ul
#define PAT_OF_GUESTS 0x0000050100070406

static uint64_t table_word;

/* The value stays 0xdead if the instruction faults. */
#define READ(instruction)                                                                          \
	({                                                                                         \
		uint64_t value_ = 0xdead;                                                          \
		PROBE(instruction ", %0", : "+r"(value_) : : "memory");                            \
		value_;                                                                            \
	})

static bool faulted(void)
{
	return tiny_fault.vector != TRAP_NONE;
}

static uint64_t read_msr(uint32_t msr)
{
	uint32_t low = 0xdead, high = 0;

	PROBE("rdmsr", : "+a"(low), "+d"(high) : "c"(msr) : "memory");
	return (uint64_t)high << 32 | low;
}

static void write_msr(uint32_t msr, uint64_t value)
{
	PROBE("wrmsr", : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

TINY_TEST(priv_cr0, "privileged.cr0",
	  "CR0 is the processor's with a TS of the guest's own, and TS is all it may change")
{
	uint64_t cr0 = READ("mov %%cr0");

	REQUIRE(!faulted());
	EXPECT_EQ(cr0 & CR0_PE_PG, CR0_PE_PG);
	EXPECT_EQ(cr0 & CR0_TS, 0);
	PROBE("mov %0, %%cr0", : : "r"(cr0 | CR0_TS) : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(READ("mov %%cr0"), cr0 | CR0_TS);
	PROBE("clts", : : : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(READ("mov %%cr0"), cr0);
	PROBE("mov %0, %%cr0", : : "r"(cr0 & ~0x80000000ul) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(priv_cr3, "privileged.cr3",
	  "CR3 reads as the kernel's own L4, not the one the hypervisor runs on")
{
	uint64_t cr3 = READ("mov %%cr3");

	REQUIRE(!faulted());
	EXPECT_EQ(cr3 >> PAGE_SHIFT, virt_to_mfn((const void *)tiny_start_info->pt_base).n);
	PROBE("mov %0, %%cr3", : : "r"(cr3) : "memory");
	EXPECT(!faulted());
	PROBE("mov %0, %%cr3", : : "r"(virt_to_machine(tiny_start_info) & PAGE_MASK) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(priv_cr2, "privileged.cr2",
	  "CR2 reads as the guest's last fault; a write shows there and in vcpu_info")
{
	PROBE("mov (%0), %%rax", : : "r"(0x77000ul) : "rax", "memory");
	EXPECT_EQ(READ("mov %%cr2"), 0x77000);
	PROBE("mov %0, %%cr2", : : "r"(0x88000ul) : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(READ("mov %%cr2"), 0x88000);
	EXPECT_EQ(tiny_vcpu->arch.cr2, 0x88000);
}

TINY_TEST(priv_cr4, "privileged.cr4",
	  "CR4 shows what a PV guest runs with; a write of the same value must pass")
{
	uint64_t cr4 = READ("mov %%cr4");

	REQUIRE(!faulted());
	EXPECT_EQ(cr4 & CR4_PAE, CR4_PAE);
	PROBE("mov %0, %%cr4", : : "r"(cr4) : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(READ("mov %%cr4"), cr4);
}

TINY_TEST(priv_tsd, "privileged.tsd",
	  "with CR4.TSD the kernel still reads the TSC, then by emulation")
{
	uint64_t cr4 = READ("mov %%cr4"), first, second;

	PROBE("mov %0, %%cr4", : : "r"(cr4 | CR4_TSD) : "memory");
	REQUIRE(!faulted());
	EXPECT_EQ(READ("mov %%cr4"), cr4 | CR4_TSD);
	first = tsc_now();
	second = tsc_now();
	EXPECT(second > first);
	PROBE("mov %0, %%cr4", : : "r"(cr4) : "memory");
	EXPECT(!faulted());
}

TINY_TEST(priv_interrupts, "privileged.interrupts",
	  "cli and sti do nothing for a guest that may: neither to the processor nor to the mask")
{
	physdev_set_iopl_t iopl = { .iopl = 1 };
	uint64_t flags;

	REQUIRE_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iopl, (uint64_t)&iopl), 0);
	PROBE("cli", : : : "memory");
	EXPECT(!faulted());
	asm volatile("pushf; pop %0" : "=r"(flags));
	EXPECT(flags & EFLAGS_IF);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);
	PROBE("sti", : : : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_mask, 0);
	iopl.iopl = 4;
	EXPECT_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iopl, (uint64_t)&iopl),
		  -XEN_EINVAL);
	iopl.iopl = 0;
	EXPECT_EQ(hypercall2(__HYPERVISOR_physdev_op, PHYSDEVOP_set_iopl, (uint64_t)&iopl), 0);
	PROBE("cli", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(priv_efer, "privileged.efer",
	  "EFER reads as a 64-bit guest expects and takes its own value, nothing else")
{
	uint64_t efer = read_msr(MSR_EFER);

	REQUIRE(!faulted());
	EXPECT_EQ(efer & EFER_SCE_LMA, EFER_SCE_LMA);
	write_msr(MSR_EFER, efer);
	EXPECT(!faulted());
	write_msr(MSR_EFER, efer & ~1ul);
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(priv_pat, "privileged.pat",
	  "the memory types behind page-table bits are fixed, and guests adapt to what they read")
{
	EXPECT_EQ(read_msr(MSR_PAT), PAT_OF_GUESTS);
	EXPECT(!faulted());
}

TINY_TEST(priv_msr_unknown, "privileged.msr-unknown",
	  "an MSR that is not the guest's is a #GP, so that it can probe")
{
	read_msr(MSR_NONE);
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	EXPECT_EQ(tiny_fault.error, 0);
	write_msr(MSR_NONE, 1);
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
}

TINY_TEST(priv_refused, "privileged.refused",
	  "instructions that nobody carries out for the guest: descriptor tables, halts, TLB")
{
	static struct {
		uint16_t limit;
		uint64_t base;
	} __attribute__((packed)) table;

	PROBE("hlt", : : : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("lgdt %0", : : "m"(table) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("lidt %0", : : "m"(table) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("lldt %w0", : : "r"(0) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("ltr %w0", : : "r"(0x40) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("invlpg (%0)", : : "r"(&table) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	PROBE("mov %0, %%cr8", : : "r"(0ul) : "memory");
	EXPECT(faulted());
}

static uint64_t read_xcr0(void)
{
	uint32_t low = 0, high = 0;

	PROBE("xgetbv", : "+a"(low), "+d"(high) : "c"(0) : "memory");
	return (uint64_t)high << 32 | low;
}

static void write_xcr(unsigned int index, uint64_t value)
{
	PROBE("xsetbv",
	      :
	      : "c"(index), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
	      : "memory");
}

TINY_TEST(priv_xsetbv, "privileged.xsetbv",
	  "XCR0 takes what the processor has, in combinations that may be; else the hypervisor's "
	  "own load would fault")
{
	static const uint64_t bad[] = { 0, 2, 5, 1ul << 62 | 1, 1ul << 63 | 1, ~0ul };
	uint64_t cr4 = READ("mov %%cr4"), xcr0;
	unsigned int i;

	PROBE("mov %0, %%cr4", : : "r"(cr4 | CR4_OSXSAVE) : "memory");
	SKIP_IF(faulted(), "no XSAVE");
	xcr0 = read_xcr0();
	EXPECT_EQ(xcr0 & 1, 1);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		write_xcr(0, bad[i]);
		if (!EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION))
			printf("# with %lx\n", bad[i]);
	}
	write_xcr(1, 1);
	EXPECT_EQ(tiny_fault.vector, TRAP_PROTECTION);
	write_xcr(0, 3);
	EXPECT(!faulted());
	EXPECT_EQ(read_xcr0(), 3);
	write_xcr(0, xcr0);
	EXPECT(!faulted());
	EXPECT_EQ(read_xcr0(), xcr0);
	PROBE("mov %0, %%cr4", : : "r"(cr4) : "memory");
	EXPECT(!faulted());
}

TINY_TEST(priv_debug_registers, "privileged.debug-registers",
	  "breakpoints of the guest's own, never on the hypervisor")
{
	PROBE("mov %0, %%dr0", : : "r"((uint64_t)&table_word) : "memory");
	EXPECT(!faulted());
	EXPECT_EQ(READ("mov %%dr0"), &table_word);
	EXPECT_EQ(hypercall1(__HYPERVISOR_get_debugreg, 0), &table_word);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_debugreg, 0, 0), 0);
	EXPECT_EQ(READ("mov %%dr0"), 0);
	EXPECT(hypercall2(__HYPERVISOR_set_debugreg, 0, 0xffff830000000000) < 0);
	EXPECT(hypercall2(__HYPERVISOR_set_debugreg, 8, 0) < 0);
}
