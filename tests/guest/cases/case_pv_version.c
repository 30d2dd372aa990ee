// SPDX-License-Identifier: GPL-2.0-or-later
/* xen_version: what a PV guest must find, and must not. */
#include "tiny_case.h"

TINY_TEST(version_features, "version.features",
	  "Linux panics before any console works if bit 5 or 7 is missing")
{
	struct xen_feature_info info = { .submap_idx = 0 };

	REQUIRE_EQ(hv_xen_version(XENVER_get_features, &info), 0);
	EXPECT(info.submap & 1u << XENFEAT_mmu_pt_update_preserve_ad);
	EXPECT(info.submap & 1u << XENFEAT_gnttab_map_avail_bits);
	EXPECT(info.submap & 1u << XENFEAT_dom0 || !(tiny_start_info->flags & SIF_INITDOMAIN));
	/* Claiming these would make a PV guest skip what keeps it alive. */
	EXPECT(!(info.submap & 1u << XENFEAT_auto_translated_physmap));
	EXPECT(!(info.submap & 1u << XENFEAT_writable_descriptor_tables));

	info.submap_idx = 1;
	EXPECT_EQ(hv_xen_version(XENVER_get_features, &info), -XEN_EINVAL);
}

TINY_TEST(version_platform, "version.platform",
	  "the guest's own half of the address space begins where it thinks")
{
	xen_platform_parameters_t platform = { 0 };

	EXPECT_EQ(hv_xen_version(XENVER_platform_parameters, &platform), 0);
	EXPECT_EQ(platform.virt_start, 0xffff800000000000);
}
