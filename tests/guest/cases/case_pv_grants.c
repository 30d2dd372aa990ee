// SPDX-License-Identifier: GPL-2.0-or-later
/* Grants as PV guests use them: by page tables, and by the other version of entries. */
#include "tiny_case.h"
#include "tiny_grant.h"

#define MAP_RW GNTMAP_host_map
#define MAP_RO (GNTMAP_host_map | GNTMAP_readonly)
#define REF GRANT_FIRST_FREE

static int copy(gnttab_copy_t *op)
{
	long rc = hv_grant_table_op(GNTTABOP_copy, op, 1);

	return rc ? (int)rc * 100 : op->status;
}

TINY_TEST(grants_setup, "grants.setup",
	  "more frames than may be must be refused, and the list written whole")
{
	gnttab_query_size_t query = { .dom = DOMID_SELF };
	gnttab_setup_table_t setup = { .dom = DOMID_SELF, .nr_frames = 2 };
	uint64_t frames[3] = { 0, 0, 99 };

	setup.frame_list.p = frames;
	REQUIRE_EQ(hv_grant_table_op(GNTTABOP_setup_table, &setup, 1), 0);
	EXPECT_EQ(setup.status, GNTST_okay);
	EXPECT(frames[0] && frames[1] && frames[0] != frames[1] && frames[2] == 99);
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_query_size, &query, 1), 0);
	EXPECT(query.nr_frames >= 2);
	setup.nr_frames = query.max_nr_frames + 1;
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_setup_table, &setup, 1), 0);
	EXPECT_EQ(setup.status, GNTST_general_error);
}

/* The guest has no writable mapping of the second one, which is all zeros: it would do for a table. */
TINY_TEST(grants_as_tables, "grants.as-tables",
	  "frames that the hypervisor writes itself must not become page tables or descriptors")
{
	gnttab_setup_table_t setup = { .dom = DOMID_SELF, .nr_frames = 2 };
	mmuext_op_t pin = { .cmd = MMUEXT_PIN_L1_TABLE };
	uint64_t frames[2];

	setup.frame_list.p = frames;
	REQUIRE_EQ(hv_grant_table_op(GNTTABOP_setup_table, &setup, 1), 0);
	pin.arg1.mfn = frames[1];
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
	pin.cmd = MMUEXT_PIN_L4_TABLE;
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
	EXPECT(hv_set_gdt(&frames[1], 8) < 0);
	pin.arg1.mfn = tiny_start_info->shared_info >> PAGE_SHIFT;
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
}

TINY_TEST(grants_pte, "grants.pte", "kernels map by the entry's machine address as well")
{
	gnttab_map_grant_ref_t map = { .flags = MAP_RW | GNTMAP_contains_pte, .ref = REF };
	gnttab_unmap_grant_ref_t unmap = { 0 };

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	map.dom = own_domain_id();
	map.host_addr = unmap.host_addr = virt_to_machine(pte_of(grant_window, 1));
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_map_grant_ref, &map, 1), 0);
	EXPECT_EQ(map.status, GNTST_okay);
	EXPECT_EQ(map.dev_bus_addr, virt_to_machine(grant_shared));
	EXPECT_EQ(*pte_of(grant_window, 1) & (PTE_FRAME | PTE_PRESENT | PTE_WRITE),
		  make_pte(virt_to_mfn(grant_shared), PTE_PRESENT | PTE_WRITE));
	unmap.handle = map.handle;
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_unmap_grant_ref, &unmap, 1), 0);
	EXPECT_EQ(unmap.status, GNTST_okay);
	EXPECT(!(*pte_of(grant_window, 1) & PTE_PRESENT));
	EXPECT(grant_withdraw(REF));
	grant_pages_give();
}

TINY_TEST(grants_places, "grants.places",
	  "nothing is mapped where there are no page tables, or the hypervisor's")
{
	grant_handle_t handle;

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT(grant_map(own_domain_id(), REF, (void *)0xffff800000000000, MAP_RW, &handle) !=
	       GNTST_okay);
	EXPECT(grant_map(own_domain_id(), REF, (void *)0x700000000000, MAP_RW, &handle) !=
	       GNTST_okay);
	EXPECT(grant_withdraw(REF));
	grant_pages_give();
}

TINY_TEST(grants_tables, "grants.tables",
	  "a page table granted for writing would be the end of all isolation")
{
	const void *table = (const void *)tiny_start_info->pt_base;
	grant_handle_t handle;

	grant_pages_take();
	grant_offer(REF, table, own_domain_id(), 0);
	EXPECT(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle) != GNTST_okay);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RO, &handle), GNTST_okay);
	EXPECT(!memcmp(grant_window, table, 256 * sizeof(uint64_t)));
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT(grant_withdraw(REF));
	grant_pages_give();
}

