// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The descriptor table's pages: what may become one, what may still be done to one, and that the
 * processor really uses them. Single descriptors and what the hypervisor stores for them are the
 * table of work_descriptors.c.
 */
#include "tiny_case.h"
#include "tinypv_gdt.h"

TINY_TEST(gdt_writable, "gdt.writable",
	  "a page the guest can write must never become a GDT: it could forge a hypervisor segment")
{
	uint64_t *page = page_alloc();
	uint64_t frame = virt_to_mfn(page).n;

	EXPECT_EQ(hv_set_gdt(&frame, 8), -XEN_EINVAL);
	/* The refusal must not leave the page typed: it is still writable. */
	PROBE("movq $5, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	page_free(page);
}

TINY_TEST(gdt_in_use, "gdt.in-use",
	  "a GDT page must stay read-only while it is in use, and be free again afterwards")
{
	uint64_t *page = page_alloc();
	uint64_t frame = virt_to_mfn(page).n;

	page[1] = DESC_DATA | DESC_DPL3;
	REQUIRE_EQ(page_set_readonly(page), 0);
	REQUIRE_EQ(hv_set_gdt(&frame, 8), 0);
	EXPECT_EQ(page_set_writable(page), -XEN_EBUSY);
	EXPECT_EQ(page_map(page, make_pte(virt_to_mfn(page), PTE_KERNEL_RO | PTE_NX)), 0);
	PROBE("movq $5, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_PAGE);
	EXPECT_EQ(gdt_limit(SELECTOR(1)), 0xffffffff);

	EXPECT_EQ(hv_set_gdt(NULL, 0), 0);
	EXPECT_EQ(gdt_limit(SELECTOR(1)), ~0ul);
	EXPECT_EQ(page_set_writable(page), 0);
	PROBE("movq $5, (%0)", : : "r"(page) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	page_free(page);
}

TINY_TEST(gdt_arguments, "gdt.arguments",
	  "too many entries, frames that are not the guest's, bad pointers: -EINVAL or -EFAULT")
{
	uint64_t frames[16] = { 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = 0xfffffffff;
	EXPECT_EQ(hv_set_gdt(frames, 8), -XEN_EINVAL);
	EXPECT_EQ(hv_set_gdt(frames, GDT_RESERVED + 1), -XEN_EINVAL);
	EXPECT_EQ(hv_set_gdt((const uint64_t *)0x123456789000, 8), -XEN_EFAULT);
	frames[0] = virt_to_mfn((const void *)tiny_start_info->pt_base).n;
	EXPECT_EQ(hv_set_gdt(frames, 8), -XEN_EINVAL);
}

TINY_TEST(gdt_atomic, "gdt.atomic",
	  "one bad frame among several must leave the old table in force and the good frames free")
{
	uint64_t *page = page_alloc(), *writable = page_alloc();
	uint64_t frames[2] = { virt_to_mfn(page).n, virt_to_mfn(writable).n };

	REQUIRE_EQ(gdt_init(), 0);
	REQUIRE_EQ(page_set_readonly(page), 0);
	EXPECT_EQ(hv_set_gdt(frames, 600), -XEN_EINVAL);
	EXPECT_EQ(gdt_limit(SELECTOR(GDT_DATA)), 0xffffffff);
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
	page_free(writable);
}

TINY_TEST(gdt_two_frames, "gdt.two-frames", "entries beyond 512 come from the second frame")
{
	uint64_t *page[2] = { page_alloc(), page_alloc() };
	uint64_t frames[2] = { virt_to_mfn(page[0]).n, virt_to_mfn(page[1]).n };
	unsigned int i;

	page[0][511] = gdt_data_descriptor(0, 0x1111);
	page[1][0] = gdt_data_descriptor(0, 0x2222);
	for (i = 0; i < 2; i++)
		REQUIRE_EQ(page_set_readonly(page[i]), 0);
	REQUIRE_EQ(hv_set_gdt(frames, 513), 0);
	EXPECT_EQ(gdt_limit(SELECTOR(511)), 0x1111);
	EXPECT_EQ(gdt_limit(SELECTOR(512)), 0x2222);
	EXPECT_EQ(gdt_init(), 0);
	EXPECT_EQ(gdt_limit(SELECTOR(512)), ~0ul);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(page_set_writable(page[i]), 0);
		page_free(page[i]);
	}
}

TINY_TEST(gdt_adjusted, "gdt.adjusted",
	  "a table taken over whole must be adjusted like single descriptors: ring 3 only")
{
	REQUIRE_EQ(gdt_init(), 0);
	EXPECT_EQ(gdt_page()[GDT_DATA], DESC_DATA | DESC_DPL3);
	EXPECT_EQ(gdt_page()[GDT_CODE64], DESC_CODE64 | DESC_DPL3);
	EXPECT_EQ(gdt_page()[GDT_CODE32], DESC_CODE32 | DESC_DPL3);
}

TINY_TEST(gdt_update, "gdt.update",
	  "update_descriptor is the only way to write the table, and it must take effect at once")
{
	const uint64_t magic = 0x4d41474943;
	static uint64_t block[4];
	uint64_t value = 0;

	REQUIRE_EQ(gdt_init(), 0);
	block[1] = magic;
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS),
					gdt_data_descriptor(0, 0x5678)),
		   0);
	EXPECT_EQ(gdt_limit(SELECTOR(GDT_TLS)), 0x5678);
	EXPECT_EQ(gdt_page()[GDT_TLS] | 1ul << 40, gdt_data_descriptor(0, 0x5678) | 1ul << 40);
	PROBE("mov %%ax, %%gs", : : "a"(SELECTOR(GDT_TLS)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	/* A base of 32 bits cannot reach the kernel: add the rest by the offset. */
	asm volatile("mov %%gs:(%1), %0" : "=r"(value) : "r"(&block[1]) : "memory");
	EXPECT_EQ(value, magic);

	EXPECT_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), 0), 0);
	EXPECT_EQ(gdt_limit(SELECTOR(GDT_TLS)), ~0ul);
	asm volatile("mov %%ax, %%gs" : : "a"(0));
}

