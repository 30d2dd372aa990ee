// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments that point nowhere, into the hypervisor, at read-only memory or across a page's end.
 * Each must come back as -EFAULT with nothing done: a hypervisor that trusts one of them is lost.
 */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#include <xen/physdev.h>

static void *const bad_addresses[] = {
	(void *)0x123456789000,     /* not mapped */
	(void *)0x8,                /* page zero */
	(void *)0xffff830000000000, /* the hypervisor's: Xen's memory and image */
	(void *)0xffff82d040200000,
	(void *)0xffff820000100000, /* and Tine's: memory, image, descriptors, frame table */
	(void *)0xffff808000200000,
	(void *)0xffff810000000000,
	(void *)0xffff818000002000,
	(void *)0x0000800000000000, /* not canonical */
	(void *)0xffff7ffffffff000,
	(void *)0xfffffffffffffff8, /* wraps */
};

static const struct {
	const char *name;
	unsigned int number;
	uint64_t a1, a2, a3;
	unsigned int pointer; /* which of the three is replaced */
} calls[] = {
	{ "set_trap_table", __HYPERVISOR_set_trap_table, 0, 0, 0, 1 },
	{ "set_gdt", __HYPERVISOR_set_gdt, 0, 8, 0, 1 },
	{ "mmu_update", __HYPERVISOR_mmu_update, 0, 1, 0, 1 },
	{ "multicall", __HYPERVISOR_multicall, 0, 1, 0, 1 },
	{ "xen_version", __HYPERVISOR_xen_version, XENVER_extraversion, 0, 0, 2 },
	{ "get_features", __HYPERVISOR_xen_version, XENVER_get_features, 0, 0, 2 },
	{ "console_write", __HYPERVISOR_console_io, CONSOLEIO_write, 16, 0, 3 },
	{ "singleshot_timer", __HYPERVISOR_vcpu_op, VCPUOP_set_singleshot_timer, 0, 0, 3 },
	{ "runstate_info", __HYPERVISOR_vcpu_op, VCPUOP_get_runstate_info, 0, 0, 3 },
	{ "mmuext_op", __HYPERVISOR_mmuext_op, 0, 1, 0, 1 },
	{ "poll", __HYPERVISOR_sched_op, SCHEDOP_poll, 0, 0, 2 },
	{ "callback", __HYPERVISOR_callback_op, CALLBACKOP_register, 0, 0, 2 },
	{ "evtchn_send", __HYPERVISOR_event_channel_op, EVTCHNOP_send, 0, 0, 2 },
	{ "evtchn_status", __HYPERVISOR_event_channel_op, EVTCHNOP_status, 0, 0, 2 },
};

TINY_TEST(bad_pointers, "bad-pointers.calls", "every pointer of every call, wherever it points")
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		for (j = 0; j < ARRAY_SIZE(bad_addresses); j++) {
			uint64_t a[4] = { 0, calls[i].a1, calls[i].a2, calls[i].a3 };
			long rc;

			a[calls[i].pointer] = (uint64_t)bad_addresses[j];
			rc = hypercall4(calls[i].number, a[1], a[2], a[3], DOMID_SELF);
			if (!EXPECT_EQ(rc, -XEN_EFAULT))
				printf("# in %s with %p\n", calls[i].name, bad_addresses[j]);
		}
}

/*
 * Where the hypervisors have all memory: there a pointer leads to the guest's own frame, which shows whether
 * it was followed.
 */
TINY_TEST(bad_alias, "bad-pointers.alias",
	  "the guest's own page by the hypervisor's address for it: neither read nor written")
{
	static const uint64_t bases[] = { 0xffff820000000000, 0xffff830000000000 };
	uint64_t *page = page_alloc(), before = 0x5a5a5a5a5a5a5a5a;
	evtchn_status_t *status = (evtchn_status_t *)page;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		void *alias = (void *)(bases[i] + virt_to_machine(page));
		xen_pfn_t in = 0xfffffffff;
		xen_memory_exchange_t x = { .in = { .nr_extents = 1, .domid = DOMID_SELF },
					    .out = { .nr_extents = 1, .domid = DOMID_SELF } };

		for (k = 0; k < PAGE_SIZE / 8; k++)
			page[k] = before;
		EXPECT_EQ(hv_xen_version(XENVER_extraversion, alias), -XEN_EFAULT);
		EXPECT_EQ(hv_xen_version(XENVER_capabilities, alias), -XEN_EFAULT);
		EXPECT_EQ(hv_vcpu_op(VCPUOP_get_runstate_info, 0, alias), -XEN_EFAULT);
		set_xen_guest_handle(x.in.extent_start, &in);
		set_xen_guest_handle(x.out.extent_start, alias);
		EXPECT(hypercall2(__HYPERVISOR_memory_op, XENMEM_exchange, (uint64_t)&x) < 0);
		for (k = 0; k < PAGE_SIZE / 8; k++)
			if (!EXPECT_EQ(page[k], before))
				break;
		/* What would be a good question, were it asked from elsewhere. */
		*status =
			(evtchn_status_t){ .dom = DOMID_SELF, .port = timer_port(), .status = 99 };
		EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, alias), -XEN_EFAULT);
		EXPECT_EQ(status->status, 99);
		memset(page, 0, PAGE_SIZE);
		EXPECT_EQ(hv_set_trap_table(alias), -XEN_EFAULT);
		EXPECT_EQ(hv_console_write(alias, 4), -XEN_EFAULT);
	}
	page_free(page);
}

TINY_TEST(bad_page_end, "bad-pointers.page-end", "a structure whose second half is not there")
{
	char *page = page_alloc(), *next = page + PAGE_SIZE;
	evtchn_status_t *status = (evtchn_status_t *)(next - 8);
	uint64_t entry = *pte_of(next, 1);

	REQUIRE_EQ(page_map(next, 0), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, status), -XEN_EFAULT);
	EXPECT_EQ(hv_set_gdt((const uint64_t *)(next - 4), 8), -XEN_EFAULT);
	EXPECT_EQ(hv_console_write(next - 4, 8), -XEN_EFAULT);
	EXPECT_EQ(hv_xen_version(XENVER_capabilities, next - 16), -XEN_EFAULT);
	EXPECT_EQ(page_map(next, (entry & PTE_FRAME) | PTE_KERNEL_RW), 0);
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

TINY_TEST(bad_registers, "bad-pointers.registers",
	  "a hypercall keeps every register but RAX, RCX and R11")
{
	register uint64_t r8 asm("r8") = 8, r9 asm("r9") = 9, r10 asm("r10") = 10,
			     r12 asm("r12") = 12;
	register uint64_t r13 asm("r13") = 13, r14 asm("r14") = 14, r15 asm("r15") = 15;
	uint64_t rax = __HYPERVISOR_xen_version, rdi = XENVER_pagesize, rsi = 0, rdx = 0xd,
		 rbx = 0xb;
	bool kept;

	asm volatile("syscall"
		     : "+a"(rax), "+D"(rdi), "+S"(rsi), "+d"(rdx), "+b"(rbx), "+r"(r8), "+r"(r9),
		       "+r"(r10), "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15)
		     :
		     : "rcx", "r11", "memory");
	/* Before any call: these variables are the registers themselves. */
	kept = rdx == 0xd && rbx == 0xb && r8 == 8 && r9 == 9 && r10 == 10 && r12 == 12 &&
	       r13 == 13 && r14 == 14 && r15 == 15;
	EXPECT(kept);
	EXPECT_EQ(rax, PAGE_SIZE);
}
