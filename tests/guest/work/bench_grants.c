// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grants of the initial domain to itself: mapping one and unmapping it, by turns, and copying out
 * of one. Other domains do not know their own number; they leave these rows out.
 */
#include "tiny_bench.h"
#include "tiny_grant.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"

#define SELF 0
#define REF GRANT_FIRST_FREE

static uint64_t unmap_took;
static char *granted, *window, *copied;
static gnttab_copy_t copy;

static long map_one(uint64_t *elapsed)
{
	grant_handle_t handle;
	uint64_t start;
	unsigned int i;

	*elapsed = unmap_took = 0;
	for (i = 0; i < BENCH_COUNT; i++) {
		start = tsc_now();
		if (grant_map(SELF, REF, window, GNTMAP_host_map, &handle))
			return -XEN_EPERM;
		*elapsed += tsc_now() - start;
		start = tsc_now();
		if (grant_unmap(window, handle))
			return -XEN_EPERM;
		unmap_took += tsc_now() - start;
	}
	return 0;
}

static long unmap_one(uint64_t *elapsed)
{
	*elapsed = unmap_took;
	return 0;
}

static inline long copy_one(uint16_t bytes)
{
	copy.len = bytes;
	return hv_grant_table_op(GNTTABOP_copy, &copy, 1) | copy.status;
}

BENCH_ROW(copy_page, copy_one(PAGE_SIZE))
BENCH_ROW(copy_64, copy_one(64))

static const char *prepare(void)
{
	granted = page_alloc();
	window = page_alloc();
	copied = page_alloc();
	if (page_map(window, 0))
		return "cannot unmap a page";
	grant_offer(REF, granted, SELF, 0);
	copy = (gnttab_copy_t){ .flags = GNTCOPY_source_gref };
	copy.source.u.ref = REF;
	copy.source.domid = SELF;
	copy.dest.u.gmfn = virt_to_mfn(copied).n;
	copy.dest.domid = DOMID_SELF;
	return NULL;
}

static const struct bench_row rows[] = {
	{ "grant_map", map_one, BENCH_COUNT },
	{ "grant_unmap", unmap_one, BENCH_COUNT },
	{ "grant_copy_4096", bench_copy_page, 0 },
	{ "grant_copy_64", bench_copy_64, 0 },
};

const struct bench_group bench_grants = { prepare, rows, ARRAY_SIZE(rows) };
