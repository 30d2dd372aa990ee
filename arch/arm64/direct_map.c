// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start of day's mappings beyond the image: the direct map of RAM, the memory of the frame table. No memory is both writable and executable, also not
 * through two addresses: the direct map shows the image's text and constants read-only. What firmware reserves is not mapped, so that nothing is
 * fetched from there on speculation. Single CPU, no lock.
 */
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/lib.h>
#include <tine/page.h>

/* ID_AA64MMFR0_EL1.PARange: bits of physical addresses. 52 would take larger granules or LPA2: 48 are used. */
static unsigned int pa_bits(void)
{
	static const u8 bits[] = { 32, 36, 40, 42, 44, 48 };
	u64 range = read_sysreg(id_aa64mmfr0_el1) & 0xf;

	return bits[min(range, (u64)ARRAY_SIZE(bits) - 1)];
}

mfn_t arch_direct_map_limit(void)
{
	return _mfn(min((unsigned long)DIRECTMAP_FRAMES, 1UL << (pa_bits() - PAGE_SHIFT)));
}

unsigned long arch_largest_page(void)
{
	return GiB(1);
}

static void map_or_panic(void *va, unsigned long pa, unsigned long len, u64 flags)
{
	if (arm64_map_range(va, _paddr(pa), len, flags))
		panic("No memory for page tables at start of day");
}

void arch_map_frame_table(void *va, paddr_t pa, unsigned long len)
{
	map_or_panic(va, paddr_x(pa), len, PAGE_HYP_RW);
}

static void map_ram(unsigned long start, unsigned long end, u64 flags)
{
	if (start < end)
		map_or_panic(paddr_to_virt(_paddr(start)), start, end - start, flags);
}

/* RAM [START, END), of which the image's constant part becomes read-only. */
static void map_ram_region(unsigned long start, unsigned long end)
{
	unsigned long ro_start = paddr_x(arm64_image_paddr(image_start));
	unsigned long ro_end = paddr_x(arm64_image_paddr(rodata_end));

	map_ram(start, min(end, ro_start), PAGE_HYP_RW);
	map_ram(max(start, ro_start), min(end, ro_end), PAGE_HYP_RO);
	map_ram(max(start, ro_end), end, PAGE_HYP_RW);
}

void arch_paging_init(const struct boot_info *bi)
{
	unsigned long limit = paddr_x(mfn_to_paddr(arch_direct_map_limit())), cursor = 0;

	arm64_paging_use_bootmem();
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
}
