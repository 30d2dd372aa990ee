// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page-table entries by update_va_mapping, mmu_update and mmuext_op: whether an entry may stand is
 * decided before it is live, and a frame is a page table, a descriptor page or writable, never two
 * of them (abi page 5.7).
 */
#include "tiny_case.h"

static const uint64_t *own_l1_entry(const void *page)
{
	return pte_of(page, 1);
}

static long set_entry(const uint64_t *entry, uint64_t value)
{
	mmu_update_t request = { .ptr = virt_to_machine(entry) | MMU_NORMAL_PT_UPDATE,
				 .val = value };
	unsigned int done = 77;
	long rc = hv_mmu_update(&request, 1, &done);

	if (rc != -XEN_ENOSYS)
		EXPECT_EQ(done, rc == 0);
	return rc;
}

static long extended(unsigned int command, uint64_t arg1)
{
	mmuext_op_t operation = { .cmd = command, .arg1.mfn = arg1 };

	return hv_mmuext_op(&operation, 1, NULL);
}

static bool no_mmu_update(void)
{
	const void *page = tiny_start_info;

	return set_entry(own_l1_entry(page), *own_l1_entry(page)) == -XEN_ENOSYS;
}

TINY_TEST(mmu_va_same, "mmu.va-same",
	  "writing an entry's own value again must be harmless, with any flush")
{
	static const uint64_t flushes[] = { UVMF_NONE, UVMF_INVLPG, UVMF_INVLPG | UVMF_ALL,
					    UVMF_TLB_FLUSH, UVMF_TLB_FLUSH | UVMF_ALL };
	uint64_t *page = page_alloc();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flushes); i++) {
		page[i] = i;
		EXPECT_EQ(hv_update_va_mapping(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RW),
					       flushes[i]),
			  0);
		EXPECT_EQ(page[i], i);
	}
	page_free(page);
}

TINY_TEST(mmu_va_exchange, "mmu.va-exchange",
	  "a page must really show another frame after its entry was changed")
{
	uint64_t *a = page_alloc(), *b = page_alloc();

	*a = 0xaaaa;
	*b = 0xbbbb;
	REQUIRE_EQ(page_map(a, make_pte(virt_to_mfn(b), PTE_KERNEL_RW)), 0);
	EXPECT_EQ(*(volatile uint64_t *)a, 0xbbbb);
	*(volatile uint64_t *)a = 0xcccc;
	EXPECT_EQ(*(volatile uint64_t *)b, 0xcccc);
	EXPECT_EQ(page_set_writable(a), 0);
	EXPECT_EQ(*(volatile uint64_t *)a, 0xaaaa);
	page_free(a);
	page_free(b);
}

