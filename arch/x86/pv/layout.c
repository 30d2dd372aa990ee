// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The initial address space of a PV guest: see layout.h. The page tables map themselves, so their
 * number is found by trying.
 */
#include "layout.h"
#include <tine/compiler.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define MAPPING_GRAIN MiB(4)
#define SPARE_AT_END KiB(512) /* what a kernel may count on behind its stack */

static u64 pages_up(u64 address)
{
	return ROUND_UP(address, PAGE_SIZE);
}

/* Tables of LEVEL for [start, end). */
static unsigned int tables_for(u64 start, u64 end, unsigned int level)
{
	unsigned int shift = PAGE_SHIFT + 9 * level;

	return (unsigned int)(((end - 1) >> shift) - (start >> shift) + 1);
}

static u64 mapping_end(u64 stack_top)
{
	u64 end = ROUND_UP(stack_top, MAPPING_GRAIN);

	return end - stack_top < SPARE_AT_END ? end + MAPPING_GRAIN : end;
}

static u64 count_tables(struct pv_tables *t)
{
	u64 count = 0;
	unsigned int level;

	for (level = 1; level < 4; level++) {
		t->of[level] = tables_for(t->start, t->end, level);
		count += t->of[level];
	}
	return count;
}

/* With N table frames: the rest of the layout. True when N are enough. */
static bool try_tables(struct pv_layout *l, u64 n)
{
	l->nr_tables = n;
	l->stack_top = l->tables + (n + 1) * PAGE_SIZE;
	l->end = mapping_end(l->stack_top);
	l->mapping.start = l->base;
	l->mapping.end = l->end;
	l->mapping.at = l->tables + PAGE_SIZE - l->base;
	return 1 + count_tables(&l->mapping) <= n;
}

static bool end_possible(const struct pv_layout *l)
{
	u64 limit = l->base < GUEST_LOW_END ? GUEST_LOW_END : -MAPPING_GRAIN;

	return l->end > l->base && l->end <= limit;
}

/*
 * Can the list be where the kernel wants it? Only apart from everything else in the top-level
 * table.
 */
static bool p2m_elsewhere(const struct pv_layout *l, const struct pv_notes *notes)
{
	u64 start = notes->init_p2m, end = start + l->nr_pages * sizeof(u64);
	unsigned int shift = PAGE_SHIFT + 9 * 3;

	return notes->has_init_p2m && IS_ALIGNED(start, PAGE_SIZE) && end > start &&
	       (end <= GUEST_LOW_END || start >= GUEST_HIGH_START) &&
	       start >> shift != l->base >> shift &&
	       ((end - 1) >> shift < l->base >> shift || start > l->base + GiB(512));
}

/* The parts that are mapped, up to the page tables. */
static void place_mapped(struct pv_layout *l, const struct pv_image *image, bool rings)
{
	u64 at = l->kernel_end;

	if (l->ramdisk_size && !image->notes.mod_start_pfn) {
		l->ramdisk = at;
		l->ramdisk_at = at - l->base;
		at = pages_up(at + l->ramdisk_size);
	}
	if (p2m_elsewhere(l, &image->notes)) {
		l->p2m = image->notes.init_p2m;
	} else {
		l->p2m = at;
		l->p2m_at = at - l->base;
		at = pages_up(at + l->nr_pages * sizeof(u64));
	}
	l->start_info = at;
	l->tables = l->start_info + PAGE_SIZE;
	if (rings) {
		l->store = l->tables;
		l->console = l->store + PAGE_SIZE;
		l->tables = l->console + PAGE_SIZE;
	}
}

/* And those that are not, behind the mapping's end. */
static void place_unmapped(struct pv_layout *l)
{
	u64 at = l->end - l->base;

	if (l->ramdisk_size && !l->ramdisk) {
		l->ramdisk_at = at;
		at = pages_up(at + l->ramdisk_size);
	}
	if (!l->p2m_at) {
		l->p2m_at = at;
		at = pages_up(at + l->nr_pages * sizeof(u64));
		l->p2m_mapping.start = l->p2m;
		l->p2m_mapping.end = l->p2m + l->nr_pages * sizeof(u64);
		l->p2m_mapping.at = at;
		at += count_tables(&l->p2m_mapping) * PAGE_SIZE;
	}
	l->bytes = at;
}

int pv_layout_make(struct pv_layout *l, const struct pv_image *image, u64 ramdisk_size,
		   u64 nr_pages, bool rings)
{
	u64 n = 4;

	*l = (struct pv_layout){ .base = image->notes.virt_base,
				 .nr_pages = nr_pages,
				 .ramdisk_size = ramdisk_size,
				 .kernel_end = pages_up(image->end) };
	if (ramdisk_size > nr_pages << PAGE_SHIFT || image->end - l->base > nr_pages
										    << PAGE_SHIFT) {
		pr_err("Kernel and ramdisk do not fit into the domain's %lu KiB\n",
		       (unsigned long)nr_pages << (PAGE_SHIFT - 10));
		return -EINVAL;
	}
	place_mapped(l, image, rings);
	while (!try_tables(l, n) && end_possible(l))
		n++;
	if (!end_possible(l)) {
		pr_err("Kernel, ramdisk and the frame list of %lu KiB do not fit into the address "
		       "space above %lx\n",
		       (unsigned long)nr_pages << (PAGE_SHIFT - 10), (unsigned long)l->base);
		return -EINVAL;
	}
	place_unmapped(l);
	if (l->bytes >> PAGE_SHIFT > nr_pages) {
		pr_err("The domain needs %lu KiB to start and has %lu KiB\n",
		       (unsigned long)l->bytes >> 10, (unsigned long)nr_pages << (PAGE_SHIFT - 10));
		return -EINVAL;
	}
	return 0;
}
