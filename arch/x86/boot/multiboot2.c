// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Multiboot2 information (Multiboot2 Specification 2.0, section 3.6) to boot_info. The loader's structure is a list of
 * tags: type, size, contents, padded to 8 bytes. It is untrusted: each tag is cut out as a span once its size was
 * found good, and nothing is read but through spans. Keeps no state; start of day only.
 */
#include <asm/boot.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/span.h>

#define TAG_ALIGN 8
#define TAG_HEADER 8  /* type and size */
#define INFO_HEADER 8 /* total size and a reserved word */

enum mb2_tag {
	MB2_END = 0,
	MB2_CMDLINE = 1,
	MB2_LOADER_NAME = 2,
	MB2_MODULE = 3,
	MB2_BASIC_MEMINFO = 4,
	MB2_MMAP = 6,
	MB2_EFI32 = 11,
	MB2_EFI64 = 12,
	MB2_ACPI_OLD = 14,
	MB2_ACPI_NEW = 15,
	MB2_EFI_MMAP = 17,
	MB2_EFI_BOOT_SERVICES = 18,
	MB2_LOAD_BASE = 21,
};

/* The three places that may tell where memory is, whole tags; .size 0: not given. */
struct memory_tags {
	struct span mmap, efi_mmap, basic;
};

static void parse_text(struct span tag, const char *what, char *dst, size_t size)
{
	if (!span_text(tag, TAG_HEADER, dst, size))
		pr_warn("multiboot2: %s is not ended or longer than %lu bytes: cut", what,
			size - 1);
}

/* Start, end (exclusive) and a text. */
static void parse_module(struct span tag, struct boot_info *bi)
{
	struct boot_module *module;

	if (tag.size < 16) {
		pr_warn("multiboot2: module tag of %lu bytes is too short: ignored", tag.size);
		return;
	}
	module = boot_info_add_module(bi, _paddr(span_u32(tag, 8)), _paddr(span_u32(tag, 12)));
	if (module && !span_text(tag, 16, module->args, sizeof(module->args)))
		pr_warn("multiboot2: arguments of module %u are not ended or longer than %u bytes: "
			"cut",
			bi->nr_modules - 1, BOOT_MODULE_ARGS - 1);
}

/* A copy of the RSDP; one of the new kind (36 bytes) is preferred to one of the old (20). */
static void parse_rsdp(struct span tag, struct boot_info *bi)
{
	struct span rsdp = span_sub(tag, TAG_HEADER, BOOT_RSDP_SIZE);

	if (rsdp.size < 20) {
		pr_warn("multiboot2: RSDP copy of %lu bytes is too short: ignored", rsdp.size);
		return;
	}
	if (rsdp.size <= bi->rsdp_copied)
		return;
	memcpy(bi->rsdp_copy, rsdp.data, rsdp.size);
	bi->rsdp_copied = (unsigned int)rsdp.size;
}

static void parse_tag(unsigned int type, struct span tag, struct boot_info *bi,
		      struct memory_tags *memory)
{
	switch (type) {
	case MB2_CMDLINE:
		parse_text(tag, "command line", bi->cmdline, sizeof(bi->cmdline));
		break;
	case MB2_LOADER_NAME:
		parse_text(tag, "loader's name", bi->loader, sizeof(bi->loader));
		break;
	case MB2_MODULE:
		parse_module(tag, bi);
		break;
	case MB2_BASIC_MEMINFO:
		memory->basic = tag;
		break;
	case MB2_MMAP:
		memory->mmap = tag;
		break;
	case MB2_EFI_MMAP:
		memory->efi_mmap = tag;
		break;
	case MB2_EFI32:
	case MB2_EFI64:
		bi->efi = true;
		break;
	case MB2_EFI_BOOT_SERVICES:
		pr_warn("multiboot2: EFI boot services still run: their memory may change hands");
		break;
	case MB2_ACPI_OLD:
	case MB2_ACPI_NEW:
		parse_rsdp(tag, bi);
		break;
	case MB2_LOAD_BASE:
		if (tag.size >= 12)
			bi->image_start = _paddr(span_u32(tag, 8));
		break;
	default: /* frame buffer, VBE, SMBIOS and what else there is: not needed */
		break;
	}
}

/* Walks the tags of INFO; one that does not fit ends the walk, as there is no telling where the next would be. */
static void parse_tags(struct span info, struct boot_info *bi, struct memory_tags *memory)
{
	size_t offset = INFO_HEADER;

	while (span_has(info, offset, TAG_HEADER)) {
		u32 type = span_u32(info, offset), size = span_u32(info, offset + 4);

		if (type == MB2_END)
			return;
		if (size < TAG_HEADER || !span_has(info, offset, size)) {
			pr_warn("multiboot2: tag %u at offset %lu of %lu has bad size %u: rest "
				"ignored",
				type, offset, info.size, size);
			return;
		}
		parse_tag(type, span_sub(info, offset, size), bi, memory);
		offset += ROUND_UP((size_t)size, TAG_ALIGN);
	}
	pr_warn("multiboot2: information of %lu bytes has no end tag: truncated?", info.size);
}

