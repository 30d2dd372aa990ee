// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's memory as the hypervisor reaches it: by guest-physical frame through the p2m, and by virtual address through the guest's own tables (DDI 0487, D8.2,
 * D8.3), walked here and not by AT: a table may lie in memory that is shared with a fork. The guest may change its tables under our eyes; each
 * entry is read once, and whatever it says leads to the guest's own memory or to nothing.
 */
#include "internal.h"
#include <asm/cache.h>
#include <asm/sysreg.h>
#include <tine/domain.h>
#include <tine/fork.h>
#include <tine/guest_access.h>
#include <tine/string.h>
#include <tine/translated_memory.h>

#define SCTLR_EL1_M 1
#define TCR_EPD(upper) (1UL << ((upper) ? 23 : 7))
#define TCR_TBI(upper) (1UL << ((upper) ? 38 : 37))
#define TCR_SIZE(tcr, upper) ((unsigned int)((tcr) >> ((upper) ? 16 : 0) & 0x3f))
#define TCR_GRANULE(tcr, upper) ((unsigned int)((tcr) >> ((upper) ? 30 : 14) & 3))
#define TCR_DS (1UL << 59)
#define TABLE_ADDRESS 0x0000fffffffff000UL
#define BASE_ADDRESS 0x0000fffffffffffeUL
#define ENTRY_VALID 1
#define ENTRY_TABLE 2
#define ENTRY_READ_ONLY (1UL << 7)
#define ENTRY_TABLE_READ_ONLY (1UL << 62)
#define BLOCK_MAX_SHIFT 30

/* ---- By frame ---- */

/* Caches are off when the guest starts. */
int arm64_guest_write(struct domain *d, u64 at, const void *from, size_t n)
{
	while (n) {
		size_t part = min(n, PAGE_SIZE - (at & ~PAGE_MASK));
		void *to = translated_hold(d, at, true);

		if (!to)
			return -EFAULT;
		memcpy(to, from, part);
		dcache_clean_invalidate(to, part);
		translated_release(to);
		from = (const u8 *)from + part;
		at += part;
		n -= part;
	}
	return 0;
}

/* ---- By the guest's own address ---- */

struct regime {
	u64 sctlr, tcr, ttbr[2];
};

static struct regime regime_of(const struct vcpu *v)
{
	const struct guest_sysregs *s = &v->arch.guest.sys;

	if (v == current)
		return (struct regime){ read_sysreg(sctlr_el1),
					read_sysreg(tcr_el1),
					{ read_sysreg(ttbr0_el1), read_sysreg(ttbr1_el1) } };
	return (struct regime){ s->sctlr, s->tcr, { s->ttbr0, s->ttbr1 } };
}

/* Of the two fields for it, which number the sizes differently; 0: none that there is. */
static unsigned int page_shift(u64 tcr, bool upper)
{
	static const u8 shifts[2][4] = { { 12, 16, 14, 0 }, { 0, 14, 12, 16 } };

	return shifts[upper][TCR_GRANULE(tcr, upper)];
}

/* How many bits of VA the tables translate; 0: VA is outside what they do. */
static unsigned int width_of(u64 tcr, u64 va, bool upper)
{
	unsigned int bits = 64 - TCR_SIZE(tcr, upper), ignored = tcr & TCR_TBI(upper) ? 8 : 0;
	s64 rest;

	if (bits > 48 || bits < 16 || tcr & TCR_EPD(upper) || tcr & TCR_DS)
		return 0;
	rest = (s64)(va << ignored) >> (ignored + bits);
	return rest == (upper ? -1 : 0) ? bits : 0;
}

static bool read_entry(const struct vcpu *v, u64 at, u64 *entry)
{
	const u64 *slot = translated_hold(v->domain, at, false);

	if (!slot)
		return false;
	*entry = READ_ONCE(*slot);
	translated_release(slot);
	return *entry & ENTRY_VALID;
}

/* The kernel's view. */
bool arch_translate(const struct vcpu *v, u64 va, bool write, u64 *ipa)
{
	struct regime g = regime_of(v);
	bool upper = va >> 55 & 1;
	unsigned int page = page_shift(g.tcr, upper), bits = width_of(g.tcr, va, upper);
	unsigned int stride = page - 3, level;
	u64 entry, table = g.ttbr[upper] & BASE_ADDRESS;

	if (!(g.sctlr & SCTLR_EL1_M)) {
		*ipa = va;
		return true;
	}
	if (!page || !bits)
		return false;
	for (level = DIV_ROUND_UP(bits - page, stride); level; level--) {
		unsigned int shift = page + stride * (level - 1);
		unsigned int top = min(bits, shift + stride);
		u64 offset = BIT(shift) - 1;

		if (!read_entry(v, table + (va >> shift & (BIT(top - shift) - 1)) * 8, &entry))
			return false;
		if (level == 1 ? !(entry & ENTRY_TABLE)
			       : shift > BLOCK_MAX_SHIFT && !(entry & ENTRY_TABLE))
			return false;
		if (level == 1 || !(entry & ENTRY_TABLE)) {
			*ipa = (entry & TABLE_ADDRESS & ~offset) | (va & offset);
			return !write || !(entry & ENTRY_READ_ONLY);
		}
		if (write && entry & ENTRY_TABLE_READ_ONLY)
			return false;
		table = entry & TABLE_ADDRESS & ~(BIT(page) - 1);
	}
	return false;
}

int copy_from_guest(void *dst, gva_t src, size_t n)
{
	return translated_copy_from(current, dst, src, n);
}

int copy_to_guest(gva_t dst, const void *src, size_t n)
{
	return translated_copy_to(current, dst, src, n);
}
