// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The boot allocator: an array of sorted, disjoint, non-empty frame ranges that are free. Taking from a range's edge
 * shrinks it, taking from its middle splits it. Single CPU, no lock; closed when the heap takes over.
 */
#include <tine/bootmem.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/printk.h>
#include <tine/string.h>

#define MAX_RANGES (2 * BOOT_MAX_REGIONS)
#define MAX_BAD_RANGES 64

static struct mfn_range ranges[MAX_RANGES];
static unsigned int nr_ranges;
static mfn_t end_of_ram;
static bool closed;

static struct mfn_range bad_ranges[MAX_BAD_RANGES];
static unsigned int nr_bad_ranges;

/* badpage=START[-END],...: frame numbers, END included. Several add up; an empty one forgets them. */
static int parse_badpage(const char *value)
{
	if (!*value)
		nr_bad_ranges = 0;
	while (*value) {
		unsigned long first, last;
		int rc = str_to_ulong(&value, 0, &first);

		last = first;
		if (!rc && *value == '-') {
			value++;
			rc = str_to_ulong(&value, 0, &last);
		}
		if (rc || last < first || last == ~0UL || (*value && *value != ','))
			return rc ? rc : -EINVAL;
		if (nr_bad_ranges == MAX_BAD_RANGES)
			return -ENOSPC;
		bad_ranges[nr_bad_ranges++] = (struct mfn_range){ _mfn(first), _mfn(last + 1) };
		value += *value == ',';
	}
	return 0;
}
CMDLINE_CUSTOM_OPTION("badpage", badpage, parse_badpage);

static unsigned long range_frames(const struct mfn_range *r)
{
	return mfn_x(r->end) - mfn_x(r->start);
}

static void remove_range(unsigned int i)
{
	memmove(&ranges[i], &ranges[i + 1], (--nr_ranges - i) * sizeof(ranges[0]));
}

/* Range I loses [START, END), which lies in its middle, and becomes two. With no room for that the smaller part is lost. */
static void split_range(unsigned int i, mfn_t start, mfn_t end)
{
	struct mfn_range low = { ranges[i].start, start }, high = { end, ranges[i].end };

	if (nr_ranges == MAX_RANGES) {
		bool keep_low = range_frames(&low) >= range_frames(&high);
		const struct mfn_range *lost = keep_low ? &high : &low;

		pr_warn("Memory is in more than %u pieces: frames %lx-%lx are left out", MAX_RANGES,
			mfn_x(lost->start), mfn_x(lost->end) - 1);
		ranges[i] = keep_low ? low : high;
		return;
	}
	memmove(&ranges[i + 1], &ranges[i], (nr_ranges++ - i) * sizeof(ranges[0]));
	ranges[i] = low;
	ranges[i + 1] = high;
}

/* Takes [START, END), which lies in range I. */
static void take(unsigned int i, mfn_t start, mfn_t end)
{
	struct mfn_range *r = &ranges[i];
	bool at_start = mfn_eq(r->start, start), at_end = mfn_eq(r->end, end);

	if (at_start && at_end)
		remove_range(i);
	else if (at_start)
		r->start = end;
	else if (at_end)
		r->end = start;
	else
		split_range(i, start, end);
}

void bootmem_reserve(mfn_t start, unsigned long count, const char *why)
{
	unsigned long s = mfn_x(start), e = s + count;
	unsigned long taken = 0;

	if (e < s)
		e = ~0UL;
	for (unsigned int i = nr_ranges; i-- > 0;) {
		unsigned long from = max(s, mfn_x(ranges[i].start));
		unsigned long to = min(e, mfn_x(ranges[i].end));

		if (from < to) {
			taken += to - from;
			take(i, _mfn(from), _mfn(to));
		}
	}
	if (why && taken)
		pr_debug("Reserved %lu frames in %lx-%lx: %s", taken, s, e - 1, why);
}

/* The highest place for COUNT frames in [start, end), INVALID_MFN when there is none. */
static mfn_t fit(mfn_t start, mfn_t end, unsigned long count, unsigned long align)
{
	unsigned long s = mfn_x(start), e = mfn_x(end), at;

	if (e <= s || e - s < count)
		return INVALID_MFN;
	at = ROUND_DOWN(e - count, align);
	return at >= s ? _mfn(at) : INVALID_MFN;
}

