// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64: hypercalls as such, and calls that are not for such guests. */
#include "tiny_case.h"

#include <xen/hvm/hvm_op.h>
#include <xen/hvm/params.h>
#include <xen/memory.h>

TINY_TEST(call_registers, "call.registers", "a hypercall keeps every register but x0 and x16")
{
	uint64_t kept[6], result;

	asm volatile("mov x0, %2\n"
		     "mov x16, %3\n"
		     "mov x1, #0\n"
		     "mov x5, #5\n"
		     "mov x15, #15\n"
		     "mov x17, #17\n"
		     "mov x18, #18\n"
		     "mov x19, #19\n"
		     "mov x28, #28\n"
		     "hvc #0xea1\n"
		     "stp x5, x15, [%1]\n"
		     "stp x17, x18, [%1, #16]\n"
		     "stp x19, x28, [%1, #32]\n"
		     "mov %0, x0"
		     : "=&r"(result)
		     : "r"(kept), "i"(XENVER_pagesize), "i"(__HYPERVISOR_xen_version)
		     : "x0", "x1", "x5", "x15", "x16", "x17", "x18", "x19", "x28", "memory");
	EXPECT(kept[0] == 5 && kept[1] == 15 && kept[2] == 17 && kept[3] == 18 && kept[4] == 19 &&
	       kept[5] == 28);
	EXPECT_EQ(result, PAGE_SIZE);
}

TINY_TEST(call_other, "call.other", "an HVC with another number is an undefined instruction")
{
	PROBE("hvc #5", : : : "x9", "x10", "memory");
	EXPECT_EQ(FAULT_CLASS(tinyarm_fault.syndrome), CLASS_UNKNOWN);
}

TINY_TEST(call_pv, "call.pv", "page tables and descriptors of PV guests are not there")
{
	EXPECT_EQ(hypercall4(__HYPERVISOR_mmu_update, 0, 0, 0, DOMID_SELF), -XEN_ENOSYS);
	EXPECT_EQ(hypercall2(__HYPERVISOR_update_descriptor, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall3(__HYPERVISOR_update_va_mapping, 0, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall4(__HYPERVISOR_mmuext_op, 0, 0, 0, DOMID_SELF), -XEN_ENOSYS);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_gdt, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_segment_base, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall2(__HYPERVISOR_stack_switch, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall1(__HYPERVISOR_set_trap_table, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall1(__HYPERVISOR_set_timer_op, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall0(__HYPERVISOR_iret), -XEN_ENOSYS);
}

TINY_TEST(call_features, "call.features", "a guest asks what it is by these bits")
{
	struct xen_feature_info info = { .submap_idx = 0 };

	REQUIRE_EQ(hv_xen_version(XENVER_get_features, &info), 0);
	EXPECT(info.submap & 1u << XENFEAT_auto_translated_physmap);
	EXPECT(info.submap & 1u << XENFEAT_ARM_SMCCC_supported);
	info.submap_idx = 1;
	EXPECT_EQ(hv_xen_version(XENVER_get_features, &info), -XEN_EINVAL);
}

static long get_param(domid_t domid, unsigned int index)
{
	struct xen_hvm_param param = { .domid = domid, .index = index };

	return hypercall2(__HYPERVISOR_hvm_op, HVMOP_get_param, (uint64_t)&param);
}

TINY_TEST(call_params, "call.params", "parameters that are there answer, others are errors")
{
	EXPECT_EQ(get_param(DOMID_SELF, HVM_PARAM_CONSOLE_PFN), 0);
	EXPECT_EQ(get_param(DOMID_SELF, HVM_NR_PARAMS), -XEN_EINVAL);
	EXPECT(get_param(4711, HVM_PARAM_CONSOLE_PFN) < 0);
	EXPECT_EQ(hypercall2(__HYPERVISOR_hvm_op, HVMOP_get_param, 0x123456789000), -XEN_EFAULT);
}
