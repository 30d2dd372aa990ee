// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grants, alone: a domain may grant to itself, so entries, uses and page tables can be tested
 * without a second one (work_grants.c has that).
 */
#include "tiny_case.h"
#include "tiny_grant.h"

#define MAP_RW GNTMAP_host_map
#define MAP_RO (GNTMAP_host_map | GNTMAP_readonly)
#define REF GRANT_FIRST_FREE

TINY_TEST(grants_sizes, "grants.sizes", "a guest grows its table by what these calls say")
{
	gnttab_query_size_t query = { .dom = DOMID_SELF };
	gnttab_get_version_t version = { .dom = DOMID_SELF };

	REQUIRE_EQ(hv_grant_table_op(GNTTABOP_query_size, &query, 1), 0);
	EXPECT_EQ(query.status, GNTST_okay);
	EXPECT(query.nr_frames >= 1 && query.nr_frames <= query.max_nr_frames);
	EXPECT(query.max_nr_frames >= 4);
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_get_version, &version, 1), 0);
	EXPECT_EQ(version.version, 1);
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_query_size, (void *)0x123456789000, 1), -XEN_EFAULT);
	EXPECT_EQ(hv_grant_table_op(77, &query, 1), -XEN_ENOSYS);
}

TINY_TEST(grants_map, "grants.map",
	  "a mapping must show the granted frame and pin it until it is withdrawn")
{
	grant_handle_t handle;

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(grant_window[0], 0x1234);
	grant_window[1] = 0x5678;
	EXPECT_EQ(grant_shared[1], 0x5678);
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access | GTF_reading | GTF_writing);
	EXPECT(!grant_withdraw(REF));
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access);
	EXPECT(grant_withdraw(REF));
	EXPECT(!window_can_read(grant_window));
	grant_pages_give();
}

TINY_TEST(grants_readonly, "grants.readonly",
	  "what is granted for reading must not become writable")
{
	grant_handle_t handle, second;

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), GTF_readonly);
	EXPECT(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle) != GNTST_okay);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RO, &handle), GNTST_okay);
	EXPECT_EQ(grant_window[0], 0x1234);
	EXPECT(!window_can_write(grant_window));
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access | GTF_readonly | GTF_reading);
	EXPECT(grant_map(own_domain_id(), REF, grant_shared, MAP_RW, &second) != GNTST_okay);
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT(grant_withdraw(REF));
	grant_pages_give();
}

TINY_TEST(grants_refused, "grants.refused",
	  "each wrong field of a mapping is told by a status, and changes nothing")
{
	gnttab_query_size_t query = { .dom = DOMID_SELF };
	grant_handle_t handle;

	grant_pages_take();
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_query_size, &query, 1), 0);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle),
		  GNTST_general_error);
	EXPECT_EQ(grant_map(own_domain_id(), query.nr_frames * 512, grant_window, MAP_RW, &handle),
		  GNTST_bad_gntref);
	EXPECT_EQ(grant_map(DOMID_INVALID, REF, grant_window, MAP_RW, &handle), GNTST_bad_domain);
	grant_offer(REF, grant_shared, 1234, 0);
	EXPECT(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &handle) != GNTST_okay);
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	EXPECT(grant_unmap(grant_window, 0x7fffffff) != GNTST_okay);
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access);
	EXPECT(grant_withdraw(REF));
	EXPECT(!window_can_read(grant_window));
	grant_pages_give();
}

static int copy(gnttab_copy_t *op)
{
	long rc = hv_grant_table_op(GNTTABOP_copy, op, 1);

	return rc ? (int)rc * 100 : op->status;
}

TINY_TEST(grants_copy, "grants.copy",
	  "copies go by grant or by own frame on either side, within a page")
{
	gnttab_copy_t op = { .flags = GNTCOPY_source_gref, .len = 8 };
	uint64_t *page = page_alloc();

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), GTF_readonly);
	op.source.u.ref = REF;
	op.source.domid = own_domain_id();
	op.dest.u.gmfn = frame_of(page);
	op.dest.domid = DOMID_SELF;
	op.dest.offset = 4088;
	EXPECT_EQ(copy(&op), GNTST_okay);
	EXPECT_EQ(page[511], 0x1234);
	op.dest.offset = 4089;
	EXPECT_EQ(copy(&op), GNTST_bad_copy_arg);
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access | GTF_readonly);
	op = (gnttab_copy_t){ .flags = GNTCOPY_dest_gref, .len = 8 };
	op.source.u.gmfn = frame_of(page);
	op.source.domid = DOMID_SELF;
	op.dest.u.ref = REF;
	op.dest.domid = own_domain_id();
	EXPECT(copy(&op) != GNTST_okay);
	EXPECT(grant_withdraw(REF));
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	page[0] = 0x9999;
	EXPECT_EQ(copy(&op), GNTST_okay);
	EXPECT_EQ(grant_shared[0], 0x9999);
	EXPECT(grant_withdraw(REF));
	op = (gnttab_copy_t){ .len = 8 };
	op.source.u.gmfn = frame_of(page);
	op.source.domid = op.dest.domid = DOMID_SELF;
	op.dest.u.gmfn = ~0ul >> 12;
	EXPECT(copy(&op) != GNTST_okay);
	page_free(page);
	grant_pages_give();
}