/*
 * The entries of a map TAG whose entry size stands at SIZE_AT and whose entries begin at offset 16. Empty, after a line,
 * when they are shorter than LEAST. Specification: entries may grow, so the size given counts.
 */
static struct span map_entries(struct span tag, const char *what, size_t least, u32 *entry_size)
{
	struct span entries = span_sub(tag, 16, tag.size);

	*entry_size = span_u32(tag, 8);
	if (tag.size < 16 || *entry_size < least) {
		pr_warn("multiboot2: %s of %lu bytes with entries of %u: ignored", what, tag.size,
			*entry_size);
		return span_sub(tag, tag.size, 0);
	}
	if (entries.size % *entry_size)
		pr_warn("multiboot2: %s ends within an entry: that one is ignored", what);
	return entries;
}

static enum mem_type mmap_type(u32 type)
{
	switch (type) {
	case 1:
		return MEM_RAM;
	case 3:
		return MEM_ACPI;
	case 4:
		return MEM_NVS;
	case 5:
		return MEM_UNUSABLE;
	case 7: /* what ACPI 15.1 calls AddressRangePersistentMemory */
		return MEM_PERSISTENT;
	default:
		return MEM_RESERVED;
	}
}

/* Base, length, type and a reserved word an entry. Were there any entries? */
static bool parse_mmap(struct span tag, struct boot_info *bi)
{
	u32 entry_size;
	struct span entries = map_entries(tag, "memory map", 24, &entry_size);
	size_t at;

	for (at = 0; at < entries.size && span_has(entries, at, entry_size); at += entry_size)
		boot_info_add_region(bi, span_u64(entries, at), span_u64(entries, at + 8),
				     mmap_type(span_u32(entries, at + 16)));
	return bi->nr_regions > 0;
}

/* UEFI 7.2.3: after ExitBootServices() what loaders and boot services used is free, if it can be cached. */
static enum mem_type efi_mem_type(u32 type, u64 attributes)
{
	enum { WRITE_BACK = 0x8 };

	switch (type) {
	case 1: /* loader code and data */
	case 2:
	case 3: /* boot services code and data */
	case 4:
	case 7: /* conventional */
		return attributes & WRITE_BACK ? MEM_RAM : MEM_RESERVED;
	case 8:
		return MEM_UNUSABLE;
	case 9:
		return MEM_ACPI;
	case 10:
		return MEM_NVS;
	case 14:
		return MEM_PERSISTENT;
	default: /* runtime services, device memory, what is to come */
		return MEM_RESERVED;
	}
}

/* UEFI memory descriptors: type, 4 bytes of padding, physical and virtual start, 4 KiB pages, attributes. */
static bool parse_efi_mmap(struct span tag, struct boot_info *bi)
{
	u32 entry_size;
	struct span entries = map_entries(tag, "EFI memory map", 40, &entry_size);
	size_t at;

	for (at = 0; at < entries.size && span_has(entries, at, entry_size); at += entry_size) {
		u64 start = span_u64(entries, at + 8), pages = span_u64(entries, at + 24);
		/* A count whose bytes do not fit 64 bits is as wrong as any that wraps: let it be reported as such. */
		u64 length = pages >> (64 - PAGE_SHIFT) ? ~0UL : pages << PAGE_SHIFT;

		boot_info_add_region(bi, start, length,
				     efi_mem_type(span_u32(entries, at),
						  span_u64(entries, at + 32)));
	}
	return bi->nr_regions > 0;
}

/* KiB from 0 and KiB from 1 MiB up to the first hole: all that a PC of 1990 had. */
static bool parse_basic_meminfo(struct span tag, struct boot_info *bi)
{
	if (tag.size < 16) {
		pr_warn("multiboot2: basic memory tag of %lu bytes is too short: ignored",
			tag.size);
		return false;
	}
	boot_info_add_region(bi, 0, KiB(span_u32(tag, 8)), MEM_RAM);
	boot_info_add_region(bi, MiB(1), KiB(span_u32(tag, 12)), MEM_RAM);
	return bi->nr_regions > 0;
}

int x86_multiboot2_parse(const void *mbi, size_t max, struct boot_info *bi)
{
	struct span info = span_of(mbi, max);
	struct memory_tags memory = { 0 };
	u32 total = span_u32(info, 0);

	boot_info_reset(bi, "multiboot2");
	if (max < INFO_HEADER || total < INFO_HEADER) {
		pr_err("multiboot2: information of %u bytes (%lu readable) is no such thing", total,
		       max);
		return -EINVAL;
	}
	if (total > max)
		pr_warn("multiboot2: information claims %u bytes, %lu are there: truncated", total,
			max);
	info = span_sub(info, 0, total);
	parse_tags(info, bi, &memory);

	/* The loader's map is firmware's with the loader's own corrections; the others stand in for it. */
	if (memory.mmap.size && parse_mmap(memory.mmap, bi))
		return 0;
	if (memory.efi_mmap.size && parse_efi_mmap(memory.efi_mmap, bi)) {
		pr_info("multiboot2: no memory map: using EFI's");
		return 0;
	}
	if (memory.basic.size && parse_basic_meminfo(memory.basic, bi))
		pr_warn("multiboot2: no memory map: using the basic memory size");
	return 0;
}
