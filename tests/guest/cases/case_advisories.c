// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ways in which guests have got at hypervisors before, one by one: docs/testing.md says which advisory
 * each stands for. What is not here is in the group of the call that it used.
 */
#include "tiny_case.h"

#define LAST_PAGE 0x00007ffffffff000ul /* of the lower half */
#define FREE_SLOT 3                    /* of the top-level table */
#define DR7_WRITE_8_BYTES 0x00090302ul /* breakpoint 0, global, exact */
#define DR7_NONE 0x400ul

static long set_entry(const uint64_t *entry, uint64_t value)
{
	mmu_update_t request = { .ptr = virt_to_machine(entry) | MMU_NORMAL_PT_UPDATE,
				 .val = value };

	return hv_mmu_update(&request, 1, NULL);
}

/* ---- Returning to where SYSRET must not go ---- */

static bool beyond_seen;
extern const char advisory_back[];

static bool beyond_the_half(struct tiny_regs *regs)
{
	if (regs->rip != LAST_PAGE + PAGE_SIZE)
		return false;
	beyond_seen = true;
	regs->rip = (uint64_t)advisory_back;
	return true;
}

static __attribute__((noinline, noclone)) void call_from_last_bytes(void)
{
	asm volatile("mov	%0, %%eax\n"
		     "xor	%%edi, %%edi\n"
		     "xor	%%esi, %%esi\n"
		     "jmp	*%1\n"
		     "advisory_back:"
		     :
		     : "i"(__HYPERVISOR_xen_version), "r"(LAST_PAGE + PAGE_SIZE - 2)
		     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
}

TINY_TEST(advisory_sysret, "advisory.sysret",
	  "a hypercall in the last bytes of the lower half returns to an address that is none")
{
	const uint64_t *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t *level[4], below;
	unsigned int i;

	for (i = 0; i < 4; i++)
		level[i] = page_alloc();
	((uint8_t *)level[0])[PAGE_SIZE - 2] = 0x0f; /* SYSCALL */
	((uint8_t *)level[0])[PAGE_SIZE - 1] = 0x05;
	below = make_pte(virt_to_mfn(level[0]), PTE_KERNEL_RO);
	for (i = 1; i < 4; i++) {
		level[i][511] = below;
		below = make_pte(virt_to_mfn(level[i]), PTE_USER_TABLE);
		REQUIRE_EQ(page_set_readonly(level[i]), 0);
	}
	REQUIRE_EQ(set_entry(&l4[255], below), 0);
	beyond_seen = false;
	trap_set_hook(TRAP_PROTECTION, beyond_the_half);
	trap_set_hook(TRAP_PAGE, beyond_the_half);
	call_from_last_bytes();
	trap_set_hook(TRAP_PROTECTION, NULL);
	trap_set_hook(TRAP_PAGE, NULL);
	EXPECT(beyond_seen);
	EXPECT_EQ(set_entry(&l4[255], 0), 0);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(page_set_writable(level[i]), 0);
		page_free(level[i]);
	}
}

/* ---- Page tables ---- */

TINY_TEST(advisory_superpage, "advisory.superpage",
	  "a large page would be memory that nobody has counted")
{
	uint64_t *table = page_alloc();
	mmuext_op_t pin = { .cmd = MMUEXT_PIN_L2_TABLE, .arg1.mfn = virt_to_mfn(table).n };

	table[7] = make_pte(mfn(virt_to_mfn(table).n & ~511ul), PTE_USER_TABLE | PTE_LARGE);
	REQUIRE_EQ(page_set_readonly(table), 0);
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}

TINY_TEST(advisory_self_map, "advisory.self-map",
	  "a table in itself, at best to read, must not become writable by a change of flags alone")
{
	const uint64_t *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t self = make_pte(virt_to_mfn(l4), PTE_PRESENT | PTE_USER | PTE_ACCESSED);

	EXPECT(set_entry(&l4[FREE_SLOT], self | PTE_WRITE) < 0);
	(void)!set_entry(&l4[FREE_SLOT], self); /* refused, or allowed as it is */
	EXPECT(set_entry(&l4[FREE_SLOT], self | PTE_WRITE) < 0);
	EXPECT(!(l4[FREE_SLOT] & PTE_WRITE));
	EXPECT_EQ(set_entry(&l4[FREE_SLOT], 0), 0);
}

