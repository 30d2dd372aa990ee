// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The check that a PV domain's references are what they should be. Every count in its frames' structs
 * is computed again from what the counts are for: allocation, pins, entries of validated tables,
 * descriptor tables, top-level tables of vCPUs, pages that the hypervisor has mapped. Each difference
 * is a line.
 *
 * The domain's vCPUs do not run. Others may: their attempts to name its frames raise a general count
 * for a moment, so a count is looked at again before it is called wrong. Runs on one CPU at a time
 * (CPU 0, in a softirq) and keeps its figures in blocks of the heap, one for each section concerned.
 *
 * Of references that others have we know the most that there can be: uses of grants, and entries of the
 * tables of those who may name others' frames (foreign.c). They may go while we look, and no new ones come
 * to a domain that ends.
 */
#include "descriptor.h"
#include "internal.h"
#include <asm/paging.h>
#include <tine/arch.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/string.h>

#define MAX_LINES 40  /* of one check; the rest is only counted */
#define PATIENCE 1000 /* looks at a count before it is called wrong */

#define UNFINISHED (PGT_PARTIAL | PGT_DYING) /* a table that has a reference of its own */

struct found {
	u32 general, typed;
	u32 others,
		writers; /* entries of others' tables that name it, as far as they can be counted */
};
#define FOUND_ORDER 1
_Static_assert(sizeof(struct found) * SECTION_FRAMES == PAGE_SIZE << FOUND_ORDER,
	       "a block for a section");

struct check {
	struct domain *d;
	struct found **sections;
	unsigned int order; /* of that array */
	unsigned long wrong;
	bool no_memory;
};

static __printf(2, 3) void complain(struct check *c, const char *fmt, ...)
{
	char text[160];
	va_list args;

	if (c->wrong++ >= MAX_LINES)
		return;
	va_start(args, fmt);
	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	pr_err("consistency: domain %u: %s\n", c->d->id, text);
}

/* Where the references to MFN are counted, or NULL. */
static struct found *found_at(struct check *c, mfn_t mfn)
{
	struct found **page = &c->sections[mfn_x(mfn) >> SECTION_ORDER];

	if (!*page)
		*page = heap_alloc_pages(FOUND_ORDER, HEAP_ZERO);
	if (*page)
		return &(*page)[mfn_x(mfn) % SECTION_FRAMES];
	c->no_memory = true;
	return NULL;
}

static void count(struct check *c, mfn_t mfn, bool typed)
{
	struct found *f = found_at(c, mfn);

	if (!f)
		return;
	f->general++;
	f->typed += typed;
}

/* What a reference is for; made into text only when something is wrong with it. */
struct holder {
	const char *what; /* NULL: the entry */
	mfn_t table;
	unsigned int entry, level;
};

static const char *name_of(const struct holder *h, char *text, size_t size)
{
	if (h->what)
		return h->what;
	(void)tine_snprintf(text, size, "entry %u of L%u table %lx", h->entry, h->level,
			    mfn_x(h->table));
	return text;
}

/* HOLDER relies on MFN being of TYPE (or of any, for PV_TYPE_NONE). */
static void reference(struct check *c, mfn_t mfn, enum pv_type type, const struct holder *holder)
{
	const struct page *pg = page_of_guest_mfn(mfn_x(mfn));
	char text[48];
	u64 info;

	if (!pg || !(READ_ONCE(pg->count_info) & PAGE_COUNT_MASK)) {
		complain(c, "%s names frame %lx, which nobody has",
			 name_of(holder, text, sizeof(text)), mfn_x(mfn));
		return;
	}
	if (pg->owner != c->d->id) {
		if (type > PV_TYPE_NONE && type < PV_TYPE_WRITABLE)
			complain(c, "%s names frame %lx of domain %u",
				 name_of(holder, text, sizeof(text)), mfn_x(mfn), pg->owner);
		return; /* that domain knows of the grant and counts it */
	}
	count(c, mfn, type != PV_TYPE_NONE);
	info = READ_ONCE(pg->type_info);
	if (type != PV_TYPE_NONE &&
	    (pgt_type(info) != type || !(info & PGT_VALIDATED) || !(info & PGT_COUNT_MASK)))
		complain(c, "%s wants frame %lx as type %u: it is %lx",
			 name_of(holder, text, sizeof(text)), mfn_x(mfn), type,
			 (unsigned long)info);
}

static void held_by(struct check *c, mfn_t mfn, enum pv_type type, const char *what)
{
	struct holder holder = { .what = what };

	reference(c, mfn, type, &holder);
}

/* ---- Page tables and descriptors ---- */

static void check_entry(struct check *c, mfn_t table, unsigned int i, unsigned int level)
{
	u64 entry = ((const u64 *)mfn_to_virt(table))[i];
	u64 forbidden = level > 1 ? PTE_PSE | PTE_G | PTE_PWT | PTE_PCD : PTE_G;
	enum pv_type type = (enum pv_type)(level - 1);
	struct holder holder = { .table = table, .entry = i, .level = level };

	if (!(entry & PTE_P))
		return;
	if ((level == 2 || level == 3) && mfn_eq(pte_mfn(entry), table) &&
	    !(entry & (PTE_RW | forbidden)))
		return; /* a linear page table, which has no reference */
	if (level == 1)
		type = entry & PTE_RW ? PV_TYPE_WRITABLE : PV_TYPE_NONE;
	if ((entry & forbidden) || !(entry & PTE_US))
		complain(c, "entry %u of L%u table %lx has flags that it may not have: %lx", i,
			 level, mfn_x(table), (unsigned long)entry);
	reference(c, pte_mfn(entry), type, &holder);
}

