// SPDX-License-Identifier: GPL-2.0-or-later
/* The log of changes: see p2m_log.h. The pages are a stack, linked by frame number; the top one is filled from its start. */
#include "p2m_log.h"
#include <tine/heap.h>

struct log_page {
	u64 below; /* the next page's frame number, or INVALID_MFN's */
	u64 count;
	u64 place[510]; /* gfn * 8 + level */
};
_Static_assert(sizeof(struct log_page) == PAGE_SIZE, "one frame");

static struct log_page *top_of(const struct p2m *p2m)
{
	return mfn_eq(p2m->log.top, INVALID_MFN) ? NULL : mfn_to_virt(p2m->log.top);
}

static struct log_page *add_page(struct p2m *p2m)
{
	struct log_page *page;
	mfn_t mfn;

	if (p2m->log.pages == p2m->log.max_pages)
		return NULL;
	mfn = heap_alloc(0, NUMA_NO_NODE, 0, HEAP_DIRTY_OK);
	if (mfn_eq(mfn, INVALID_MFN))
		return NULL;
	page = mfn_to_virt(mfn);
	page->below = mfn_x(p2m->log.top);
	page->count = 0;
	p2m->log.top = mfn;
	p2m->log.pages++;
	return page;
}

static void drop_page(struct p2m *p2m)
{
	mfn_t mfn = p2m->log.top;

	p2m->log.top = _mfn(top_of(p2m)->below);
	p2m->log.pages--;
	heap_free(mfn, 0, true);
}

void p2m_log(struct p2m *p2m, gfn_t gfn, unsigned int level)
{
	struct log_page *page = top_of(p2m);

	if (mfn_eq(p2m->origin, INVALID_MFN) || p2m->log.lost)
		return;
	if (!page || page->count == ARRAY_SIZE(page->place))
		page = add_page(p2m);
	if (page)
		page->place[page->count++] = gfn_x(gfn) << 3 | level;
	else
		p2m->log.lost = true;
}

bool p2m_log_last(const struct p2m *p2m, gfn_t *gfn, unsigned int *level)
{
	const struct log_page *page = top_of(p2m);

	if (!page || !page->count)
		return false;
	*gfn = _gfn(page->place[page->count - 1] >> 3);
	*level = page->place[page->count - 1] & 7;
	return true;
}

/* The last page stays: the next round begins with it. */
void p2m_log_pop(struct p2m *p2m)
{
	struct log_page *page = top_of(p2m);

	if (!--page->count && page->below != mfn_x(INVALID_MFN))
		drop_page(p2m);
}

void p2m_log_clear(struct p2m *p2m)
{
	while (p2m->log.pages)
		drop_page(p2m);
	p2m->log.lost = false;
}
