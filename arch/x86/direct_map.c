// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start of day's mappings: the image with one permission a region, the direct map of RAM, the
 * backing of the frame table; then the switch to the own page tables. No memory is both writable
 * and executable, also not through two addresses: the direct map shows the image's text and
 * constants read-only. Single CPU, no lock.
 */
#include <asm/boot.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/uart.h>
#include <tine/arch.h>
#include <tine/bootmem.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/page.h>
#include <tine/printk.h>

#define BOOT_MAPPED GiB(4)

extern const char image_start[], image_end[], rodata_start[], rodata_end[]; /* image.lds.S */

static bool own_tables;

const void *x86_boot_map(paddr_t pa, size_t len)
{
	unsigned long start = paddr_x(pa);

	if (own_tables || len == 0 || start >= BOOT_MAPPED || len > BOOT_MAPPED - start)
		return NULL;
	return paddr_to_virt(pa);
}

mfn_t arch_direct_map_limit(void)
{
	unsigned long cpu_limit = 1UL << (x86_cpu.phys_bits - PAGE_SHIFT);

	return _mfn(min((unsigned long)DIRECTMAP_FRAMES, cpu_limit));
}

static void map_or_panic(void *va, unsigned long pa, unsigned long len, u64 flags)
{
	if (x86_map_range(va, _paddr(pa), len, flags))
		panic("No memory for page tables at start of day");
}

static void map_image_part(const char *from, const char *to, u64 flags)
{
	map_or_panic((void *)(uintptr_t)from, paddr_x(x86_image_paddr(from)),
		     (unsigned long)(to - from), flags);
}

static void map_image(void)
{
	map_image_part(image_start, rodata_start, PAGE_HYP_RX);
	map_image_part(rodata_start, rodata_end, PAGE_HYP_RO);
	map_image_part(rodata_end, boot_stack_guard, PAGE_HYP_RW);
	map_image_part(boot_stack, image_end, PAGE_HYP_RW);
}

static void map_ram(unsigned long start, unsigned long end, u64 flags)
{
	if (start < end)
		map_or_panic(paddr_to_virt(_paddr(start)), start, end - start, flags);
}

/* RAM [START, END), of which the image's constant part becomes read-only. */
static void map_ram_region(unsigned long start, unsigned long end)
{
	unsigned long ro_start = paddr_x(x86_image_paddr(image_start));
	unsigned long ro_end = paddr_x(x86_image_paddr(rodata_end));

	map_ram(start, min(end, ro_start), PAGE_HYP_RW);
	map_ram(max(start, ro_start), min(end, ro_end), PAGE_HYP_RO);
	map_ram(max(start, ro_end), end, PAGE_HYP_RW);
}

/*
 * Backs [VA, END) of the frame table, whole 2 MiB pages, from NODE's memory where it has some.
 * Returns how far it got.
 */
static unsigned long back_large(unsigned long va, unsigned long end, nodeid_t node)
{
	unsigned long want = min(end - va, GiB(1) - va % GiB(1));
	unsigned long align = MiB(2);

	if (x86_cpu.gib_pages && IS_ALIGNED(va, GiB(1)) && want >= GiB(1) - GiB(1) / 8)
		want = align =
			GiB(1); /* covers some frames that are no RAM: fewer pages are worth it */
	while (want >= MiB(2)) {
		mfn_t mfn = bootmem_try_alloc(want / PAGE_SIZE, align / PAGE_SIZE,
					      arch_direct_map_limit(), node);

		if (!mfn_eq(mfn, INVALID_MFN)) {
			map_or_panic((void *)va, paddr_x(mfn_to_paddr(mfn)), want, PAGE_HYP_RW);
			return va + want;
		}
		align = MiB(2);
		want = ROUND_DOWN(want / 2, MiB(2));
	}
	return va;
}

/* The same in 4 KiB pages, in as many pieces as memory has. */
static unsigned long back_small(unsigned long va, unsigned long end)
{
	unsigned long len = min(end - va, MiB(2) - va % MiB(2));
	mfn_t limit = arch_direct_map_limit(), mfn;

	for (;;) {
		mfn = bootmem_try_alloc(len / PAGE_SIZE, 1, limit, NUMA_NO_NODE);
		if (!mfn_eq(mfn, INVALID_MFN))
			break;
		if (len == PAGE_SIZE)
			panic("No memory for the frame table");
		len = ROUND_UP(len / 2, PAGE_SIZE);
	}
	map_or_panic((void *)va, paddr_x(mfn_to_paddr(mfn)), len, PAGE_HYP_RW);
	return va + len;
}

static mfn_t frame_of_struct(unsigned long va)
{
	return _mfn((va - FRAMETABLE_VIRT_START) / sizeof(struct page));
}

/*
 * Backs the structs of frames [START, END) but for what lies below CURSOR, which is backed. Returns
 * the new cursor.
 */
static unsigned long back_frame_table(unsigned long cursor, unsigned long start, unsigned long end)
{
	unsigned long va = (unsigned long)&frame_table[start];
	unsigned long stop = (unsigned long)&frame_table[end];
	bool large = stop - va >= MiB(1);
	/* The heap writes to all structs of a section in which it has any memory. */
	unsigned long unit = large ? MiB(2) : SECTION_FRAMES * sizeof(struct page);

	va = max(cursor, ROUND_DOWN(va, unit));
	stop = ROUND_UP(stop, unit);
	while (va < stop) {
		mfn_t first = frame_of_struct(va);
		unsigned long node_end = min(mfn_x(numa_range_end(first)), end);
		unsigned long node_stop = (unsigned long)&frame_table[node_end];
		unsigned long piece = min(stop, ROUND_UP(node_stop, MiB(2))), got = va;

		if (large && IS_ALIGNED(va, MiB(2)) && piece > va)
			got = back_large(va, piece, numa_node_of(first));
		va = got > va ? got : back_small(va, stop);
	}
	return max(cursor, va);
}

void arch_paging_init(const struct boot_info *bi)
{
	unsigned long cursor = FRAMETABLE_VIRT_START;
	unsigned long limit = paddr_x(mfn_to_paddr(arch_direct_map_limit()));

	x86_trampoline_reserve();
	map_image();
	x86_vga_remap();
	for (unsigned int i = 0; i < bi->nr_regions; i++) {
		const struct mem_region *r = &bi->regions[i];
		unsigned long start = ROUND_UP(paddr_x(r->start), PAGE_SIZE);
		unsigned long end = min(ROUND_DOWN(paddr_x(r->end), PAGE_SIZE), limit);

		if (r->type != MEM_RAM || start >= end)
			continue;
		map_ram_region(start, end);
		cursor = back_frame_table(cursor, start >> PAGE_SHIFT, end >> PAGE_SHIFT);
	}
	x86_write_cr3(paddr_x(x86_master_cr3()));
	own_tables = true;
}
