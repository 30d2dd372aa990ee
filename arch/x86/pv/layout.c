// SPDX-License-Identifier: GPL-2.0-or-later
/* The initial address space of a PV guest: see layout.h. The page tables map themselves, so their number is found by trying. */
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

/* With N table frames: the rest of the layout. True when N are enough. */
static bool try_tables(struct pv_layout *l, u64 n)
{
	u64 need = 1;
	unsigned int level;

	l->nr_tables = n;
	l->stack_top = l->tables + (n + 1) * PAGE_SIZE;
	l->end = mapping_end(l->stack_top);
	l->tables_of[4] = 1;
	for (level = 1; level < 4; level++) {
		l->tables_of[level] = tables_for(l->base, l->end, level);
		need += l->tables_of[level];
	}
	return need <= n;
}

static bool end_possible(const struct pv_layout *l)
{
	u64 limit = l->base < GUEST_LOW_END ? GUEST_LOW_END : -MAPPING_GRAIN;

	return l->end > l->base && l->end <= limit;
}

int pv_layout_make(struct pv_layout *l, const struct pv_image *image, u64 ramdisk_size,
		   u64 nr_pages, bool rings)
{
	u64 n = 4, at;

	*l = (struct pv_layout){ .base = image->notes.virt_base, .nr_pages = nr_pages };
	if (ramdisk_size > nr_pages << PAGE_SHIFT || image->end - l->base > nr_pages
										    << PAGE_SHIFT) {
		pr_err("Kernel and ramdisk do not fit into the domain's %lu KiB\n",
		       (unsigned long)nr_pages << (PAGE_SHIFT - 10));
		return -EINVAL;
	}
	l->kernel_end = at = pages_up(image->end);
	if (ramdisk_size) {
		l->ramdisk = at;
		l->ramdisk_size = ramdisk_size;
		at = pages_up(at + ramdisk_size);
	}
	l->p2m = at;
	l->start_info = pages_up(at + nr_pages * sizeof(u64));
	l->tables = l->start_info + PAGE_SIZE;
	if (rings) {
		l->store = l->tables;
		l->console = l->store + PAGE_SIZE;
		l->tables = l->console + PAGE_SIZE;
	}
	while (!try_tables(l, n) && end_possible(l))
		n++;
	if (!end_possible(l)) {
		pr_err("Kernel, ramdisk and the frame list of %lu KiB do not fit into the address "
		       "space above %lx\n",
		       (unsigned long)nr_pages << (PAGE_SHIFT - 10), (unsigned long)l->base);
		return -EINVAL;
	}
	if ((l->end - l->base) >> PAGE_SHIFT > nr_pages) {
		pr_err("The domain needs %lu KiB to start and has %lu KiB\n",
		       (unsigned long)(l->end - l->base) >> 10,
		       (unsigned long)nr_pages << (PAGE_SHIFT - 10));
		return -EINVAL;
	}
	return 0;
}
