// SPDX-License-Identifier: GPL-2.0-or-later
/* Multicalls of what only PV guests call. */
#include "tiny_case.h"
#include "tinypv_gdt.h"

static multicall_entry_t call(unsigned int op, uint64_t a1, uint64_t a2)
{
	return (multicall_entry_t){ .op = op, .result = 0x5555, .args = { a1, a2 } };
}

TINY_TEST(multicall_kernel, "multicall.kernel",
	  "results belong to their entries, whatever the neighbours return")
{
	multicall_entry_t calls[] = {
		call(__HYPERVISOR_xen_version, XENVER_version, 0),
		call(__HYPERVISOR_xen_version, XENVER_pagesize, 0),
		call(__HYPERVISOR_set_segment_base, SEGBASE_FS, 0x0000800000000000),
		call(99, 0, 0),
		call(__HYPERVISOR_stack_switch, FLAT_KERNEL_SS, user_kernel_stack_top()),
		call(__HYPERVISOR_multicall, 0, 0),
	};

	EXPECT_EQ(hv_multicall(calls, ARRAY_SIZE(calls)), 0);
	EXPECT_EQ(calls[0].result, hv_xen_version(XENVER_version, NULL));
	EXPECT_EQ(calls[1].result, PAGE_SIZE);
	EXPECT_EQ(calls[2].result, -XEN_EINVAL);
	EXPECT_EQ(calls[3].result, -XEN_ENOSYS);
	EXPECT_EQ(calls[4].result, 0);
	EXPECT_EQ(calls[1].op, __HYPERVISOR_xen_version);
}

TINY_TEST(multicall_descriptors, "multicall.descriptors",
	  "three TLS descriptors in one call, one of them bad")
{
	multicall_entry_t calls[] = {
		call(__HYPERVISOR_update_descriptor, 0, gdt_data_descriptor(0x1000, 0x11)),
		call(__HYPERVISOR_update_descriptor, 0, 0x00008e0000000000),
		call(__HYPERVISOR_update_descriptor, 0, gdt_data_descriptor(0x3000, 0x33)),
	};
	unsigned int i;

	REQUIRE_EQ(gdt_init(), 0);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i].args[0] = gdt_machine_address(GDT_TLS + i);
	EXPECT_EQ(hv_multicall(calls, ARRAY_SIZE(calls)), 0);
	EXPECT_EQ(calls[0].result, 0);
	EXPECT_EQ(calls[1].result, -XEN_EINVAL);
	EXPECT_EQ(calls[2].result, 0);
	EXPECT_EQ(gdt_limit(SELECTOR(GDT_TLS)), 0x11);
	EXPECT_EQ(gdt_limit(SELECTOR(GDT_TLS + 2)), 0x33);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		EXPECT_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS + i), 0), 0);
}
