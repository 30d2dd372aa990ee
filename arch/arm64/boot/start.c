// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From head.S to start_of_day(): the minimum that lets C code run and fail in an orderly way, then what the device tree says becomes boot_info. The
 * tree is mapped for good, at FDT_VIRT_START and its offset in 2 MiB: its memory stays reserved, as guests' trees take from it.
 */
#include <asm/efi.h>
#include <asm/gic.h>
#include <asm/guest_setup.h>
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/platform.h>
#include <asm/psci.h>
#include <asm/setup.h>
#include <asm/smp.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define FDT_BLOCK MiB(2)
#define FDT_MAX MiB(2)
#define EFI_MAP_OFFSET MiB(16) /* from where the tree is mapped */

struct arm64_platform arm64_platform;

/* In the boot tables the 2 MiB blocks that hold the tree are mapped, as its header has its size. */
static const void *device_tree(unsigned long fdt)
{
	return (const void *)(FDT_VIRT_START + fdt % FDT_BLOCK);
}

static void read_device_tree(unsigned long fdt)
{
	size_t size;

	if (!fdt || fdt % 8)
		panic("The loader passed no device tree: x0 is %#lx", fdt);
	size = arm64_device_tree_size(device_tree(fdt));
	if (!size || size > FDT_MAX)
		panic("What the loader passed in x0, %#lx, is no device tree, or it is larger than "
		      "2 MiB",
		      fdt);
	if (arm64_device_tree_parse(device_tree(fdt), size, _paddr(fdt), &boot_info,
				    &arm64_platform))
		panic("The device tree at %#lx cannot be used", fdt);
}

/* UEFI's map lies in memory that it counts as the loader's: read once, here. */
static void read_efi_map(void)
{
	const struct arm64_efi_map *map = &arm64_efi_map;
	unsigned long first = map->address & PAGE_MASK, offset = map->address % PAGE_SIZE;
	char *va = (char *)FDT_VIRT_START + EFI_MAP_OFFSET;

	if (!map->size)
		return;
	if (arm64_map_range(va, _paddr(first), ROUND_UP(offset + map->size, PAGE_SIZE),
			    PAGE_HYP_RO))
		panic("The image has too few page tables for UEFI's memory map");
	arm64_efi_regions(va + offset, map->size, map->descriptor_size, &boot_info);
}

static void map_device_tree(unsigned long fdt)
{
	unsigned long first = fdt & PAGE_MASK;
	size_t size = max(arm64_device_tree_size(device_tree(fdt)),
			  (size_t)64); /* a bad one's start is looked at again */

	if (arm64_map_range((void *)(FDT_VIRT_START + first % FDT_BLOCK), _paddr(first),
			    ROUND_UP(fdt + size, PAGE_SIZE) - first, PAGE_HYP_RO))
		panic("The image has too few page tables for the device tree");
}

void arm64_start(unsigned long fdt, unsigned long image)
{
	percpu_save_template();
	this_cpu(cpu_hw_id) = arm64_own_hw_id();
	arm64_paging_early(_paddr(image));
	if (fdt && fdt % 8 == 0 && arm64_device_tree_size(device_tree(fdt)) <= FDT_MAX)
		map_device_tree(fdt);
	arm64_paging_switch();
	read_device_tree(fdt);
	read_efi_map();
	boot_info.image_start = arm64_image_paddr(image_start);
	boot_info.image_end = arm64_image_paddr(image_end);
	start_of_day();
}

void arch_firmware_tables(struct boot_info *bi)
{
	u64 midr = read_sysreg(midr_el1), mmfr1 = read_sysreg(id_aa64mmfr1_el1);

	pr_info("CPU: MIDR %#lx, affinity %#x, %lu-bit physical addresses used%s", midr,
		arm64_own_hw_id(), (unsigned long)msb(mfn_x(arch_direct_map_limit())) + PAGE_SHIFT,
		mmfr1 >> 8 & 0xf ? ", host extensions present and off" : "");
	if (read_sysreg(hcr_el2) >> HCR_E2H_SHIFT & 1)
		panic("This CPU cannot run EL2 without its host extensions (HCR_EL2.E2H stays "
		      "set)");
	psci_init();
}

void arch_traps_init(void)
{
	arm64_paging_use_heap();
	gic_init();
	arm64_guests_init();
}

void arch_free_init(void)
{
}
