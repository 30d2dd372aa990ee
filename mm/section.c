// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The states of sections, two bits each in a map that the boot allocator gave, and how a section comes to life.
 *
 * Written with heap_lock held (or at boot, by the only CPU); read without, since page_of_guest_mfn() asks for every
 * frame number a guest names. So the structs of a section are complete before its state says live, and that state is
 * the last one: what was once live can be read for ever.
 */
#include <tine/bitmap.h>
#include <tine/bootmem.h>
#include <tine/poison.h>
#include <tine/string.h>

#include <asm/barrier.h>

#include "internal.h"

#define PER_WORD SECTIONS_PER_WORD
#define PER_BYTE 4UL

unsigned long *section_map;
unsigned long nr_sections;

void section_init(void)
{
	unsigned long end = mfn_x(bootmem_end_of_ram());
	unsigned long sections = DIV_ROUND_UP(end, SECTION_FRAMES);
	size_t size = ROUND_UP(DIV_ROUND_UP(sections, PER_WORD) * sizeof(long), PAGE_SIZE);
	mfn_t mfn = bootmem_alloc(size >> PAGE_SHIFT, 1, INVALID_MFN, "section map");

	section_map = mfn_to_virt(mfn);
	memset(section_map, 0, size);
	nr_sections = sections;
}

static void set_state(mfn_t mfn, enum section_state state)
{
	unsigned long s = mfn_x(mfn) >> SECTION_ORDER;
	unsigned int shift = s % PER_WORD * 2;
	unsigned long *word = &section_map[s / PER_WORD];

	BUG_ON(s >= nr_sections);
	__atomic_store_n(word, (*word & ~(3UL << shift)) | (unsigned long)state << shift,
			 __ATOMIC_RELEASE);
}

void section_sleep(mfn_t start, unsigned long frames, bool dirty)
{
	enum section_state state = dirty ? SECTION_ASLEEP_DIRTY : SECTION_ASLEEP;
	unsigned long s = mfn_x(start) >> SECTION_ORDER, n = frames >> SECTION_ORDER;

	BUG_ON(s + n > nr_sections);
	if (IS_ALIGNED(s | n, PER_BYTE)) {
		memset((u8 *)section_map + s / PER_BYTE, 0x55 * (int)state, n / PER_BYTE);
		return;
	}
	for (; n; n--, s++)
		set_state(_mfn(s << SECTION_ORDER), state);
}

void section_set_clean(mfn_t mfn)
{
	set_state(mfn, SECTION_ASLEEP);
}

/* A struct page as words: its links are word 2, word 3 begins with the owner. */
union page_words {
	struct page page;
	u64 word[4];
};
_Static_assert(offsetof(struct page, type_info) == 8 && offsetof(struct page, next) == 16 &&
		       offsetof(struct page, prev) == 20 && offsetof(struct page, owner) == 24,
	       "set_used_structs() writes them as words");

/* Most of what booting the heap costs is here: eight structs a turn. */
static void set_structs(struct page *pg, u64 info)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < SECTION_FRAMES; i++) {
		pg[i].count_info = info;
		pg[i].owner = PAGE_NO_OWNER;
	}
}

/* What building a domain with much memory costs is here: each struct is four whole words, written once. */
static void set_used_structs(struct page *pg, u64 info, u16 owner, u32 frame)
{
	u64 links = (u64)(frame - 1) << 32 | (frame + 1);
	union page_words *words = (union page_words *)pg;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < SECTION_FRAMES; i++) {
		words[i].word[0] = info;
		words[i].word[1] = 0;
		words[i].word[2] = links;
		words[i].word[3] = owner;
		links += 1UL << 32 | 1;
	}
}

void section_wake_used(mfn_t start, u64 info, u16 owner)
{
	struct page *pg = mfn_to_page(start);

	mem_unpoison(pg, SECTION_FRAMES * sizeof(*pg));
	set_used_structs(pg, info, owner, (u32)mfn_x(start));
	set_state(start, SECTION_LIVE);
}

void section_wake(mfn_t mfn, u64 clean_info, u64 dirty_info, unsigned long first_dirty)
{
	mfn_t start = _mfn(ROUND_DOWN(mfn_x(mfn), SECTION_FRAMES));
	struct page *pg = mfn_to_page(start);

	mem_unpoison(pg, SECTION_FRAMES * sizeof(*pg));
	set_structs(pg, first_dirty ? clean_info : dirty_info);
	for (unsigned long i = first_dirty; first_dirty && i < SECTION_FRAMES; i++)
		pg[i].count_info = dirty_info;
	set_state(start, SECTION_LIVE);
}
