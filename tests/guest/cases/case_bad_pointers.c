// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments that point nowhere, into the hypervisor, at read-only memory or across a page's end.
 * Each must come back as -EFAULT with nothing done: a hypervisor that trusts one of them is lost.
 */
#include "tiny_case.h"

static const struct pointer_call calls[] = {
	{ "multicall", __HYPERVISOR_multicall, 0, 1, 0, 1 },
	{ "xen_version", __HYPERVISOR_xen_version, XENVER_extraversion, 0, 0, 2 },
	{ "get_features", __HYPERVISOR_xen_version, XENVER_get_features, 0, 0, 2 },
	{ "console_write", __HYPERVISOR_console_io, CONSOLEIO_write, 16, 0, 3 },
	{ "poll", __HYPERVISOR_sched_op, SCHEDOP_poll, 0, 0, 2 },
	{ "evtchn_send", __HYPERVISOR_event_channel_op, EVTCHNOP_send, 0, 0, 2 },
	{ "evtchn_status", __HYPERVISOR_event_channel_op, EVTCHNOP_status, 0, 0, 2 },
};

void expect_bad_pointers(const struct pointer_call *call, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++, call++)
		for (const uint64_t *bad = guest_kind.bad_addresses; *bad; bad++) {
			uint64_t a[4] = { 0, call->a1, call->a2, call->a3 };
			long rc;

			a[call->pointer] = *bad;
			rc = hypercall4(call->number, a[1], a[2], a[3], DOMID_SELF);
			if (!EXPECT_EQ(rc, -XEN_EFAULT))
				printf("# in %s with %lx\n", call->name, *bad);
		}
}

TINY_TEST(bad_pointers, "bad-pointers.calls", "every pointer of every call, wherever it points")
{
	expect_bad_pointers(calls, ARRAY_SIZE(calls));
}

TINY_TEST(bad_page_end, "bad-pointers.page-end", "a structure whose second half is not there")
{
	char *page = page_alloc(), *next = page + PAGE_SIZE;
	evtchn_status_t *status = (evtchn_status_t *)(next - 8);

	REQUIRE_EQ(page_hide(next), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, status), -XEN_EFAULT);
	EXPECT_EQ(hv_console_write(next - 4, 8), -XEN_EFAULT);
	EXPECT_EQ(hv_xen_version(XENVER_capabilities, next - 16), -XEN_EFAULT);
	EXPECT_EQ(page_set_writable(next), 0);
	page_free(page);
}

TINY_TEST(bad_readonly, "bad-pointers.readonly",
	  "an answer must not be written through a read-only mapping")
{
	uint64_t *page = page_alloc();
	evtchn_status_t *status = (evtchn_status_t *)page;

	status->dom = DOMID_SELF;
	status->port = timer_port();
	status->status = 0x77;
	REQUIRE_EQ(page_set_readonly(page), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, status), -XEN_EFAULT);
	EXPECT_EQ(status->status, 0x77);
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, page), -XEN_EFAULT);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(bad_numbers, "bad-pointers.numbers",
	  "hypercalls that do not exist, also far beyond the table")
{
	static const uint64_t numbers[] = { 11,  43,  47,   56,         63,         64,
					    127, 128, 4096, 0x7fffffff, 0x80000000, 0xffffffff };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		EXPECT_EQ(hypercall4(numbers[i], 0, 0, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall4(0xffffffffffffffff, 0, 0, 0, 0), -XEN_ENOSYS);
	EXPECT_EQ(hypercall4(1ul << 32 | __HYPERVISOR_xen_version, XENVER_pagesize, 0, 0, 0),
		  -XEN_ENOSYS);
}
