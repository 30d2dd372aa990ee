/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame table: one struct page a frame, virtually contiguous, backed only where there is RAM and not initialised
 * at boot. A section is the 512 frames of a 2 MiB region. Its state says whether its structs may be read:
 *
 *   absent        no memory of the heap's is here (initial value)
 *   asleep        the whole section is inside one free block; only the struct of that block's head frame holds meaning
 *   asleep, dirty the same, and all its frames need scrubbing
 *   live          all 512 structs hold meaning: count_info and owner always, the rest as the state says
 *
 * A section that is live stays live. A frame number that comes from a guest goes through page_of_guest_mfn(), which
 * answers NULL unless the section is live. mm/section.c
 */
#ifndef TINE_PAGE_H
#define TINE_PAGE_H

#include <asm/memory.h> /* frame_table, direct map: mfn_to_virt(), virt_to_mfn(), paddr_to_virt(), virt_to_paddr() */
#include <asm/barrier.h>
#include <tine/lib.h>

#define SECTION_ORDER 9
#define SECTION_FRAMES (1UL << SECTION_ORDER)

struct domain;

struct page {
	/*
	 * Top bits: state and flags (PAGE_*); below them the count of general references. A frame
	 * with a count above 0 is not freed. Changed by compare-and-exchange once a domain owns the
	 * frame.
	 */
	u64 count_info;
	union {
		/* In use by a domain: PGT_* type, flags and count of typed references. */
		u64 type_info;
		/* Free, head frame of a block. */
		struct {
			u32 first_dirty; /* no frame below this index needs scrubbing */
			nodeid_t node;   /* whose the block is */
			u8 scrubber;     /* 1 + number of the CPU that scrubs in it now, or 0 */
		} free;
	};
	u32 next, prev; /* links by frame number in a list of the heap's, later of its owner's */
	u16 owner;      /* domid, or PAGE_NO_OWNER */
	u16 aux; /* in use: the owner's (p2m: valid entries of a table, or mm/mapcount.h; slab: kind) */
	u32 stamp; /* in use: the owner's (validated entries of a page table) */
};
_Static_assert(sizeof(struct page) == 32, "the frame table's size follows from it");

#define PAGE_LINK_END 0U /* frame 0 is on no list */
#define PAGE_NONE_DIRTY 0xffffffffU
#define PAGE_NO_OWNER 0xffffU

#define PAGE_STATE_SHIFT 60
#define PAGE_STATE(s) ((u64)(s) << PAGE_STATE_SHIFT)
#define PAGE_STATE_MASK PAGE_STATE(3)
#define PAGE_STATE_RESERVED PAGE_STATE(0) /* not the heap's: hole, boot allocation, bad page */
#define PAGE_STATE_FREE PAGE_STATE(1)     /* in a free block (head or not) */
#define PAGE_STATE_INUSE PAGE_STATE(2)    /* allocated */
#define PAGE_STATE_OFFLINE PAGE_STATE(3)  /* taken off the heap by heap_offline */

/* The owner's reference for having been given the frame; dropped when freed. */
#define PAGE_ALLOCATED BIT(63)
/* In use, and goes offline when freed. */
#define PAGE_OFFLINING BIT(59)
/* Free: holds what somebody wrote. */
#define PAGE_NEED_SCRUB BIT(58)
/* The hypervisor's own page that a domain may map (shared info, grant frames). */
#define PAGE_TINE BIT(57)
/* Free: first frame of a block of this order. */
#define PAGE_HEAD_MASK ((u64)31 << 48)
#define PAGE_HEAD(order) ((u64)((order) + 1) << 48)
/* In use: one of the general references is that of the p2ms that map the frame. */
#define PAGE_MAPPED BIT(56)
/* In use: `aux` counts entries for the 2 MiB or 1 GiB block that the frame speaks for. */
#define PAGE_MAPPED_LARGE BIT(62)
/* In use: how many 4 KiB entries of p2ms map the frame (mm/mapcount.h). */
#define PAGE_MAPS_SHIFT 40
#define PAGE_MAPS_ONE BIT(PAGE_MAPS_SHIFT)
#define PAGE_MAPS_MASK ((u64)0xffff << PAGE_MAPS_SHIFT)
#define PAGE_COUNT_MASK (BIT(40) - 1)

enum section_state { SECTION_ABSENT, SECTION_ASLEEP, SECTION_ASLEEP_DIRTY, SECTION_LIVE };

/* mm/section.c's map, two bits each. */
#define SECTIONS_PER_WORD 32
extern unsigned long *section_map;
extern unsigned long nr_sections;

/* Of the section that holds MFN; any number is fine. */
static inline enum section_state section_state(mfn_t mfn)
{
	unsigned long section = mfn_x(mfn) >> SECTION_ORDER, word;

	if (unlikely(section >= nr_sections))
		return SECTION_ABSENT;
	word = READ_ONCE(section_map[section / SECTIONS_PER_WORD]);
	return (word >> section % SECTIONS_PER_WORD * 2) & 3;
}

static inline struct page *mfn_to_page(mfn_t mfn)
{
	return &frame_table[mfn_x(mfn)];
}

static inline mfn_t page_to_mfn(const struct page *pg)
{
	return _mfn((unsigned long)(pg - frame_table));
}

/*
 * At start of day, for ranges of RAM in ascending order: backs the structs of frames [START, END) but
 * for what lies below CURSOR (an address; 0 at first), which is backed. Returns the new cursor. mm/frame_backing.c
 */
unsigned long frame_table_back(unsigned long cursor, mfn_t start, mfn_t end) __must_check;

/*
 * For numbers that a guest supplied: the struct, or NULL when the frame's section is not live (or there is none). A struct
 * may be of a frame that is free or reserved: look at the state in count_info before anything else.
 */
static inline struct page *page_of_guest_mfn(unsigned long raw)
{
	if (unlikely(section_state(_mfn(raw)) != SECTION_LIVE))
		return NULL;
	smp_rmb(); /* pairs with the release in set_state() */
	return mfn_to_page(_mfn(raw));
}

#endif
