// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The codec of stage 2 with a 4 KiB granule (DDI 0487, D8.3: descriptor formats), a tree of 3 levels: 39 bits of guest-physical address. Without
 * permissions in table entries, and with break-before-make (D8.13.1). Pure functions, which host tests drive, too.
 *
 * A table that is shared cannot be made read-only by the entry above it: that entry is invalid then, with a tag among the bits that hardware ignores.
 */
#include <asm/stage2_codec.h>
#include <tine/lib.h>

#define S2_VALID BIT(0)
#define S2_NOT_BLOCK BIT(1) /* a table, or at the last level a page */
#define S2_MEM_NORMAL (0xfUL << 2)
#define S2_MEM_DEVICE (0x1UL << 2)
#define S2_READ BIT(6)
#define S2_WRITE BIT(7)
#define S2_INNER_SHAREABLE (3UL << 8)
#define S2_ACCESSED BIT(10)
#define S2_NO_EXECUTE BIT(54)
#define S2_TYPE_SHIFT 55 /* bits 55 to 58 are software's */
#define S2_SHARED_TABLE BIT(58)
#define S2_ADDRESS 0x0000fffffffff000UL

static u64 encode(struct p2m_entry e, unsigned int level)
{
	u64 raw = mfn_x(e.mfn) << PAGE_SHIFT;

	if (e.table)
		return raw | S2_NOT_BLOCK | (e.writable ? S2_VALID : S2_SHARED_TABLE);
	if (e.type == P2M_HOLE)
		return 0;
	raw |= S2_VALID | S2_READ | S2_ACCESSED | (u64)e.type << S2_TYPE_SHIFT;
	raw |= e.type == P2M_IO ? S2_MEM_DEVICE | S2_NO_EXECUTE
				: S2_MEM_NORMAL | S2_INNER_SHAREABLE;
	return raw | (e.writable ? S2_WRITE : 0) | (level == 1 ? S2_NOT_BLOCK : 0);
}

static struct p2m_entry decode(u64 raw, unsigned int level)
{
	struct p2m_entry e = { .mfn = _mfn((raw & S2_ADDRESS) >> PAGE_SHIFT) };

	if (!(raw & (S2_VALID | S2_SHARED_TABLE)))
		return (struct p2m_entry){ .type = P2M_HOLE, .mfn = INVALID_MFN };
	e.table = level > 1 && raw & S2_NOT_BLOCK;
	e.writable = e.table ? raw & S2_VALID : raw & S2_WRITE;
	if (!e.table)
		e.type = (enum p2m_type)(raw >> S2_TYPE_SHIFT & 7);
	return e;
}

const struct p2m_codec stage2_codec = {
	.levels = 3,
	.break_before_make = true,
	.encode = encode,
	.decode = decode,
};
