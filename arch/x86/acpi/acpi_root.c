// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Root System Description Pointer (ACPI 5.2.5): the loader's copy, else at the address the loader gave, else found
 * by its signature in the two places where a BIOS keeps it. Keeps no state; start of day only.
 */
#include "internal.h"
#include <asm/boot.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define RSDP_V1_SIZE 20 /* what revision 0 has, and the first checksum covers */
#define RSDP_SIZE BOOT_RSDP_SIZE

/* Is this an RSDP at all: signature and first checksum? */
static bool is_rsdp(struct span rsdp)
{
	return span_has(rsdp, 0, RSDP_V1_SIZE) && memcmp(rsdp.data, "RSD PTR ", 8) == 0 &&
	       acpi_sum_is_zero(span_sub(rsdp, 0, RSDP_V1_SIZE));
}

/* The root tables that RSDP names; the XSDT only where the second checksum vouches for it. */
static struct acpi_root read_rsdp(struct span rsdp)
{
	struct acpi_root root = { INVALID_PADDR, INVALID_PADDR };
	u8 revision = span_u8(rsdp, 15);
	u32 rsdt = span_u32(rsdp, 16);

	if (rsdt)
		root.rsdt = _paddr(rsdt);
	if (revision < 2)
		return root;

	if (span_u32(rsdp, 20) < RSDP_SIZE || rsdp.size < RSDP_SIZE ||
	    !acpi_sum_is_zero(span_sub(rsdp, 0, RSDP_SIZE)))
		pr_warn("ACPI: RSDP of revision %u is cut or fails its checksum: XSDT not used",
			revision);
	else if (span_u64(rsdp, 24))
		root.xsdt = _paddr(span_u64(rsdp, 24));
	return root;
}

/* As much of an RSDP as there is at PA: 36 bytes, or 20, or nothing. */
static struct span map_rsdp(paddr_t pa)
{
	static const u8 nothing;
	const void *p = x86_boot_map(pa, RSDP_SIZE);

	if (p)
		return span_of(p, RSDP_SIZE);
	p = x86_boot_map(pa, RSDP_V1_SIZE);
	return p ? span_of(p, RSDP_V1_SIZE) : span_of(&nothing, 0);
}

static bool scan(u64 start, u64 end, struct acpi_root *root)
{
	u64 at;

	for (at = start; at < end; at += 16) {
		struct span rsdp = map_rsdp(_paddr(at));

		if (is_rsdp(rsdp)) {
			*root = read_rsdp(rsdp);
			return true;
		}
	}
	return false;
}

/* 5.2.5.1: on a 16-byte boundary in the first KiB of the extended BIOS data area, or in the BIOS area. */
static bool search_bios(struct acpi_root *root)
{
	const void *p = x86_boot_map(_paddr(0x40e), 2);
	u64 ebda = p ? (u64)span_u16(span_of(p, 2), 0) << 4 : 0;

	if (ebda >= 0x400 && ebda < 0xa0000 && scan(ebda, ebda + KiB(1), root))
		return true;
	return scan(0xe0000, 0x100000, root);
}

bool acpi_find_root(const struct boot_info *bi, struct acpi_root *root)
{
	struct span copy = span_of(bi->rsdp_copy, bi->rsdp_copied);

	if (is_rsdp(copy)) {
		*root = read_rsdp(copy);
		return true;
	}
	if (copy.size)
		pr_warn("ACPI: the loader's copy of the RSDP is bad: looking elsewhere");

	if (!paddr_eq(bi->rsdp, INVALID_PADDR)) {
		struct span rsdp = map_rsdp(bi->rsdp);

		if (is_rsdp(rsdp)) {
			*root = read_rsdp(rsdp);
			return true;
		}
		pr_warn("ACPI: no good RSDP at %#lx, where the loader said: looking elsewhere",
			paddr_x(bi->rsdp));
	}
	return search_bios(root);
}
