// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PVH entry's hvm_start_info (xen/arch-x86/hvm/start_info.h) to boot_info: how QEMU's -kernel, Xen and others start
 * us without a boot loader. All of it is untrusted: whatever it points at is reached through x86_boot_map(). Keeps no
 * state; start of day only.
 */
#include <asm/boot.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>
#include <xen/arch-x86/hvm/start_info.h>

#define V0_SIZE offsetof(struct hvm_start_info, memmap_paddr)
#define MEMMAP_MOST 4096 /* entries looked at: a count beyond this is no count */

/* Copies LEN bytes at PA to OUT; false when they are out of reach. */
static bool copy_from(u64 pa, void *out, size_t len)
{
	const void *src = x86_boot_map(_paddr(pa), len);

	if (src)
		memcpy(out, src, len);
	return src;
}

/*
 * Copies the NUL-ended text at PA to DST (SIZE bytes); PA 0: none. Goes by pages, as nothing says how far the text, or
 * the memory that it is in, reaches.
 */
static void copy_text(u64 pa, char *dst, size_t size, const char *what)
{
	size_t done = 0;

	dst[0] = '\0';
	if (pa == 0)
		return;
	while (done < size - 1) {
		size_t part = min(PAGE_SIZE - ((pa + done) & ~PAGE_MASK), size - 1 - done);
		size_t len;

		if (!copy_from(pa + done, dst + done, part)) {
			pr_warn("PVH: %s at %#lx is out of reach: cut", what, pa + done);
			dst[done] = '\0';
			return;
		}
		len = strnlen(dst + done, part);
		done += len;
		if (len < part)
			return;
	}
	dst[done] = '\0';
	pr_warn("PVH: %s at %#lx is longer than %lu bytes: cut", what, pa, size - 1);
}

static void parse_modules(const struct hvm_start_info *info, struct boot_info *bi)
{
	struct hvm_modlist_entry entry;
	struct boot_module *module;
	u32 i;

	for (i = 0; i < info->nr_modules; i++) {
		u64 at = info->modlist_paddr + i * sizeof(entry);

		if (!copy_from(at, &entry, sizeof(entry))) {
			pr_err("PVH: module list entry %u at %#lx is out of reach: rest ignored", i,
			       at);
			return;
		}
		/* A size that wraps makes the end lie below the start: boot_info_sanitize() drops it. */
		module = boot_info_add_module(bi, _paddr(entry.paddr),
					      _paddr(entry.paddr + entry.size));
		if (!module)
			return;
		copy_text(entry.cmdline_paddr, module->args, sizeof(module->args),
			  "arguments of a module");
	}
}

static enum mem_type memmap_type(u32 type)
{
	switch (type) {
	case XEN_HVM_MEMMAP_TYPE_RAM:
		return MEM_RAM;
	case XEN_HVM_MEMMAP_TYPE_ACPI:
		return MEM_ACPI;
	case XEN_HVM_MEMMAP_TYPE_NVS:
		return MEM_NVS;
	case XEN_HVM_MEMMAP_TYPE_UNUSABLE:
		return MEM_UNUSABLE;
	case XEN_HVM_MEMMAP_TYPE_PMEM:
		return MEM_PERSISTENT;
	default: /* reserved, disabled, what is to come */
		return MEM_RESERVED;
	}
}

static void parse_memmap(const struct hvm_start_info *info, struct boot_info *bi)
{
	struct hvm_memmap_table_entry entry;
	u32 i, entries = min(info->memmap_entries, (uint32_t)MEMMAP_MOST);

	if (entries < info->memmap_entries)
		pr_warn("PVH: memory map of %u entries: only the first %u are looked at",
			info->memmap_entries, entries);
	for (i = 0; i < entries; i++) {
		u64 at = info->memmap_paddr + i * sizeof(entry);

		if (!copy_from(at, &entry, sizeof(entry))) {
			pr_err("PVH: memory map entry %u at %#lx is out of reach: rest ignored", i,
			       at);
			return;
		}
		boot_info_add_region(bi, entry.addr, entry.size, memmap_type(entry.type));
	}
}

int x86_pvh_parse(paddr_t pa, struct boot_info *bi)
{
	struct hvm_start_info info = { 0 };

	boot_info_reset(bi, "PVH");
	if (!copy_from(paddr_x(pa), &info, V0_SIZE)) {
		pr_err("PVH: start info at %#lx is out of reach", paddr_x(pa));
		return -EINVAL;
	}
	if (info.magic != XEN_HVM_START_MAGIC_VALUE) {
		pr_err("PVH: start info at %#lx has magic %#x instead of %#x", paddr_x(pa),
		       info.magic, XEN_HVM_START_MAGIC_VALUE);
		return -EINVAL;
	}
	if (info.version == 0)
		pr_warn("PVH: start info is of version 0, which has no memory map");
	else if (!copy_from(paddr_x(pa), &info, sizeof(info)))
		pr_err("PVH: start info at %#lx is cut: no memory map", paddr_x(pa));

	copy_text(info.cmdline_paddr, bi->cmdline, sizeof(bi->cmdline), "command line");
	parse_modules(&info, bi);
	parse_memmap(&info, bi);
	if (info.rsdp_paddr)
		bi->rsdp = _paddr(info.rsdp_paddr);
	return 0;
}
