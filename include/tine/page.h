/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame table: one struct page a frame, virtually contiguous, backed only where there is RAM and not initialised
 * at boot. A section is the 512 frames of a 2 MiB region. Its state says whether its structs may be read:
 *
 *   absent  no memory of the heap's is here (initial value)
 *   asleep  the whole section is inside one free block; only the struct of that block's head frame holds meaning
 *   live    all 512 structs are initialised
 *
 * A frame number that comes from a guest goes through page_of_guest_mfn(), which answers NULL unless the section is live.
 */
#ifndef TINE_PAGE_H
#define TINE_PAGE_H

#include <asm/memory.h> /* frame_table, direct map: mfn_to_virt(), virt_to_mfn(), paddr_to_virt(), virt_to_paddr() */
#include <tine/lib.h>

#define SECTION_ORDER 9
#define SECTION_FRAMES (1UL << SECTION_ORDER)

struct domain;

struct page {
	/*
	 * Top bits: state and flags (PAGE_*); below them the count of general references. A frame with a count above 0 is not freed. Changed
	 * by compare-and-exchange once a domain owns the frame.
	 */
	u64 count_info;
	union {
		u64 type_info; /* in use by a domain: PGT_* type, flags and count of typed references */
		struct {       /* free: of a block's head frame only */
			u32 first_dirty; /* index of the first frame that may need scrubbing, PAGE_NONE_DIRTY */
			u8 order;
			u8 scrubbing; /* enum scrub_state in mm/internal.h */
		} free;
	};
	u32 next,
		prev; /* list links by frame number, PAGE_LINK_END; on the heap's lists or its domain's */
	u16 owner; /* domid, or PAGE_NO_OWNER */
	u16 aux;   /* in use: the owner's (p2m: valid entries of a table) */
	u32 stamp; /* in use: validated entries of a page table; free: TLB flush generation at free */
};
_Static_assert(sizeof(struct page) == 32, "the frame table's size follows from it");

#define PAGE_LINK_END 0xffffffffU
#define PAGE_NONE_DIRTY 0xffffffffU
#define PAGE_NO_OWNER 0xffffU

#define PAGE_STATE_SHIFT 60
#define PAGE_STATE(s) ((u64)(s) << PAGE_STATE_SHIFT)
#define PAGE_STATE_MASK PAGE_STATE(3)
#define PAGE_STATE_RESERVED                                                                        \
	PAGE_STATE(0) /* live section, not the heap's: hole, boot-time allocation, bad page */
#define PAGE_STATE_FREE PAGE_STATE(1)    /* in a free block (head or not) */
#define PAGE_STATE_INUSE PAGE_STATE(2)   /* allocated */
#define PAGE_STATE_OFFLINE PAGE_STATE(3) /* taken off the heap by heap_offline */
#define PAGE_ALLOCATED                                                                             \
	BIT(63) /* its owner's reference for having been given it; dropped when freed */
#define PAGE_OFFLINING BIT(59)  /* in use; goes offline when freed */
#define PAGE_NEED_SCRUB BIT(58) /* free: holds what somebody wrote */
#define PAGE_TINE                                                                                  \
	BIT(57) /* the hypervisor's own page that a domain may map (shared info, grant frames) */
#define PAGE_COUNT_MASK (BIT(48) - 1)

enum section_state { SECTION_ABSENT, SECTION_ASLEEP, SECTION_LIVE };

enum section_state section_state(mfn_t mfn); /* of the section that holds MFN; any number is fine */

static inline struct page *mfn_to_page(mfn_t mfn)
{
	return &frame_table[mfn_x(mfn)];
}

static inline mfn_t page_to_mfn(const struct page *pg)
{
	return _mfn((unsigned long)(pg - frame_table));
}

/* For numbers that a guest supplied: the struct, or NULL when the frame's section is not live (or there is none). */
struct page *page_of_guest_mfn(unsigned long raw);

#endif
