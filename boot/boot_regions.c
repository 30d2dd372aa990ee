// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory regions as firmware gave them, made sorted and disjoint. Where two overlap, the more restrictive type holds:
 * to lose some RAM is harmless, to use what a device owns is not. That also decides what happens when the table
 * overflows: a region that finds no room takes the RAM it covers with it. Start of day only, one CPU, no lock.
 */
#include "internal.h"
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>

#define OVERLAPS_NAMED 8 /* further ones are only counted */

/* How restrictive a type is: of two regions that overlap the heavier one holds. */
static unsigned int weight(enum mem_type type)
{
	static const u8 weights[] = {
		[MEM_RAM] = 0,        [MEM_ACPI] = 1,     [MEM_NVS] = 2,
		[MEM_PERSISTENT] = 3, [MEM_RESERVED] = 4, [MEM_UNUSABLE] = 5,
	};

	return weights[type];
}

static bool is_empty(const struct mem_region *r)
{
	return paddr_x(r->start) >= paddr_x(r->end);
}

static void remove_at(struct boot_info *bi, unsigned int at)
{
	bi->nr_regions--;
	memmove(&bi->regions[at], &bi->regions[at + 1],
		(bi->nr_regions - at) * sizeof(bi->regions[0]));
}

/* Moves the region at AT up to where its start belongs; those behind it are sorted. */
static void sift_up(struct boot_info *bi, unsigned int at)
{
	struct mem_region r = bi->regions[at];

	while (at + 1 < bi->nr_regions && paddr_x(bi->regions[at + 1].start) < paddr_x(r.start)) {
		bi->regions[at] = bi->regions[at + 1];
		at++;
	}
	bi->regions[at] = r;
}

static void drop_empty(struct boot_info *bi)
{
	unsigned int i, kept = 0;

	for (i = 0; i < bi->nr_regions; i++)
		if (!is_empty(&bi->regions[i]))
			bi->regions[kept++] = bi->regions[i];
	bi->nr_regions = kept;
}

/* Insertion sort: nearly every map comes sorted, and then this is one pass. */
static void sort(struct boot_info *bi)
{
	unsigned int i, j;

	for (i = 1; i < bi->nr_regions; i++) {
		struct mem_region r = bi->regions[i];

		for (j = i; j > 0 && paddr_x(bi->regions[j - 1].start) > paddr_x(r.start); j--)
			bi->regions[j] = bi->regions[j - 1];
		bi->regions[j] = r;
	}
}

static void merge_neighbours(struct boot_info *bi)
{
	unsigned int i, last = 0;

	if (bi->nr_regions == 0)
		return;
	for (i = 1; i < bi->nr_regions; i++) {
		struct mem_region *into = &bi->regions[last];
		const struct mem_region *r = &bi->regions[i];

		if (r->type == into->type && paddr_x(r->start) <= paddr_x(into->end))
			into->end = _paddr(max(paddr_x(into->end), paddr_x(r->end)));
		else
			bi->regions[++last] = *r;
	}
	bi->nr_regions = last + 1;
}

void boot_regions_sort_and_merge(struct boot_info *bi)
{
	sort(bi);
	merge_neighbours(bi);
}

/* Of RAM region R only the larger part outside [start, end) remains; possibly none. */
static void shrink_around(struct mem_region *r, paddr_t start, paddr_t end)
{
	u64 below = paddr_x(start) > paddr_x(r->start) ? paddr_x(start) - paddr_x(r->start) : 0;
	u64 above = paddr_x(r->end) > paddr_x(end) ? paddr_x(r->end) - paddr_x(end) : 0;

	if (below >= above)
		r->end = _paddr(paddr_x(r->start) + below);
	else
		r->start = _paddr(paddr_x(r->end) - above);
}

