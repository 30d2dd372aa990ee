// SPDX-License-Identifier: GPL-2.0-or-later
/* xen_version: what a guest asks before anything else. */
#include "tiny_case.h"

TINY_TEST(version_number, "version.number", "guests refuse a hypervisor older than they know")
{
	long version = hv_xen_version(XENVER_version, NULL);

	EXPECT(version >> 16 >= 4);
	EXPECT(version >> 32 == 0);
}

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

TINY_TEST(version_texts, "version.texts", "texts must end inside their fixed-size buffers")
{
	xen_extraversion_t extra;
	xen_capabilities_info_t capabilities;
	xen_platform_parameters_t platform = { 0 };

	memset(extra, 'x', sizeof(extra));
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, extra), 0);
	EXPECT(strlen(extra) < sizeof(extra));
	memset(capabilities, 'x', sizeof(capabilities));
	EXPECT_EQ(hv_xen_version(XENVER_capabilities, capabilities), 0);
	EXPECT(cmdline_has_word(capabilities, "xen-3.0-x86_64"));
	EXPECT_EQ(hv_xen_version(XENVER_platform_parameters, &platform), 0);
	EXPECT_EQ(platform.virt_start, 0xffff800000000000);
	EXPECT_EQ(hv_xen_version(XENVER_pagesize, NULL), PAGE_SIZE);
}

TINY_TEST(version_unknown, "version.unknown",
	  "an unknown sub-operation must be refused, not ignored")
{
	EXPECT_EQ(hv_xen_version(9999, NULL), -XEN_ENOSYS);
}
