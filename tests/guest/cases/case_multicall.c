// SPDX-License-Identifier: GPL-2.0-or-later
/* Multicalls: each entry gets its own result, and one that fails does not stop the others. */
#include "tiny_case.h"

#define ENTRIES_MANY 1000u

static multicall_entry_t many[ENTRIES_MANY];

static multicall_entry_t call(unsigned int op, uint64_t a1, uint64_t a2)
{
	return (multicall_entry_t){ .op = op, .result = 0x5555, .args = { a1, a2 } };
}

TINY_TEST(multicall_results, "multicall.results",
	  "results belong to their entries, whatever the neighbours return")
{
	multicall_entry_t calls[] = {
		call(__HYPERVISOR_xen_version, XENVER_version, 0),
		call(__HYPERVISOR_xen_version, XENVER_pagesize, 0),
		call(__HYPERVISOR_console_io, 77, 0),
		call(99, 0, 0),
		call(__HYPERVISOR_sched_op, SCHEDOP_yield, 0),
		call(__HYPERVISOR_multicall, 0, 0),
	};

	EXPECT_EQ(hv_multicall(calls, ARRAY_SIZE(calls)), 0);
	EXPECT_EQ(calls[0].result, hv_xen_version(XENVER_version, NULL));
	EXPECT_EQ(calls[1].result, PAGE_SIZE);
	EXPECT_EQ(calls[2].result, -XEN_ENOSYS);
	EXPECT_EQ(calls[3].result, -XEN_ENOSYS);
	EXPECT_EQ(calls[4].result, 0);
	EXPECT_EQ(calls[1].op, __HYPERVISOR_xen_version);
}

TINY_TEST(multicall_nested, "multicall.nested",
	  "a multicall in a multicall must not recurse into the hypervisor's stack")
{
	multicall_entry_t inner[] = { call(__HYPERVISOR_xen_version, XENVER_pagesize, 0) };
	multicall_entry_t outer[] = {
		call(__HYPERVISOR_multicall, (uint64_t)inner, 1),
		call(__HYPERVISOR_xen_version, XENVER_pagesize, 0),
	};

	EXPECT_EQ(hv_multicall(outer, 2), 0);
	EXPECT_EQ(outer[0].result, -XEN_EINVAL);
	EXPECT_EQ(outer[1].result, PAGE_SIZE);
	EXPECT_EQ(inner[0].result, 0x5555);
}

TINY_TEST(multicall_long, "multicall.long",
	  "a long list is stopped for events and must go on at the right entry")
{
	uint64_t before = timer_count(), until = time_now() + 2000000000;
	unsigned int i, wrong = 0;

	REQUIRE_EQ(timer_set(time_now() + 10000), 0);
	do {
		for (i = 0; i < ENTRIES_MANY; i++)
			many[i] = call(__HYPERVISOR_xen_version, i & 1 ? XENVER_pagesize : 9999, 0);
		EXPECT_EQ(hv_multicall(many, ENTRIES_MANY), 0);
		for (i = 0; i < ENTRIES_MANY; i++)
			wrong += (long)many[i].result != (i & 1 ? (long)PAGE_SIZE : -XEN_ENOSYS);
	} while (timer_count() == before && time_now() < until);
	EXPECT_EQ(wrong, 0);
	EXPECT(timer_count() > before);
}

TINY_TEST(multicall_errors, "multicall.errors",
	  "entries that cannot be read or written are -EFAULT")
{
	char *page = page_alloc();

	EXPECT_EQ(hv_multicall((multicall_entry_t *)0x123456789000, 1), -XEN_EFAULT);
	EXPECT_EQ(hv_multicall(NULL, 0), 0);
	*(multicall_entry_t *)page = call(__HYPERVISOR_xen_version, XENVER_pagesize, 0);
	REQUIRE_EQ(page_set_readonly(page), 0);
	EXPECT_EQ(hv_multicall((multicall_entry_t *)page, 1), -XEN_EFAULT);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}
