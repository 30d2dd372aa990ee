// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * console_io: the only output there is, so its edges must not lose text or read what is not the
 * guest's.
 */
#include "tiny_case.h"

static char pages[2 * PAGE_SIZE] __page_aligned;

TINY_TEST(console_crossing, "console.crossing",
	  "a line that crosses a page must come out whole (the runner looks for it)")
{
	static const char text[] = "# console: this line crosses a page boundary\n";
	char *at = &pages[PAGE_SIZE - sizeof(text) / 2];

	memcpy(at, text, sizeof(text));
	EXPECT_EQ(hv_console_write(at, sizeof(text) - 1), 0);
}

TINY_TEST(console_long, "console.long",
	  "a write longer than the hypervisor's own buffer is cut by it, not by us")
{
	size_t i;

	for (i = 0; i < 1000; i++)
		pages[i] = i % 50 == 49 ? '\n' : i % 50 ? 'a' + i % 26 : '#';
	EXPECT_EQ(hv_console_write(pages, i), 0);
	EXPECT_EQ(hv_console_write(pages, 0), 0);
}

TINY_TEST(console_errors, "console.errors",
	  "bad pointers and unknown commands are errors, not crashes")
{
	char byte;

	EXPECT_EQ(hv_console_write((const char *)0x123456789000, 10), -XEN_EFAULT);
	EXPECT_EQ(hypercall3(__HYPERVISOR_console_io, 77, 1, (uint64_t)&byte), -XEN_ENOSYS);
}
