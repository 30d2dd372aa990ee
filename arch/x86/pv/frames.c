// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory for a new PV domain: blocks from the heap, largest first, laid end to end in its
 * pseudo-physical space. Also the frame list and the M2P for them, and writing into them while
 * there are no page tables yet.
 */
#include "frames.h"
#include "internal.h"
#include "m2p.h"
#include <tine/heap.h>
#include <tine/string.h>

#define RUNS_ORDER 2
#define MAX_RUNS ((PAGE_SIZE << RUNS_ORDER) / sizeof(struct pv_run))

/* Blocks that happen to follow each other are one run. */
static int add_block(struct pv_frames *f, mfn_t mfn, unsigned long pfn, unsigned int order)
{
	struct pv_run *end = &f->runs[f->nr_runs];

	if (f->nr_runs && mfn_eq(mfn_add(end[-1].mfn, end[-1].count), mfn)) {
		end[-1].count += 1UL << order;
		return 0;
	}
	if (f->nr_runs == MAX_RUNS)
		return -ENOMEM; /* in shreds; the frames taken so far go with the domain */
	*end = (struct pv_run){ mfn, pfn, 1UL << order };
	f->nr_runs++;
	return 0;
}

int pv_frames_allocate(struct pv_frames *f, struct domain *d, unsigned long nr_pages)
{
	unsigned int order = HEAP_MAX_ORDER;
	unsigned int flags = d->config.memory_as_found ? HEAP_DIRTY_OK : 0;
	unsigned long pfn = 0;
	mfn_t mfn;
	int rc;

	*f = (struct pv_frames){ .d = d, .nr_pages = nr_pages };
	f->runs = heap_alloc_pages(RUNS_ORDER, HEAP_DIRTY_OK);
	if (!f->runs)
		return -ENOMEM;
	while (pfn < nr_pages) {
		order = min(order, msb(nr_pages - pfn));
		rc = domain_alloc_pages(d, order, flags, &mfn);
		if (rc == -ENOMEM && order) {
			order--;
			continue;
		}
		if (!rc)
			rc = add_block(f, mfn, pfn, order);
		if (!rc)
			rc = pv_m2p_set_run(mfn, pfn, 1UL << order);
		if (rc)
			return rc;
		pfn += 1UL << order;
	}
	return 0;
}

void pv_frames_forget(struct pv_frames *f)
{
	if (f->runs)
		heap_free_pages(f->runs, RUNS_ORDER);
	f->runs = NULL;
}

static bool in_run(const struct pv_run *run, unsigned long pfn)
{
	return pfn - run->pfn < run->count;
}

mfn_t pv_frame(struct pv_frames *f, unsigned long pfn)
{
	unsigned int i;

	if (!in_run(&f->runs[f->last], pfn)) {
		for (i = 0; i + 1 < f->nr_runs && !in_run(&f->runs[i], pfn); i++)
			;
		f->last = i;
	}
	return mfn_add(f->runs[f->last].mfn, pfn - f->runs[f->last].pfn);
}

void pv_frames_write(struct pv_frames *f, u64 at, const void *src, size_t size)
{
	while (size) {
		size_t offset = at & ~PAGE_MASK, n = min(size, PAGE_SIZE - offset);
		u8 *to = (u8 *)mfn_to_virt(pv_frame(f, at >> PAGE_SHIFT)) + offset;

		if (src) {
			memcpy(to, src, n);
			src = (const u8 *)src + n;
		} else {
			memset(to, 0, n);
		}
		at += n;
		size -= n;
	}
}

void pv_frames_list(struct pv_frames *f, u64 at)
{
	const unsigned long words = PAGE_SIZE / sizeof(u64);
	unsigned long pfn = 0, n;

	for (; pfn < f->nr_pages; pfn += n) {
		u64 *page = mfn_to_virt(pv_frame(f, (at >> PAGE_SHIFT) + pfn / words));
		mfn_t mfn = pv_frame(f, pfn);
		const struct pv_run *run = &f->runs[f->last];

		n = min(words - pfn % words, run->pfn + run->count - pfn);
		pv_count_up(page + pfn % words, mfn_x(mfn), n);
	}
}