TINY_TEST(grants_copy_tables, "grants.copy-tables", "nor is a page table written by a copy")
{
	gnttab_copy_t op = { .len = 8 };
	uint64_t *page = page_alloc();

	op.source.u.gmfn = virt_to_mfn(page).n;
	op.source.domid = op.dest.domid = DOMID_SELF;
	op.dest.u.gmfn = virt_to_mfn((const void *)tiny_start_info->pt_base).n;
	EXPECT(copy(&op) != GNTST_okay);
	page_free(page);
}

TINY_TEST(grants_pinned, "grants.pinned",
	  "a frame that is mapped by a grant cannot become a page table")
{
	mmuext_op_t pin = { .cmd = MMUEXT_PIN_L1_TABLE };
	mmuext_op_t unpin = { .cmd = MMUEXT_UNPIN_TABLE };
	grant_handle_t handle;

	grant_pages_take();
	memset(grant_shared, 0, PAGE_SIZE);
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(page_set_readonly(grant_shared), 0);
	pin.arg1.mfn = unpin.arg1.mfn = virt_to_mfn(grant_shared).n;
	EXPECT(hv_mmuext_op(&pin, 1, NULL) < 0);
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT(grant_withdraw(REF));
	EXPECT_EQ(hv_mmuext_op(&pin, 1, NULL), 0);
	EXPECT_EQ(hv_mmuext_op(&unpin, 1, NULL), 0);
	EXPECT_EQ(page_set_writable(grant_shared), 0);
	grant_pages_give();
}

static int set_version(uint32_t version)
{
	gnttab_set_version_t set = { .version = version };
	int rc = (int)hv_grant_table_op(GNTTABOP_set_version, &set, 1);

	return rc ? rc : (int)set.version;
}

/* With version 2 in force; the entry's form and the place of its use bits differ. */
static void try_version2(volatile grant_entry_v2_t *e, const volatile grant_status_t *status)
{
	grant_handle_t handle;

	grant_pages_take();
	e->full_page.frame = virt_to_mfn(grant_shared).n;
	e->hdr.domid = own_domain_id();
	e->hdr.flags = GTF_permit_access;
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(grant_window[0], 0x1234);
	EXPECT_EQ(e->hdr.flags, GTF_permit_access);
	EXPECT_EQ(*status, GTF_reading | GTF_writing);
	EXPECT_EQ(set_version(1), -XEN_EBUSY);
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT_EQ(*status, 0);
	e->hdr.flags = 0;
	grant_pages_give();
}

TINY_TEST(grants_version2, "grants.version2",
	  "guests with much memory use the other form of entries")
{
	gnttab_get_status_frames_t get = { .dom = DOMID_SELF, .nr_frames = 1 };
	grant_status_t *status = page_alloc();
	uint64_t frame = 0;

	get.frame_list.p = &frame;
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_get_status_frames, &get, 1), 0);
	EXPECT_EQ(get.status, GNTST_general_error);
	EXPECT_EQ(set_version(3), -XEN_EINVAL);
	REQUIRE_EQ(set_version(2), 2);
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_get_status_frames, &get, 1), 0);
	EXPECT_EQ(get.status, GNTST_okay);
	EXPECT_EQ(page_map(status, make_pte(mfn(frame), PTE_KERNEL_RW)), 0);
	try_version2((volatile grant_entry_v2_t *)grant_entries() + REF, &status[REF]);
	EXPECT_EQ(page_set_writable(status), 0);
	EXPECT_EQ(set_version(1), 1);
	EXPECT_EQ(grant_entries()[REF].flags, 0);
	page_free(status);
}

TINY_TEST(grants_transitive, "grants.transitive",
	  "a grant passed on to oneself leads nowhere; part of a page is no more than that")
{
	gnttab_copy_t op = { .flags = GNTCOPY_source_gref, .len = 8 };
	volatile grant_entry_v2_t *e = (volatile grant_entry_v2_t *)grant_entries();
	grant_handle_t handle;

	REQUIRE_EQ(set_version(2), 2);
	grant_pages_take();
	EXPECT_EQ(page_set_writable(grant_window), 0);
	op.source.domid = own_domain_id();
	op.dest.u.gmfn = virt_to_mfn(grant_window).n;
	op.dest.domid = DOMID_SELF;
	e[REF].transitive.trans_domid = own_domain_id();
	e[REF].transitive.gref = REF + 1;
	e[REF].hdr.domid = own_domain_id();
	e[REF].hdr.flags = GTF_transitive;
	op.source.u.ref = REF;
	EXPECT_EQ(copy(&op), GNTST_general_error);
	e[REF].transitive.trans_domid = 1234;
	EXPECT_EQ(copy(&op), GNTST_general_error);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RO, &handle),
		  GNTST_general_error);
	e[REF].hdr.flags = 0;
	e[REF + 1].sub_page.frame = virt_to_mfn(grant_shared).n;
	e[REF + 1].sub_page.page_off = 16;
	e[REF + 1].sub_page.length = 8;
	e[REF + 1].hdr.domid = own_domain_id();
	e[REF + 1].hdr.flags = GTF_permit_access | GTF_sub_page;
	op.source.u.ref = REF + 1;
	EXPECT_EQ(copy(&op), GNTST_general_error);
	op.source.offset = 16;
	EXPECT_EQ(copy(&op), GNTST_okay);
	e[REF + 1].hdr.flags = 0;
	grant_pages_give();
	EXPECT_EQ(set_version(1), 1);
}