TINY_TEST(advisory_stale_type, "advisory.stale-type",
	  "a writable translation that nobody flushed must not outlive the page's becoming a table")
{
	uint64_t *page = page_alloc();
	mmuext_op_t op = { .cmd = MMUEXT_PIN_L1_TABLE, .arg1.mfn = virt_to_mfn(page).n };
	/* What no table may hold, so that a write which the hypervisor does for the guest fails, too. */
	uint64_t forbidden =
		make_pte(virt_to_mfn((const void *)tiny_start_info->pt_base), PTE_KERNEL_RW);

	*(volatile uint64_t *)page = 0; /* the CPU has it now */
	REQUIRE_EQ(hv_update_va_mapping(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RO),
					UVMF_NONE),
		   0);
	REQUIRE_EQ(hv_mmuext_op(&op, 1, NULL), 0);
	PROBE("movq %1, (%0)", : : "r"(page), "r"(forbidden) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	op.cmd = MMUEXT_UNPIN_TABLE;
	EXPECT_EQ(hv_mmuext_op(&op, 1, NULL), 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

/* ---- Memory ---- */

static long exchange(uint64_t in, uint64_t out_list)
{
	xen_memory_exchange_t x = {
		.in = { .nr_extents = 1, .domid = DOMID_SELF },
		.out = { .nr_extents = 1, .domid = DOMID_SELF },
	};

	set_xen_guest_handle(x.in.extent_start, (xen_pfn_t *)&in);
	set_xen_guest_handle(x.out.extent_start, (xen_pfn_t *)out_list);
	return hypercall2(__HYPERVISOR_memory_op, XENMEM_exchange, (uint64_t)&x);
}

TINY_TEST(advisory_exchange, "advisory.exchange",
	  "results are not written to the hypervisor because a list says so")
{
	/* Nothing is given up for it either: it is no frame of the guest's. */
	EXPECT(exchange(0xfffffffff, 0xffff820000000000) < 0);
	EXPECT(exchange(0xfffffffff, 0xffff808000000000) < 0);
}

static long reservation(unsigned int op, uint64_t *frame, unsigned int flags)
{
	xen_memory_reservation_t r = {
		.nr_extents = 1,
		.domid = DOMID_SELF,
		.mem_flags = flags,
	};

	set_xen_guest_handle(r.extent_start, (xen_pfn_t *)frame);
	return hypercall2(__HYPERVISOR_memory_op, op, (uint64_t)&r);
}

/* The page's frame goes; another comes for it. */
static bool give_up(const uint64_t *page)
{
	uint64_t frame = virt_to_mfn(page).n;

	return !hv_update_va_mapping(page, 0, UVMF_INVLPG) &&
	       reservation(XENMEM_decrease_reservation, &frame, 0) == 1;
}

static bool populate(const uint64_t *page, unsigned int flags)
{
	pfn_t number = virt_to_pfn(page);
	uint64_t frame = number.n;

	if (reservation(XENMEM_populate_physmap, &frame, flags) != 1)
		return false;
	((uint64_t *)tiny_start_info->mfn_list)[number.n] = frame;
	return !page_set_writable(page);
}

TINY_TEST(advisory_fresh_frames, "advisory.fresh-frames",
	  "a frame that comes from the hypervisor holds nothing of anybody else's")
{
	uint64_t *page = page_alloc(), mine = 0xa5a5a5a5a5a5a5a5;
	unsigned int i;

	memset(page, 0xa5, PAGE_SIZE);
	REQUIRE(give_up(page));
	REQUIRE(populate(page, 0));
	for (i = 0; i < PAGE_SIZE / 8; i++)
		if (!EXPECT(page[i] == 0 || page[i] == mine))
			break;
	page_free(page);
}

TINY_TEST(advisory_stale_frame, "advisory.stale-frame",
	  "a translation that nobody flushed must not lead to a frame that was given up")
{
	uint64_t *page = page_alloc(), frame = virt_to_mfn(page).n;

	/* Xen forgets it when the frame is given out again. */
	SKIP_IF(!hypervisor_is_tine(),
		"a frame that is given up may be reached until it is given out");
	*(volatile uint64_t *)page = 0;
	REQUIRE_EQ(hv_update_va_mapping(page, 0, UVMF_NONE), 0);
	REQUIRE_EQ(reservation(XENMEM_decrease_reservation, &frame, 0), 1);
	PROBE("movq $1, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	REQUIRE(populate(page, 0));
	page_free(page);
}

TINY_TEST(advisory_node, "advisory.node", "a NUMA node that there is not is no index into anything")
{
	uint64_t *page = page_alloc();

	REQUIRE(give_up(page));
	/* A wish: it is served from elsewhere, or refused. */
	REQUIRE(populate(page, XENMEMF_node(0xfd)) || populate(page, 0));
	page_free(page);
}

/* ---- Leaks ---- */

TINY_TEST(advisory_version, "advisory.version",
	  "answers of fixed size must not be filled up with what was on the stack")
{
	static const struct {
		int command;
		unsigned int size;
	} calls[] = { { XENVER_extraversion, 16 },
		      { XENVER_capabilities, 1024 },
		      { XENVER_changeset, 64 } };
	char *text = page_alloc();
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		memset(text, 0xa5, PAGE_SIZE);
		EXPECT(hv_xen_version(calls[i].command, text) >= 0);
		for (at = strlen(text); at < calls[i].size; at++)
			if (!EXPECT(text[at] == 0 || (uint8_t)text[at] == 0xa5))
				break;
		EXPECT_EQ((uint8_t)text[calls[i].size], 0xa5);
	}
	page_free(text);
}

/* ---- What the CPU reports ---- */

static bool ignore_breakpoint(struct tiny_regs *regs)
{
	(void)regs;
	return true;
}

TINY_TEST(advisory_breakpoint, "advisory.breakpoint",
	  "the guest's breakpoint on a buffer that the hypervisor writes to must not stop that one")
{
	char *buffer = page_alloc();

	trap_set_hook(TRAP_DEBUG, ignore_breakpoint);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_debugreg, 0, (uint64_t)buffer), 0);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_debugreg, 7, DR7_WRITE_8_BYTES), 0);
	EXPECT(hv_xen_version(XENVER_extraversion, buffer) >= 0);
	/* Whether the guest is told of it is not said anywhere. */
	EXPECT(buffer[0] != 0);
	EXPECT_EQ(hypercall2(__HYPERVISOR_set_debugreg, 7, DR7_NONE), 0);
	trap_set_hook(TRAP_DEBUG, NULL);
	page_free(buffer);
}

TINY_TEST(advisory_deadline, "advisory.deadline",
	  "moments that no clock reaches must not overflow on their way to the timer")
{
	static const uint64_t moments[] = { 1,         1ul << 62,       ~0ul >> 1,
					    1ul << 63, (1ul << 63) + 1, ~0ul - 1,
					    ~0ul };
	unsigned int i;

	events_off();
	for (i = 0; i < ARRAY_SIZE(moments); i++) {
		vcpu_set_singleshot_timer_t set = { .timeout_abs_ns = moments[i] };

		hypercall1(__HYPERVISOR_set_timer_op, moments[i]);
		hv_vcpu_op(VCPUOP_set_singleshot_timer, 0, &set);
	}
	EXPECT_EQ(timer_stop(), 0);
	hypercall1(__HYPERVISOR_set_timer_op, 0);
	event_clear_port(timer_port());
	events_on();
	EXPECT_EQ(timer_sleep(200000), 0); /* it still works */
}