TINY_TEST(gdt_update_data, "gdt.update-data",
	  "on an ordinary page of the guest update_descriptor is a checked store")
{
	uint64_t *page = page_alloc();

	EXPECT_EQ(hv_update_descriptor(virt_to_machine(&page[7]), DESC_DATA), 0);
	EXPECT_EQ(page[7], DESC_DATA | DESC_DPL3);
	EXPECT_EQ(hv_update_descriptor(virt_to_machine(&page[7]) + 4, DESC_DATA), -XEN_EINVAL);
	page_free(page);
}

TINY_TEST(gdt_segments, "gdt.segments",
	  "selectors of the guest's own table must load in ring 3, absent ones must not")
{
	uint64_t kernel_data;

	REQUIRE_EQ(gdt_init(), 0);
	PROBE("mov %%ax, %%ss", : : "a"(SELECTOR(GDT_DATA)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NONE);
	asm volatile("mov %%ss, %0" : "=r"(kernel_data));
	EXPECT_EQ(kernel_data, SELECTOR(GDT_DATA));
	asm volatile("mov %%ax, %%ss" : : "a"(FLAT_KERNEL_SS));
	PROBE("mov %%ax, %%ds", : : "a"(SELECTOR(GDT_TLS + 1)) : "memory");
	EXPECT(tiny_fault.vector == TRAP_PROTECTION || tiny_fault.vector == TRAP_NO_SEGMENT);

	/* Present but for the P bit: #NP with the selector, and #SS for the stack segment. */
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), DESC_DATA | DESC_DPL3), 0);
	REQUIRE_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS),
					(DESC_DATA | DESC_DPL3) & ~(1ul << 47)),
		   0);
	PROBE("mov %%ax, %%ds", : : "a"(SELECTOR(GDT_TLS)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_NO_SEGMENT);
	EXPECT_EQ(tiny_fault.error, SELECTOR(GDT_TLS) & ~3);
	PROBE("mov %%ax, %%ss", : : "a"(SELECTOR(GDT_TLS)) : "memory");
	EXPECT_EQ(tiny_fault.vector, TRAP_STACK);
	EXPECT_EQ(tiny_fault.error, SELECTOR(GDT_TLS) & ~3);
	EXPECT_EQ(hv_update_descriptor(gdt_machine_address(GDT_TLS), 0), 0);
}