static int replace(const void *page, const void *fresh, grant_handle_t handle)
{
	gnttab_unmap_and_replace_t op = { .host_addr = (uint64_t)page,
					  .new_addr = (uint64_t)fresh,
					  .handle = handle };
	long rc = hv_grant_table_op(GNTTABOP_unmap_and_replace, &op, 1);

	return rc ? (int)rc * 100 : op.status;
}

TINY_TEST(grants_replace, "grants.replace",
	  "a mapping gives way to another page's, which is then nowhere else")
{
	uint64_t *spare = page_alloc(), entry = *pte_of(spare, 1);
	grant_handle_t handle;

	grant_pages_take();
	*spare = 0x7777;
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(replace(grant_window, spare, handle + 1), GNTST_bad_handle);
	EXPECT_EQ(replace(grant_window, (void *)0x123456789000, handle), GNTST_general_error);
	EXPECT_EQ(replace(grant_window, (void *)0xffff830000000000, handle), GNTST_general_error);
	EXPECT_EQ(*grant_window, 0x1234);
	EXPECT_EQ(replace(grant_window, spare, handle), GNTST_okay);
	EXPECT_EQ(*(volatile uint64_t *)grant_window, 0x7777);
	EXPECT_EQ(*pte_of(grant_window, 1) & PTE_FRAME, entry & PTE_FRAME);
	EXPECT_EQ(*pte_of(spare, 1), 0);
	EXPECT(grant_withdraw(REF));
	EXPECT_EQ(replace(grant_window, spare, handle), GNTST_bad_handle);
	EXPECT_EQ(page_set_writable(spare), 0);
	EXPECT_EQ(page_map(grant_window, 0), 0);
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(replace(grant_window, NULL, handle), GNTST_okay);
	EXPECT_EQ(*pte_of(grant_window, 1), 0);
	EXPECT(grant_withdraw(REF));
	page_free(spare);
	grant_pages_give();
}

TINY_TEST(grants_device, "grants.device",
	  "a mapping for a device and one for the CPU are two parts of one handle")
{
	gnttab_map_grant_ref_t map = { .flags = GNTMAP_device_map, .ref = REF };
	gnttab_unmap_grant_ref_t unmap = { 0 };

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	map.dom = own_domain_id();
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_map_grant_ref, &map, 1), 0);
	EXPECT_EQ(map.status, GNTST_okay);
	EXPECT_EQ(map.dev_bus_addr, virt_to_machine(grant_shared));
	EXPECT(!grant_withdraw(REF));
	unmap.handle = map.handle;
	unmap.dev_bus_addr = map.dev_bus_addr;
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_unmap_grant_ref, &unmap, 1), 0);
	EXPECT_EQ(unmap.status, GNTST_okay);
	EXPECT(grant_withdraw(REF));
	map.flags = 0;
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_map_grant_ref, &map, 1), 0);
	EXPECT_EQ(map.status, GNTST_bad_gntref);
	grant_pages_give();
}

static long flush_cache(uint64_t address, unsigned int operation, uint16_t offset, uint16_t length)
{
	gnttab_cache_flush_t op = {
		.a.dev_bus_addr = address, .offset = offset, .length = length, .op = operation
	};

	return hv_grant_table_op(GNTTABOP_cache_flush, &op, 1);
}

TINY_TEST(grants_caches, "grants.caches", "caches are kept for own memory, within a page")
{
	uint64_t *page = page_alloc(), at = virt_to_machine(page);

	EXPECT_EQ(flush_cache(at, GNTTAB_CACHE_CLEAN, 0, 64), 0);
	EXPECT_EQ(flush_cache(at, GNTTAB_CACHE_CLEAN | GNTTAB_CACHE_INVAL, 0, 64), 0);
	EXPECT_EQ(flush_cache(at, GNTTAB_CACHE_INVAL, 0, 64), -XEN_EOPNOTSUPP);
	EXPECT_EQ(flush_cache(at, GNTTAB_CACHE_CLEAN, 4090, 100), -XEN_EINVAL);
	EXPECT_EQ(flush_cache(at, 8, 0, 64), -XEN_EINVAL);
	EXPECT_EQ(flush_cache(at, 0, 0, 64), 0);
	EXPECT_EQ(flush_cache(0xfffffffff000, GNTTAB_CACHE_CLEAN, 0, 64), -XEN_EINVAL);
	page_free(page);
}
