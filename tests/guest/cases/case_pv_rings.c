// SPDX-License-Identifier: GPL-2.0-or-later
/* The pages of console ring and store as a PV guest has them. */
#include "tiny_case.h"

#define SKIP_INITIAL() SKIP_IF(guest_is_initial(), "the initial domain has no rings")

TINY_TEST(rings_frames, "rings.frames",
	  "both rings must be pages of the guest's own, known to it by M2P")
{
	SKIP_INITIAL();
	EXPECT(mfn_to_pfn(mfn(tiny_start_info->store_mfn)).n < tiny_start_info->nr_pages);
	EXPECT(mfn_to_pfn(mfn(tiny_start_info->console.domU.mfn)).n < tiny_start_info->nr_pages);
}

TINY_TEST(rings_types, "rings.types",
	  "the hypervisor writes to the ring pages: they must not become page tables")
{
	mmuext_op_t pin = { .cmd = MMUEXT_PIN_L1_TABLE };

	SKIP_INITIAL();
	EXPECT_EQ(page_set_readonly(tiny_rings.console), 0);
	pin.arg1.mfn = tiny_start_info->console.domU.mfn;
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
	EXPECT_EQ(page_set_writable(tiny_rings.console), 0);
}
