/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a PV guest finds at its start, in order of address from the start of its virtual space, where pseudo-physical frame 0
 * is: kernel, ramdisk, frame list (P2M), start_info, ring pages, page tables, stack. Every part begins on a page. Arithmetic only.
 */
#ifndef PV_LAYOUT_H
#define PV_LAYOUT_H

#include "image.h"

struct pv_layout {
	u64 base;                  /* virtual address of pseudo-physical frame 0 */
	u64 kernel_end;            /* rounded up */
	u64 ramdisk, ramdisk_size; /* address 0: none */
	u64 p2m, nr_pages;
	u64 start_info;
	u64 store, console;    /* ring pages; address 0: the domain has none */
	u64 tables, nr_tables; /* the top-level table is the first */
	u64 stack_top;
	u64 end;                   /* of the initial mapping */
	unsigned int tables_of[5]; /* by level */
};

/* -EINVAL after a line: does not fit into the address space, or into NR_PAGES frames. */
int pv_layout_make(struct pv_layout *l, const struct pv_image *image, u64 ramdisk_size,
		   u64 nr_pages, bool rings) __must_check;

#endif