/* The hypervisor's part of a top-level table is the hypervisor's, bit by bit. */
static void check_hypervisor_slots(struct check *c, mfn_t table)
{
	const u64 *l4 = mfn_to_virt(table);
	unsigned int perdomain = pt_index(PERDOMAIN_VIRT_START, 4);

	for (unsigned int i = HYPERVISOR_SLOT_FIRST; i < HYPERVISOR_SLOT_FIRST + HYPERVISOR_SLOTS;
	     i++) {
		u64 want = x86_master_l4()[i];

		if (i == perdomain)
			want = pte_make(virt_to_mfn(c->d->arch.pv.perdomain_l3),
					PTE_P | PTE_RW | PTE_A | PTE_D);
		if ((l4[i] ^ want) & ~(PTE_A | PTE_D))
			complain(c, "slot %u of L4 table %lx is %lx, not %lx", i, mfn_x(table),
				 (unsigned long)l4[i], (unsigned long)want);
	}
}

/* Its first so many ENTRIES; one that has all is in use, and has the hypervisor's part, too. */
static void check_table(struct check *c, mfn_t mfn, unsigned int level, unsigned int entries)
{
	for (unsigned int i = 0; i < entries; i++) {
		if (pv_slot_is_guests(level, i))
			check_entry(c, mfn, i, level);
	}
	if (level == 4 && entries == PT_ENTRIES)
		check_hypervisor_slots(c, mfn);
}

static void check_descriptors(struct check *c, mfn_t mfn)
{
	const u64 *table = mfn_to_virt(mfn);

	for (unsigned int i = 0; i < PAGE_SIZE / sizeof(*table); i++) {
		u64 adjusted = table[i];

		if (!pv_descriptor_check(&adjusted) || adjusted != table[i])
			complain(c, "descriptor %u of frame %lx is %lx", i, mfn_x(mfn),
				 (unsigned long)table[i]);
	}
}

/* ---- Frames ---- */

static bool is_owned(const struct check *c, const struct page *pg)
{
	u64 info = READ_ONCE(pg->count_info);

	return (info & PAGE_STATE_MASK) == PAGE_STATE_INUSE && (info & PAGE_COUNT_MASK) &&
	       pg->owner == c->d->id;
}

static void for_each_frame(struct check *c, void (*fn)(struct check *c, struct page *pg, mfn_t mfn))
{
	for (unsigned long s = 0; s < nr_sections; s++) {
		mfn_t first = _mfn(s << SECTION_ORDER);

		if (section_state(first) != SECTION_LIVE)
			continue;
		for (unsigned long i = 0; i < SECTION_FRAMES; i++) {
			struct page *pg = mfn_to_page(mfn_add(first, i));

			if (is_owned(c, pg))
				fn(c, pg, mfn_add(first, i));
		}
	}
}

static void visit(struct check *c, struct page *pg, mfn_t mfn)
{
	u64 info = READ_ONCE(pg->type_info);
	enum pv_type type = pgt_type(info);

	/* Shared pages of the hypervisor's have one reference of their maker's instead. */
	if (pg->count_info & (PAGE_ALLOCATED | PAGE_TINE))
		count(c, mfn, false);
	if (info & (PGT_PINNED | UNFINISHED))
		count(c, mfn, true);
	if (info & UNFINISHED)
		check_table(c, mfn, type, pg->aux);
	if (!(info & PGT_VALIDATED))
		return;
	if (type >= PV_TYPE_L1 && type <= PV_TYPE_L4)
		check_table(c, mfn, type, PT_ENTRIES);
	else if (type == PV_TYPE_DESC)
		check_descriptors(c, mfn);
}

/* Others' page tables may name a frame as often as its owner's grants are in use, besides what we saw. */
static bool counts_match(const struct check *c, const struct page *pg, const struct found *f)
{
	u64 general = (READ_ONCE(pg->count_info) & PAGE_COUNT_MASK) - f->general;
	u64 typed = (READ_ONCE(pg->type_info) & PGT_COUNT_MASK) - f->typed;
	unsigned int uses, writers;

	if (likely(!general && !typed))
		return true;
	uses = grant_uses_of(c->d, page_to_mfn(pg), &writers) + f->others;
	writers += f->writers;
	return general <= uses && typed <= writers && typed <= general;
}

