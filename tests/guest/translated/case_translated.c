// SPDX-License-Identifier: GPL-2.0-or-later
/* A guest whose memory is translated: its physical memory as memory_op changes it, and frames of others in it by grants. */
#include "tiny_grant.h"
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_places.h"
#include <xen/memory.h>

#define HOLE ((uint64_t)tiny_places.hole)
#define FAR ((uint64_t)tiny_places.far)
#define SKIP_FIXED()                                                                               \
	SKIP_IF(!hypervisor_is_tine(), "Xen's first domain has memory where the machine has it")
#define GRANT_REF 20
#define PATTERN 0x5a5a1234deadbeefUL

static uint64_t page[PAGE_SIZE / 8] __page_aligned, other[PAGE_SIZE / 8] __page_aligned;
static uint8_t large[2 * PAGE_SIZE] __page_aligned;

static long memory_op(uint64_t command, void *arg)
{
	return hypercall2(__HYPERVISOR_memory_op, command, (uint64_t)arg);
}

static long reserve(uint64_t command, const void *first, unsigned int count)
{
	xen_pfn_t frames[2] = { (uint64_t)first / PAGE_SIZE, (uint64_t)first / PAGE_SIZE + 1 };
	struct xen_memory_reservation r = { .nr_extents = count, .domid = DOMID_SELF };

	set_xen_guest_handle(r.extent_start, frames);
	return memory_op(command, &r);
}

static bool is_there(const void *at)
{
	return hv_xen_version(XENVER_extraversion, (void *)(uint64_t)at) == 0;
}

TINY_TEST(test_balloon, "memory.balloon", "frames given back are holes, and come back clean")
{
	domid_t self = DOMID_SELF;
	long before = memory_op(XENMEM_current_reservation, &self), room;

	SKIP_FIXED();
	large[0] = 1;
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, large, 2), 2);
	EXPECT_EQ(memory_op(XENMEM_current_reservation, &self), before - 2);
	EXPECT(!is_there(large));
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, large, 2), 0); /* nothing is there */
	EXPECT_EQ(reserve(XENMEM_populate_physmap, large, 2), 2);
	EXPECT_EQ(reserve(XENMEM_populate_physmap, large, 2), 0); /* something is there */
	EXPECT_EQ(memory_op(XENMEM_current_reservation, &self), before);
	EXPECT_EQ(large[0], 0);
	/* No more than it may have: a frame less is there since shared info took its place. */
	room = memory_op(XENMEM_maximum_reservation, &self) - before;
	REQUIRE(room < 2);
	EXPECT_EQ(reserve(XENMEM_populate_physmap, (void *)HOLE, 2), room);
	EXPECT_EQ(reserve(XENMEM_decrease_reservation, (void *)HOLE, 2), room);
	EXPECT_EQ(reserve(XENMEM_increase_reservation, (void *)HOLE, 1), 0);
	EXPECT_EQ(memory_op(XENMEM_exchange, page), -XEN_EOPNOTSUPP);
}

TINY_TEST(test_move, "memory.move", "a frame has one place, and what lay there before is gone")
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = XENMAPSPACE_gmfn,
					  .idx = (uint64_t)page / PAGE_SIZE,
					  .gpfn = (uint64_t)other / PAGE_SIZE };
	struct xen_remove_from_physmap remove = { .domid = DOMID_SELF, .gpfn = HOLE / PAGE_SIZE };

	SKIP_FIXED();
	page[0] = PATTERN;
	REQUIRE_EQ(memory_op(XENMEM_add_to_physmap, &add), 0);
	EXPECT_EQ(other[0], PATTERN);
	EXPECT(!is_there(page));
	REQUIRE_EQ(reserve(XENMEM_populate_physmap, page, 1), 1);
	EXPECT_EQ(page[0], 0);
	EXPECT_EQ(memory_op(XENMEM_remove_from_physmap, &remove), -XEN_ENOENT);
	add.space = XENMAPSPACE_gmfn_foreign;
	EXPECT_EQ(memory_op(XENMEM_add_to_physmap, &add), -XEN_EPERM);
}

TINY_TEST(test_batch, "memory.batch", "a batch says for each page what became of it")
{
	xen_ulong_t index[2] = { 1, 100000 };
	xen_pfn_t at[2] = { FAR / PAGE_SIZE, HOLE / PAGE_SIZE };
	int errors[2] = { 1, 1 };
	struct xen_add_to_physmap_batch batch = { .domid = DOMID_SELF,
						  .space = XENMAPSPACE_grant_table,
						  .size = 2 };

	set_xen_guest_handle(batch.idxs, index);
	set_xen_guest_handle(batch.gpfns, at);
	set_xen_guest_handle(batch.errs, errors);
	EXPECT_EQ(memory_op(XENMEM_add_to_physmap_batch, &batch), 0);
	EXPECT_EQ(errors[0], 0);
	EXPECT_EQ(errors[1], -XEN_EINVAL);
}

static int map(uint32_t flags, uint64_t at, grant_handle_t *handle)
{
	return grant_map(own_domain_id(), GRANT_REF, (const void *)at, flags, handle);
}

static int unmap(uint64_t at, grant_handle_t handle)
{
	return grant_unmap((const void *)at, handle);
}

/* Its own frame, as the other side of a connection would have it. */
TINY_TEST(test_grant, "memory.grant", "a granted frame appears where the guest has nothing")
{
	volatile uint64_t *there = (uint64_t *)HOLE;
	grant_handle_t handle = 0;

	SKIP_FIXED();
	grant_offer(GRANT_REF, page, own_domain_id(), 0);
	page[1] = PATTERN;
	EXPECT_EQ(map(GNTMAP_host_map, (uint64_t)other, &handle), GNTST_general_error);
	EXPECT_EQ(map(GNTMAP_host_map | GNTMAP_contains_pte, HOLE, &handle), GNTST_general_error);
	REQUIRE_EQ(map(GNTMAP_host_map, HOLE, &handle), GNTST_okay);
	EXPECT_EQ(there[1], PATTERN);
	there[1] = 1;
	EXPECT_EQ(page[1], 1);
	EXPECT_EQ(unmap(FAR, handle), GNTST_general_error);
	EXPECT_EQ(unmap(HOLE, handle), GNTST_okay);
	EXPECT(!is_there((void *)HOLE));
	REQUIRE_EQ(map(GNTMAP_host_map | GNTMAP_readonly, HOLE, &handle), GNTST_okay);
	EXPECT_EQ(there[1], 1);
	EXPECT(!is_there((void *)HOLE)); /* nor does the hypervisor write there */
	EXPECT_EQ(unmap(HOLE, handle), GNTST_okay);
	EXPECT_EQ(unmap(HOLE, handle), GNTST_bad_handle);
}

TINY_TEST(test_multicall, "multicall", "calls in a list are those that such a guest may make")
{
	multicall_entry_t list[3] = {
		{ .op = __HYPERVISOR_xen_version, .args = { XENVER_version } },
		{ .op = __HYPERVISOR_mmu_update },
		{ .op = __HYPERVISOR_multicall },
	};

	EXPECT_EQ(hypercall2(__HYPERVISOR_multicall, (uint64_t)list, 3), 0);
	EXPECT_EQ(list[0].result, hv_xen_version(XENVER_version, NULL));
	EXPECT_EQ((long)list[1].result, -XEN_ENOSYS);
	EXPECT_EQ((long)list[2].result, -XEN_EINVAL);
	EXPECT_EQ(hypercall2(__HYPERVISOR_multicall, HOLE, 1), -XEN_EFAULT);
}
