// SPDX-License-Identifier: GPL-2.0-or-later
/* xen_version: what a guest asks before anything else. */
#include "tiny_case.h"

TINY_TEST(version_number, "version.number", "guests refuse a hypervisor older than they know")
{
	long version = hv_xen_version(XENVER_version, NULL);

	EXPECT(version >> 16 >= 4);
	EXPECT(version >> 32 == 0);
}

TINY_TEST(version_texts, "version.texts", "texts must end inside their fixed-size buffers")
{
	xen_extraversion_t extra;
	xen_capabilities_info_t capabilities;

	memset(extra, 'x', sizeof(extra));
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, extra), 0);
	EXPECT(strlen(extra) < sizeof(extra));
	memset(capabilities, 'x', sizeof(capabilities));
	EXPECT_EQ(hv_xen_version(XENVER_capabilities, capabilities), 0);
	EXPECT(cmdline_has_word(capabilities, guest_kind.capability));
	EXPECT_EQ(hv_xen_version(XENVER_pagesize, NULL), PAGE_SIZE);
}

TINY_TEST(version_unknown, "version.unknown",
	  "an unknown sub-operation must be refused, not ignored")
{
	EXPECT_EQ(hv_xen_version(9999, NULL), -XEN_ENOSYS);
}