static void compare(struct check *c, struct page *pg, mfn_t mfn)
{
	const struct found *f = found_at(c, mfn);
	u64 info;

	if (!f)
		return;
	for (unsigned int i = 0; !counts_match(c, pg, f) && i < PATIENCE; i++)
		cpu_relax();
	info = READ_ONCE(pg->type_info);
	if (!counts_match(c, pg, f))
		complain(c, "frame %lx type %u: %lu references, %lu typed; found are %u, %u typed",
			 mfn_x(mfn), pgt_type(info),
			 (unsigned long)(READ_ONCE(pg->count_info) & PAGE_COUNT_MASK),
			 (unsigned long)(info & PGT_COUNT_MASK), f->general, f->typed);
	if (!(info & PGT_COUNT_MASK) != !(info & (PGT_VALIDATED | UNFINISHED)))
		complain(c, "frame %lx is in an unfinished state: %lx", mfn_x(mfn),
			 (unsigned long)info);
}

/* ---- Others' tables ---- */

static void see_entry(struct check *c, u64 entry)
{
	const struct page *pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	struct found *f;

	if (!(entry & PTE_P) || !pg || pg->owner != c->d->id || !is_owned(c, pg))
		return;
	f = found_at(c, pte_mfn(entry));
	if (!f)
		return;
	f->others++;
	f->writers += (entry & PTE_RW) != 0;
}

/* A table of level 1 of a domain that may name others' frames. */
static void see_table(struct check *c, const struct page *pg)
{
	const struct domain *d = pg->owner == c->d->id ? NULL : domain_of_id(pg->owner);
	u64 info = READ_ONCE(pg->type_info);

	if (!d || !READ_ONCE(d->arch.pv.maps_others) || pgt_type(info) != PV_TYPE_L1 ||
	    !(info & PGT_COUNT_MASK))
		return;
	for (unsigned int i = 0; i < PT_ENTRIES; i++)
		see_entry(c, READ_ONCE(((const u64 *)mfn_to_virt(page_to_mfn(pg)))[i]));
}

static void see_others(struct check *c)
{
	for (unsigned long s = 0; s < nr_sections; s++) {
		mfn_t first = _mfn(s << SECTION_ORDER);

		for (unsigned long i = 0;
		     section_state(first) == SECTION_LIVE && i < SECTION_FRAMES; i++) {
			const struct page *pg = mfn_to_page(mfn_add(first, i));

			if ((READ_ONCE(pg->count_info) & PAGE_STATE_MASK) == PAGE_STATE_INUSE)
				see_table(c, pg);
		}
	}
}

/* ---- vCPUs ---- */

static void check_vcpu(struct check *c, struct vcpu *v)
{
	const struct pv_vcpu *pv = &v->arch.pv;
	unsigned int i;

	if (!mfn_eq(pv->kernel_table, INVALID_MFN))
		held_by(c, pv->kernel_table, PV_TYPE_L4, "a vCPU's kernel");
	if (!mfn_eq(pv->user_table, INVALID_MFN))
		held_by(c, pv->user_table, PV_TYPE_L4, "a vCPU's user mode");
	for (i = 0; i < DIV_ROUND_UP(pv->gdt_entries, 512U); i++) {
		held_by(c, pv->gdt_frames[i], PV_TYPE_DESC, "a GDT");
		if (!mfn_eq(pte_mfn(*pv_descriptor_slot(v, i)), pv->gdt_frames[i]))
			complain(c, "page %u of vCPU %u's GDT is not the frame that it has", i,
				 v->id);
	}
	for (i = 0; i < PV_LDT_FRAMES; i++) {
		bool mapped = *pv_descriptor_slot(v, PV_LDT_PAGE + i) & PTE_P;

		if (mapped == mfn_eq(pv->ldt_frames[i], INVALID_MFN))
			complain(c, "page %u of vCPU %u's LDT: mapped %u", i, v->id, mapped);
		if (!mfn_eq(pv->ldt_frames[i], INVALID_MFN))
			held_by(c, pv->ldt_frames[i], PV_TYPE_DESC, "an LDT");
	}
}

static void check_hold(struct page *pg, bool writable, void *arg)
{
	held_by(arg, page_to_mfn(pg), writable ? PV_TYPE_WRITABLE : PV_TYPE_NONE, "the hypervisor");
}

/* ---- The whole ---- */

static void check_all(struct check *c)
{
	struct vcpu *v;
	unsigned int i;

	for_each_frame(c, visit);
	for_each_vcpu (c->d, v, i)
		check_vcpu(c, v);
	domain_for_each_hold(c->d, check_hold, c);
	if (c->d->arch.pv.eoi_page)
		check_hold(c->d->arch.pv.eoi_page, true, c);
	see_others(c);
	if (!c->no_memory)
		for_each_frame(c, compare);
	if (c->no_memory)
		complain(c, "no memory to check it");
}

unsigned long pv_domain_check(struct domain *d)
{
	struct check c = { .d = d };

	while (PAGE_SIZE << c.order < nr_sections * sizeof(*c.sections))
		c.order++;
	c.sections = heap_alloc_pages(c.order, HEAP_ZERO);
	if (!c.sections) {
		complain(&c, "no memory to check it");
		return c.wrong;
	}
	check_all(&c);
	for (unsigned long s = 0; s < nr_sections; s++)
		heap_free_pages(c.sections[s], FOUND_ORDER);
	heap_free_pages(c.sections, c.order);
	return c.wrong;
}
