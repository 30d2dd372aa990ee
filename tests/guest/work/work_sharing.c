// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a control domain does that finds equal pages in two translated guests: the word `sharing` of the initial domain, beside two PVH guests with the word
 * `equal`, numbers 1 and 2. All their pages that it shares hold the same, and they go on writing it; so whatever is shared when, they must never notice.
 */
#define __XEN_TOOLS__
#include "tiny_case.h"
#include "tiny_equal.h"
#include "tiny_work.h"
#include <xen/memory.h>

#define FIRST 1
#define SECOND 2
#define ROUNDS 200000u

#define MUST(what, condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return what;                                                               \
	} while (0)

static long sharing(struct xen_mem_sharing_op *op)
{
	return hypercall2(__HYPERVISOR_memory_op, XENMEM_sharing_op, (uint64_t)op);
}

static long nominate(domid_t domain, uint64_t gfn, uint64_t *handle)
{
	struct xen_mem_sharing_op op = { .op = XENMEM_sharing_op_nominate_gfn, .domain = domain };
	long ret;

	op.u.nominate.u.gfn = gfn;
	ret = sharing(&op);
	*handle = op.u.nominate.handle;
	return ret;
}

static long range(uint64_t first, uint64_t last)
{
	struct xen_mem_sharing_op op = { .op = XENMEM_sharing_op_range_share, .domain = FIRST };

	op.u.range.first_gfn = first;
	op.u.range.last_gfn = last;
	op.u.range.client_domain = SECOND;
	return sharing(&op);
}

static long share(uint64_t source, uint64_t client)
{
	struct xen_mem_sharing_op op = { .op = XENMEM_sharing_op_share, .domain = FIRST };

	op.u.share.source_gfn = EQUAL_GFN;
	op.u.share.source_handle = source;
	op.u.share.client_gfn = EQUAL_GFN;
	op.u.share.client_handle = client;
	op.u.share.client_domain = SECOND;
	return sharing(&op);
}

static long count(domid_t domain, uint64_t gfn)
{
	struct xen_mem_sharing_op op = { .op = XENMEM_sharing_op_debug_gfn, .domain = domain };

	op.u.debug.u.gfn = gfn;
	return sharing(&op);
}

static long audit(domid_t domain)
{
	struct xen_mem_sharing_op op = { .op = XENMEM_sharing_op_audit, .domain = domain };

	return sharing(&op);
}

static const char *errors(void)
{
	uint64_t handle;

	MUST("a domain that is not there has memory", nominate(77, 0, &handle) == -XEN_ESRCH);
	MUST("its own memory is shared", nominate(0, 0, &handle) == -XEN_EPERM);
	MUST("what is no memory is nominated", nominate(FIRST, 1UL << 40, &handle) == -XEN_EINVAL);
	MUST("a range backwards", range(EQUAL_GFN + 1, EQUAL_GFN) == -XEN_EINVAL);
	MUST("a handle that nobody gave", share(~0UL, ~0UL) == XENMEM_SHARING_OP_S_HANDLE_INVALID);
	return NULL;
}

/* Until one of the two ends. */
static const char *share_on(unsigned int *seen)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint64_t gfn = EQUAL_GFN + round % EQUAL_PAGES;
		long ret = range(EQUAL_GFN, EQUAL_GFN + EQUAL_PAGES - 1);

		if (ret == -XEN_ESRCH)
			return NULL;
		MUST("a range is not shared", !ret);
		*seen += count(SECOND, gfn) > 1;
		ret = audit(FIRST);
		MUST("the audit finds something", !ret || ret == -XEN_ESRCH);
		hv_sched_op(SCHEDOP_yield, NULL);
	}
	return "they never end";
}

const char *work_sharing(const char *line)
{
	const char *failure = errors();
	unsigned int seen = 0;

	(void)line;
	if (!failure)
		failure = share_on(&seen);
	printf("tiny: sharing: %u looks found a page with more than one owner\n", seen);
	MUST(failure, !failure);
	MUST("nothing was ever shared", seen);
	return NULL;
}