static mfn_t fit_in_node(const struct mfn_range *r, unsigned long count, unsigned long align,
			 nodeid_t node)
{
	mfn_t best = INVALID_MFN, start = r->start;

	while (mfn_x(start) < mfn_x(r->end)) {
		mfn_t end = _mfn(min(mfn_x(numa_range_end(start)), mfn_x(r->end)));
		mfn_t at = INVALID_MFN;

		if (numa_node_of(start) == node)
			at = fit(start, end, count, align);
		if (!mfn_eq(at, INVALID_MFN))
			best = at;
		start = end;
	}
	return best;
}

static mfn_t alloc_on(unsigned long count, unsigned long align, mfn_t limit, nodeid_t node)
{
	for (unsigned int i = nr_ranges; i-- > 0;) {
		struct mfn_range r = ranges[i];
		mfn_t at;

		r.end = _mfn(min(mfn_x(r.end), mfn_x(limit)));
		at = node == NUMA_NO_NODE ? fit(r.start, r.end, count, align)
					  : fit_in_node(&r, count, align, node);
		if (!mfn_eq(at, INVALID_MFN)) {
			take(i, at, mfn_add(at, count));
			return at;
		}
	}
	return INVALID_MFN;
}

mfn_t bootmem_try_alloc(unsigned long count, unsigned long align, mfn_t limit, nodeid_t node)
{
	mfn_t mfn = INVALID_MFN;

	BUG_ON(closed || count == 0 || align == 0 || (align & (align - 1)));
	if (node != NUMA_NO_NODE)
		mfn = alloc_on(count, align, limit, node);
	if (mfn_eq(mfn, INVALID_MFN))
		mfn = alloc_on(count, align, limit, NUMA_NO_NODE);
	return mfn;
}

mfn_t bootmem_alloc(unsigned long count, unsigned long align, mfn_t limit, const char *why)
{
	mfn_t mfn = bootmem_try_alloc(count, align, limit, NUMA_NO_NODE);

	if (mfn_eq(mfn, INVALID_MFN))
		panic("Out of memory at boot: no %lu contiguous frames (aligned to %lu) for %s",
		      count, align, why);
	return mfn;
}

/* Whole frames of RAM in [start, end) bytes; regions come in ascending order, neighbours become one range. */
static void add_ram(paddr_t start, paddr_t end, mfn_t limit)
{
	unsigned long s = DIV_ROUND_UP(paddr_x(start), PAGE_SIZE), e = paddr_x(end) >> PAGE_SHIFT;
	struct mfn_range *last = nr_ranges ? &ranges[nr_ranges - 1] : NULL;

	if (e > mfn_x(limit)) {
		s = min(s, e);
		pr_warn("RAM at %lx-%lx is beyond the direct map's reach: %lu MiB are left out",
			max(s, mfn_x(limit)) << PAGE_SHIFT, paddr_x(end) - 1,
			(e - max(s, mfn_x(limit))) >> (20 - PAGE_SHIFT));
		e = mfn_x(limit);
	}
	if (last)
		s = max(s, mfn_x(last->end));
	if (s >= e)
		return;
	end_of_ram = _mfn(e);
	if (last && mfn_x(last->end) == s)
		last->end = _mfn(e);
	else
		ranges[nr_ranges++] = (struct mfn_range){ _mfn(s), _mfn(e) };
}

static void reserve_bytes(paddr_t start, paddr_t end, const char *why)
{
	unsigned long s = paddr_x(start) >> PAGE_SHIFT, e = DIV_ROUND_UP(paddr_x(end), PAGE_SIZE);

	if (s < e)
		bootmem_reserve(_mfn(s), e - s, why);
}

void bootmem_init(const struct boot_info *bi, mfn_t limit)
{
	nr_ranges = 0;
	end_of_ram = _mfn(0);
	closed = false;
	for (unsigned int i = 0; i < bi->nr_regions; i++) {
		if (bi->regions[i].type == MEM_RAM)
			add_ram(bi->regions[i].start, bi->regions[i].end, limit);
	}
	bootmem_reserve(_mfn(0), 1, "frame 0");
	for (unsigned int i = 0; i < nr_bad_ranges; i++)
		bootmem_reserve(bad_ranges[i].start, range_frames(&bad_ranges[i]), "badpage=");
	reserve_bytes(bi->image_start, bi->image_end, "image");
	for (unsigned int i = 0; i < bi->nr_modules; i++)
		reserve_bytes(bi->modules[i].start, bi->modules[i].end, "boot module");
}

unsigned int bootmem_ranges(const struct mfn_range **first)
{
	*first = ranges;
	return nr_ranges;
}

void bootmem_close(void)
{
	closed = true;
}

mfn_t bootmem_end_of_ram(void)
{
	return end_of_ram;
}
