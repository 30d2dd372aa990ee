// SPDX-License-Identifier: GPL-2.0-or-later
/* As case_bad_pointers.c, of what only PV guests call and have. */
#include "tiny_case.h"
#include "tinypv_gdt.h"

#include <xen/physdev.h>

static const struct pointer_call calls[] = {
	{ "set_trap_table", __HYPERVISOR_set_trap_table, 0, 0, 0, 1 },
	{ "set_gdt", __HYPERVISOR_set_gdt, 0, 8, 0, 1 },
	{ "mmu_update", __HYPERVISOR_mmu_update, 0, 1, 0, 1 },
	{ "singleshot_timer", __HYPERVISOR_vcpu_op, VCPUOP_set_singleshot_timer, 0, 0, 3 },
	{ "runstate_info", __HYPERVISOR_vcpu_op, VCPUOP_get_runstate_info, 0, 0, 3 },
	{ "mmuext_op", __HYPERVISOR_mmuext_op, 0, 1, 0, 1 },
	{ "callback", __HYPERVISOR_callback_op, CALLBACKOP_register, 0, 0, 2 },
};

TINY_TEST(bad_pv_pointers, "bad-pointers.pv-calls",
	  "every pointer of every call, wherever it points")
{
	expect_bad_pointers(calls, ARRAY_SIZE(calls));
}

TINY_TEST(bad_gdt_end, "bad-pointers.gdt-end", "a list of frames whose second half is not there")
{
	char *page = page_alloc(), *next = page + PAGE_SIZE;

	REQUIRE_EQ(page_hide(next), 0);
	EXPECT_EQ(hv_set_gdt((const uint64_t *)(next - 4), 8), -XEN_EFAULT);
	EXPECT_EQ(page_set_writable(next), 0);
	page_free(page);
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