void boot_regions_lose(struct boot_info *bi, struct mem_region lost)
{
	unsigned int i;

	if (bi->nr_regions_lost++ == 0)
		pr_warn("boot: memory map: more than %u regions: %s [%#lx, %#lx) does not fit",
			BOOT_MAX_REGIONS, mem_type_name(lost.type), paddr_x(lost.start),
			paddr_x(lost.end));
	if (lost.type == MEM_RAM)
		return;

	for (i = 0; i < bi->nr_regions; i++) {
		struct mem_region *r = &bi->regions[i];

		if (r->type == MEM_RAM && paddr_x(r->start) < paddr_x(lost.end) &&
		    paddr_x(lost.start) < paddr_x(r->end))
			shrink_around(r, lost.start, lost.end);
	}
	drop_empty(bi);
	sort(bi);
}

/* Puts R where its start belongs, above index AT. */
static void insert_above(struct boot_info *bi, unsigned int at, struct mem_region r)
{
	if (bi->nr_regions == BOOT_MAX_REGIONS) {
		boot_regions_lose(bi, r);
		return;
	}
	memmove(&bi->regions[at + 2], &bi->regions[at + 1],
		(bi->nr_regions - at - 1) * sizeof(bi->regions[0]));
	bi->regions[at + 1] = r;
	bi->nr_regions++;
	sift_up(bi, at + 1);
}

/* Regions AT and AT + 1 overlap: cuts the lighter one, so that AT ends where AT + 1 begins, or one of them is gone. */
static void resolve_pair(struct boot_info *bi, unsigned int at)
{
	struct mem_region *low = &bi->regions[at], *high = low + 1;
	struct mem_region tail = { high->end, low->end, low->type };

	if (low->type == high->type) {
		low->end = _paddr(max(paddr_x(low->end), paddr_x(high->end)));
		remove_at(bi, at + 1);
	} else if (weight(high->type) < weight(low->type)) {
		high->start = low->end;
		if (is_empty(high))
			remove_at(bi, at + 1);
		else
			sift_up(bi, at + 1);
	} else {
		low->end = high->start;
		if (!is_empty(&tail))
			insert_above(bi, at + 1, tail);
		if (is_empty(&bi->regions[at]))
			remove_at(bi, at);
	}
}

static void report_overlap(const struct mem_region *low, const struct mem_region *high)
{
	enum mem_type wins = weight(low->type) > weight(high->type) ? low->type : high->type;

	pr_warn("boot: memory map: %s [%#lx, %#lx) and %s [%#lx, %#lx) overlap: taken as %s there",
		mem_type_name(low->type), paddr_x(low->start), paddr_x(low->end),
		mem_type_name(high->type), paddr_x(high->start), paddr_x(high->end),
		mem_type_name(wins));
}

static bool is_meant(const struct boot_info *bi, const struct mem_region *a,
		     const struct mem_region *b)
{
	return bi->reserves_within && (a->type == MEM_RESERVED || b->type == MEM_RESERVED);
}

void boot_regions_resolve(struct boot_info *bi)
{
	unsigned int at = 0, overlaps = 0;

	if (bi->regions_unordered)
		pr_info("boot: memory map: regions were not in order: sorted");
	sort(bi);

	while (at + 1 < bi->nr_regions) {
		if (paddr_x(bi->regions[at].end) <= paddr_x(bi->regions[at + 1].start)) {
			at++;
			continue;
		}
		if (!is_meant(bi, &bi->regions[at], &bi->regions[at + 1]) &&
		    overlaps++ < OVERLAPS_NAMED)
			report_overlap(&bi->regions[at], &bi->regions[at + 1]);
		resolve_pair(bi, at);
	}
	merge_neighbours(bi);

	if (overlaps > OVERLAPS_NAMED)
		pr_warn("boot: memory map: %u more overlaps", overlaps - OVERLAPS_NAMED);
	if (bi->nr_regions_lost > 1)
		pr_warn("boot: memory map: %u regions in all did not fit", bi->nr_regions_lost);
}
