// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start of day's mappings: the image with one permission a region, the direct map of RAM, the
 * backing of the frame table (which mm/frame_backing.c finds); then the switch to the own page
 * tables. No memory is both writable and executable, also not through two addresses: the direct map
 * shows the image's text and constants read-only. Single CPU, no lock.
 */
#include <asm/boot.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/uart.h>
#include <tine/arch.h>
#include <tine/lib.h>
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

unsigned long arch_largest_page(void)
{
	return x86_cpu.gib_pages ? GiB(1) : MiB(2);
}

static void map_or_panic(void *va, unsigned long pa, unsigned long len, u64 flags)
{
	if (x86_map_range(va, _paddr(pa), len, flags))
		panic("No memory for page tables at start of day");
}

void arch_map_frame_table(void *va, paddr_t pa, unsigned long len)
{
	map_or_panic(va, paddr_x(pa), len, PAGE_HYP_RW);
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

void arch_paging_init(const struct boot_info *bi)
{
	unsigned long cursor = 0;
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
		cursor = frame_table_back(cursor, paddr_to_mfn(_paddr(start)),
					  paddr_to_mfn(_paddr(end)));
	}
	x86_write_cr3(paddr_x(x86_master_cr3()));
	own_tables = true;
}