TINY_TEST(grants_handles, "grants.handles",
	  "handles are given out again, and one that was ended ends no other")
{
	grant_handle_t first, second;
	uint64_t *other = page_alloc();
	unsigned int i;

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	for (i = 0; i < 300; i++) {
		REQUIRE_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &first),
			   GNTST_okay);
		REQUIRE_EQ(grant_unmap(grant_window, first), GNTST_okay);
	}
	EXPECT(first < 300);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RW, &first), GNTST_okay);
	EXPECT_EQ(page_set_writable(grant_shared), 0);
	EXPECT(grant_unmap(other, first) != GNTST_okay);
	EXPECT_EQ(grant_unmap(grant_window, first), GNTST_okay);
	EXPECT(grant_unmap(grant_window, first) != GNTST_okay);
	EXPECT_EQ(grant_map(own_domain_id(), REF, grant_window, MAP_RO, &second), GNTST_okay);
	EXPECT_EQ(grant_unmap(grant_window, second), GNTST_okay);
	EXPECT(grant_withdraw(REF));
	page_free(other);
	grant_pages_give();
}

static int swap(uint32_t a, uint32_t b)
{
	gnttab_swap_grant_ref_t op = { .ref_a = a, .ref_b = b };
	long rc = hv_grant_table_op(GNTTABOP_swap_grant_ref, &op, 1);

	return rc ? (int)rc * 100 : op.status;
}

TINY_TEST(grants_swap, "grants.swap", "entries change places unless one is in use")
{
	grant_handle_t handle;

	grant_pages_take();
	grant_offer(REF, grant_shared, own_domain_id(), 0);
	grant_offer(REF + 1, grant_shared, 1234, GTF_readonly);
	EXPECT_EQ(swap(REF, REF + 1), GNTST_okay);
	EXPECT_EQ(grant_entries()[REF].domid, 1234);
	EXPECT_EQ(grant_entries()[REF].flags, GTF_permit_access | GTF_readonly);
	EXPECT_EQ(grant_map(own_domain_id(), REF + 1, grant_window, MAP_RW, &handle), GNTST_okay);
	EXPECT_EQ(swap(REF, REF + 1), GNTST_eagain);
	EXPECT_EQ(swap(REF + 1, REF + 1), GNTST_okay);
	EXPECT_EQ(grant_unmap(grant_window, handle), GNTST_okay);
	EXPECT_EQ(swap(REF, 1 << 20), GNTST_bad_gntref);
	EXPECT(grant_withdraw(REF) && grant_withdraw(REF + 1));
	grant_pages_give();
}

TINY_TEST(grants_whose, "grants.whose", "the tables of nobody, and copies to nobody")
{
	gnttab_query_size_t query = { .dom = 1234 };
	gnttab_get_version_t version = { .dom = 1234 };
	gnttab_copy_t op = { .len = 8 };
	uint64_t *page = page_alloc();
	int status;

	EXPECT_EQ(hv_grant_table_op(GNTTABOP_query_size, &query, 1), 0);
	EXPECT_EQ(query.status, GNTST_bad_domain);
	EXPECT_EQ(hv_grant_table_op(GNTTABOP_get_version, &version, 1), -XEN_ESRCH);
	op.source.u.gmfn = op.dest.u.gmfn = frame_of(page);
	op.source.domid = DOMID_SELF;
	op.dest.domid = own_domain_id();
	EXPECT_EQ(copy(&op), GNTST_permission_denied);
	op.dest.domid = 1234;
	status = copy(
		&op); /* which of the two wrongs comes first differs between Xen 4.17.5 and 4.17.7 */
	EXPECT(status == GNTST_bad_domain || status == GNTST_permission_denied);
	page_free(page);
}
