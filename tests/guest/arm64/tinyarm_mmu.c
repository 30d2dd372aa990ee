// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables (DDI 0487, D8.3): every address is mapped to itself. The first GiB has no RAM on any machine that the guest knows; in blocks of 2 MiB
 * its lower half is devices and the rest memory, as grants, rings and the like are put there. All above is memory in blocks of 1 GiB, but for the 2 MiB
 * with the image, which are mapped by the page so that tests can take pages away. Tables are made while caches are off, and so put out of them after.
 */
#include "tinyarm.h"

#define ENTRIES 512
#define VALID 1ul
#define TABLE 3ul
#define PAGE 3ul
#define DEVICE (1ul << 2)
#define READ_ONLY (1ul << 7)
#define SHARED (3ul << 8)
#define ACCESSED (1ul << 10)
#define NO_EXECUTE (3ul << 53)
#define MEMORY (SHARED | ACCESSED)
#define DEVICES_END 0x20000000ul
#define LINE 64

#define SHIFT1 30
#define SHIFT2 21

uint64_t tinyarm_level1[ENTRIES] __page_aligned;
static uint64_t low[ENTRIES] __page_aligned, around[ENTRIES] __page_aligned,
	pages[ENTRIES] __page_aligned;

static uint64_t low_block(uint64_t at)
{
	return at < DEVICES_END ? at | DEVICE | ACCESSED | NO_EXECUTE | VALID : at | MEMORY | VALID;
}

/* What older lines of caches hold must not be seen, or come back later. */
static void forget_lines(const uint64_t *table)
{
	const char *at = (const char *)table;

	for (unsigned int i = 0; i < PAGE_SIZE; i += LINE)
		asm volatile("dc ivac, %0" : : "r"(at + i) : "memory");
}

void tinyarm_make_tables(uint64_t image)
{
	uint64_t gib = image >> SHIFT1 << SHIFT1, block = image >> SHIFT2 << SHIFT2, i;

	for (i = 0; i < ENTRIES; i++) {
		tinyarm_level1[i] = i << SHIFT1 | MEMORY | VALID;
		low[i] = low_block(i << SHIFT2);
		around[i] = gib | i << SHIFT2 | MEMORY | VALID;
		pages[i] = block | i << PAGE_SHIFT | MEMORY | PAGE;
	}
	tinyarm_level1[0] = (uint64_t)low | TABLE;
	tinyarm_level1[gib >> SHIFT1] = (uint64_t)around | TABLE;
	around[block >> SHIFT2 & (ENTRIES - 1)] = (uint64_t)pages | TABLE;
	asm volatile("dsb sy" : : : "memory");
	forget_lines(tinyarm_level1);
	forget_lines(low);
	forget_lines(around);
	forget_lines(pages);
	asm volatile("dsb sy" : : : "memory");
}

void tinyarm_protect(const void *page, enum tinyarm_access access)
{
	uint64_t at = (uint64_t)page & PAGE_MASK;
	volatile uint64_t *entry = &pages[at >> PAGE_SHIFT & (ENTRIES - 1)];

	*entry = 0;
	asm volatile("dsb ishst\n\ttlbi vaae1is, %0\n\tdsb ish\n\tisb"
		     :
		     : "r"(at >> PAGE_SHIFT)
		     : "memory");
	if (access == ACCESS_NONE)
		return;
	*entry = at | MEMORY | PAGE | (access == ACCESS_READ ? READ_ONLY : 0);
	asm volatile("dsb ishst\n\tisb" : : : "memory");
}