TINY_TEST(mmu_va_entry, "mmu.va-entry",
	  "the guest finds the entry it wrote in its table, made a user entry by the hypervisor")
{
	uint64_t *page = page_alloc();

	REQUIRE_EQ(page_map(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RO)), 0);
	EXPECT_EQ(*own_l1_entry(page) & PTE_FRAME, virt_to_mfn(page).n << PAGE_SHIFT);
	EXPECT_EQ(*own_l1_entry(page) & (PTE_PRESENT | PTE_WRITE | PTE_USER),
		  PTE_PRESENT | PTE_USER);
	/* A non-present entry is the guest's own business. */
	REQUIRE_EQ(page_map(page, 0x1234567890123ff8 & ~PTE_PRESENT), 0);
	EXPECT_EQ(*own_l1_entry(page), 0x1234567890123ff8 & ~PTE_PRESENT);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(mmu_va_errors, "mmu.va-errors",
	  "frames of others, page tables made writable, addresses without a table: refused")
{
	uint64_t *page = page_alloc(), before = *own_l1_entry(page);
	const void *table = (const void *)tiny_start_info->pt_base;

	EXPECT(page_map(page, make_pte(mfn(0xfffffffff), PTE_KERNEL_RW)) < 0);
	EXPECT(page_map(page, make_pte(mfn((*pte_of((const void *)TINY_M2P, 4) & PTE_FRAME) >>
					   PAGE_SHIFT),
				       PTE_KERNEL_RO)) < 0);
	EXPECT(page_map(page, make_pte(virt_to_mfn(table), PTE_KERNEL_RW)) < 0);
	EXPECT_EQ(*own_l1_entry(page), before);
	*page = 1;
	EXPECT_EQ(hv_update_va_mapping((const void *)0x123456789000, 0, UVMF_INVLPG), -XEN_EINVAL);
	EXPECT_EQ(hv_update_va_mapping((const void *)TINY_M2P, 0, UVMF_INVLPG), -XEN_EINVAL);
	EXPECT_EQ(page_map(page, make_pte(virt_to_mfn(table), PTE_KERNEL_RO)), 0);
	EXPECT(!memcmp(page, table, PAGE_SIZE));
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(mmu_two_mappings, "mmu.two-mappings",
	  "one writable alias is enough to keep a page from becoming a descriptor page")
{
	uint64_t *page = page_alloc(), *alias = page_alloc(), frame = virt_to_mfn(page).n;
	mfn_t hidden = virt_to_mfn(alias);

	REQUIRE_EQ(page_map(alias, make_pte(virt_to_mfn(page), PTE_KERNEL_RW)), 0);
	REQUIRE_EQ(page_set_readonly(page), 0);
	EXPECT_EQ(hv_set_gdt(&frame, 8), -XEN_EINVAL);
	REQUIRE_EQ(page_map(alias, make_pte(virt_to_mfn(page), PTE_KERNEL_RO)), 0);
	EXPECT_EQ(hv_set_gdt(&frame, 8), 0);
	EXPECT(page_map(alias, make_pte(virt_to_mfn(page), PTE_KERNEL_RW)) < 0);
	EXPECT_EQ(hv_set_gdt(NULL, 0), 0);
	EXPECT_EQ(page_map(alias, make_pte(hidden, PTE_KERNEL_RW)), 0);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
	page_free(alias);
}

TINY_TEST(mmu_update_entry, "mmu.update",
	  "mmu_update on an L1 entry must do what update_va_mapping does")
{
	uint64_t *page = page_alloc();

	SKIP_IF(no_mmu_update(), "mmu_update is not offered");
	*(volatile uint64_t *)page = 0;
	EXPECT_EQ(set_entry(own_l1_entry(page), make_pte(virt_to_mfn(page), PTE_KERNEL_RO)), 0);
	/* Here the flush is the guest's own task. */
	EXPECT_EQ(extended(MMUEXT_INVLPG_LOCAL, (uint64_t)page), 0);
	PROBE("movq $1, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(set_entry(own_l1_entry(page), make_pte(virt_to_mfn(page), PTE_KERNEL_RW)), 0);
	PROBE("movq $1, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	page_free(page);
}

TINY_TEST(mmu_update_errors, "mmu.update-errors",
	  "entries of the hypervisor's own range, bad frames, misuse of the command bits")
{
	const uint64_t *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t *page = page_alloc();
	mmu_update_t requests[2];
	unsigned int done = 0;

	SKIP_IF(no_mmu_update(), "mmu_update is not offered");
	EXPECT(set_entry(&l4[256], 0) < 0);
	EXPECT(set_entry(&l4[271], 0) < 0);
	EXPECT(set_entry(&l4[3], make_pte(virt_to_mfn(page), PTE_USER_TABLE)) < 0);
	EXPECT(set_entry(own_l1_entry(page), make_pte(mfn(0xfffffffff), PTE_KERNEL_RW)) < 0);
	EXPECT(set_entry(pte_of(page, 2), *pte_of(page, 2) | PTE_LARGE) < 0);
	EXPECT_EQ(set_entry(&l4[3], 0), 0);

	/* The first is done, the second is not, and the count says so. */
	requests[0] = (mmu_update_t){ .ptr = virt_to_machine(own_l1_entry(page)),
				      .val = *own_l1_entry(page) };
	requests[1] = (mmu_update_t){ .ptr = 0xffffffffff000, .val = 0 };
	EXPECT(hv_mmu_update(requests, 2, &done) < 0);
	EXPECT_EQ(done, 1);
	EXPECT_EQ(hv_mmu_update((const mmu_update_t *)0x123456789000, 1, NULL), -XEN_EFAULT);
	page_free(page);
}

TINY_TEST(mmu_update_data, "mmu.update-data", "on an ordinary page mmu_update is a plain store")
{
	uint64_t *page = page_alloc();

	SKIP_IF(no_mmu_update(), "mmu_update is not offered");
	EXPECT_EQ(set_entry(&page[5], 0xfeedface), 0);
	EXPECT_EQ(*(volatile uint64_t *)&page[5], 0xfeedface);
	page_free(page);
}

TINY_TEST(mmu_machphys, "mmu.machphys",
	  "the guest may say which of its frame numbers a machine frame has")
{
	uint64_t *page = page_alloc();
	mmu_update_t request = {
		.ptr = virt_to_mfn(page).n << PAGE_SHIFT | MMU_MACHPHYS_UPDATE,
		.val = virt_to_pfn(page).n + 1,
	};

	SKIP_IF(no_mmu_update(), "mmu_update is not offered");
	EXPECT_EQ(hv_mmu_update(&request, 1, NULL), 0);
	EXPECT_EQ(mfn_to_pfn(virt_to_mfn(page)).n, virt_to_pfn(page).n + 1);
	request.val--;
	EXPECT_EQ(hv_mmu_update(&request, 1, NULL), 0);
	EXPECT_EQ(mfn_to_pfn(virt_to_mfn(page)).n, virt_to_pfn(page).n);
	request.ptr = *pte_of((const void *)TINY_M2P, 4) & PTE_FRAME & ~3ul;
	request.ptr |= MMU_MACHPHYS_UPDATE;
	EXPECT(hv_mmu_update(&request, 1, NULL) < 0);
	page_free(page);
}

TINY_TEST(mmuext_pin, "mmuext.pin",
	  "pinning a table validates it; a pinned page is no descriptor page and not writable")
{
	uint64_t *table = page_alloc(), frame = virt_to_mfn(table).n;

	EXPECT(extended(MMUEXT_PIN_L1_TABLE, frame) < 0); /* still writable */
	REQUIRE_EQ(page_set_readonly(table), 0);
	EXPECT_EQ(extended(MMUEXT_UNPIN_TABLE, frame), -XEN_EINVAL);
	REQUIRE_EQ(extended(MMUEXT_PIN_L1_TABLE, frame), 0);
	EXPECT_EQ(extended(MMUEXT_PIN_L1_TABLE, frame), -XEN_EINVAL);
	EXPECT(extended(MMUEXT_PIN_L2_TABLE, frame) < 0);
	EXPECT(page_set_writable(table) < 0);
	EXPECT_EQ(hv_set_gdt(&frame, 8), -XEN_EINVAL);
	EXPECT_EQ(extended(MMUEXT_UNPIN_TABLE, frame), 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}

TINY_TEST(mmuext_pin_bad, "mmuext.pin-bad",
	  "a table with one entry that may not stand must not become a table")
{
	uint64_t *table = page_alloc(), frame = virt_to_mfn(table).n;

	table[511] = make_pte(mfn(0xfffffffff), PTE_KERNEL_RW);
	REQUIRE_EQ(page_set_readonly(table), 0);
	EXPECT(extended(MMUEXT_PIN_L1_TABLE, frame) < 0);
	EXPECT_EQ(page_set_writable(table), 0);
	table[511] = make_pte(virt_to_mfn(table), PTE_KERNEL_RW); /* a writable mapping of itself */
	REQUIRE_EQ(page_set_readonly(table), 0);
	EXPECT(extended(MMUEXT_PIN_L1_TABLE, frame) < 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}

TINY_TEST(mmuext_flush, "mmuext.flush",
	  "flushes by name, alone and for all; a base pointer must be an L4")
{
	EXPECT_EQ(extended(MMUEXT_TLB_FLUSH_LOCAL, 0), 0);
	EXPECT_EQ(extended(MMUEXT_INVLPG_LOCAL, (uint64_t)tiny_start_info), 0);
	EXPECT_EQ(extended(MMUEXT_TLB_FLUSH_ALL, 0), 0);
	EXPECT_EQ(extended(MMUEXT_INVLPG_ALL, (uint64_t)tiny_start_info), 0);
	EXPECT_EQ(extended(MMUEXT_NEW_BASEPTR,
			   virt_to_mfn((const void *)tiny_start_info->pt_base).n),
		  0);
	EXPECT(extended(MMUEXT_NEW_BASEPTR, virt_to_mfn(tiny_start_info).n) < 0);
	EXPECT(extended(MMUEXT_NEW_USER_BASEPTR, virt_to_mfn(tiny_start_info).n) < 0);
	EXPECT_EQ(extended(99, 0), -XEN_ENOSYS);
}

TINY_TEST(mmuext_pages, "mmuext.pages", "clearing and copying by frame number")
{
	uint64_t *from = page_alloc(), *to = page_alloc();
	mmuext_op_t copy = { .cmd = MMUEXT_COPY_PAGE,
			     .arg1.mfn = virt_to_mfn(to).n,
			     .arg2.src_mfn = virt_to_mfn(from).n };

	from[511] = 0x77;
	EXPECT_EQ(hv_mmuext_op(&copy, 1, NULL), 0);
	EXPECT_EQ(*(volatile uint64_t *)&to[511], 0x77);
	EXPECT_EQ(extended(MMUEXT_CLEAR_PAGE, virt_to_mfn(to).n), 0);
	EXPECT_EQ(*(volatile uint64_t *)&to[511], 0);
	EXPECT(extended(MMUEXT_CLEAR_PAGE, virt_to_mfn((const void *)tiny_start_info->pt_base).n) <
	       0);
	page_free(from);
	page_free(to);
}

/* Whether a number is one of a frame must be known before anything is computed from it. */
TINY_TEST(mmuext_no_frame, "mmuext.no-frame",
	  "numbers that no frame has, up to those whose address or whose entry in any table would "
	  "wrap")
{
	static const unsigned int commands[] = { MMUEXT_PIN_L1_TABLE,     MMUEXT_PIN_L2_TABLE,
						 MMUEXT_PIN_L3_TABLE,     MMUEXT_PIN_L4_TABLE,
						 MMUEXT_UNPIN_TABLE,      MMUEXT_NEW_BASEPTR,
						 MMUEXT_NEW_USER_BASEPTR, MMUEXT_CLEAR_PAGE };
	static uint64_t frames[1] __attribute__((aligned(PAGE_SIZE)));
	vcpu_register_vcpu_info_t info = { .offset = 0 };
	mmuext_op_t copy = { .cmd = MMUEXT_COPY_PAGE };
	unsigned int bit, i;

	copy.arg1.mfn = virt_to_mfn(tiny_start_info).n;
	for (bit = 36; bit <= 64; bit++) {
		uint64_t number = bit < 64 ? 1UL << bit : ~0UL;
		mmu_update_t request = { .ptr = number << PAGE_SHIFT, .val = 0 };

		for (i = 0; i < ARRAY_SIZE(commands); i++)
			EXPECT(extended(commands[i], number) < 0);
		copy.arg2.src_mfn = number;
		EXPECT(hv_mmuext_op(&copy, 1, NULL) < 0);
		if (bit < 52) /* else it is another one's address */
			EXPECT(hv_mmu_update(&request, 1, NULL) < 0);
		frames[0] = number;
		EXPECT(hv_set_gdt(frames, 8) < 0);
		info.mfn = number;
		EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &info) < 0);
	}
}
