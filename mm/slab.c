// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Small objects for the hypervisor itself, in sizes of powers of two. A page holds objects of one size and nothing else; what is to
 * know about it is in its struct page, which is the heap's user's while the page is in use:
 *
 *   aux        SLAB_MAGIC + kind: index of the size, or KIND_PAGES for a block of whole pages
 *   type_info  first free object, linked through their first words
 *   stamp      objects in use; of a block of whole pages, its order
 *   next, prev the list of pages of this size that have a free object
 *
 * A page whose last object is freed goes back to the heap, except the last one of its size that has room. One lock,
 * LOCK_SLAB, for all sizes.
 */
#include <tine/heap.h>
#include <tine/poison.h>
#include <tine/spinlock.h>
#include <tine/string.h>

#define SMALLEST_SHIFT 3
#define LARGEST_SHIFT 11
#define KINDS (LARGEST_SHIFT - SMALLEST_SHIFT + 1)
#define KIND_PAGES 0xff
#define SLAB_MAGIC 0x5100U

static struct spinlock slab_lock = SPINLOCK_INIT(LOCK_SLAB);
static u32 with_room[KINDS]; /* first page of a kind that has a free object */

struct free_object {
	struct free_object *next;
};

static unsigned int kind_of_size(size_t size)
{
	unsigned int shift = size <= 1UL << SMALLEST_SHIFT ? SMALLEST_SHIFT : msb(size - 1) + 1;

	return shift - SMALLEST_SHIFT;
}

static size_t kind_size(unsigned int kind)
{
	return 1UL << (kind + SMALLEST_SHIFT);
}

static void list_push(unsigned int kind, struct page *pg)
{
	u32 link = (u32)mfn_x(page_to_mfn(pg));

	pg->prev = PAGE_LINK_END;
	pg->next = with_room[kind];
	if (pg->next != PAGE_LINK_END)
		mfn_to_page(_mfn(pg->next))->prev = link;
	with_room[kind] = link;
}

static void list_remove(unsigned int kind, const struct page *pg)
{
	if (pg->prev == PAGE_LINK_END)
		with_room[kind] = pg->next;
	else
		mfn_to_page(_mfn(pg->prev))->next = pg->next;
	if (pg->next != PAGE_LINK_END)
		mfn_to_page(_mfn(pg->next))->prev = pg->prev;
}

/* Makes a page of free objects. Without the lock: the heap may scrub. */
static struct page *page_create(unsigned int kind)
{
	char *va = heap_alloc_pages(0, HEAP_DIRTY_OK);
	struct free_object *first = NULL;
	struct page *pg;

	if (!va)
		return NULL;
	for (size_t at = PAGE_SIZE; at > 0; at -= kind_size(kind)) {
		struct free_object *obj = (void *)(va + at - kind_size(kind));

		obj->next = first;
		first = obj;
		mem_poison(obj, kind_size(kind));
	}
	pg = mfn_to_page(virt_to_mfn(va));
	pg->aux = (u16)(SLAB_MAGIC + kind);
	pg->type_info = (u64)first;
	pg->stamp = 0;
	return pg;
}

/* With the lock held and a page that has room. */
static void *take_object(unsigned int kind)
{
	struct page *pg = mfn_to_page(_mfn(with_room[kind]));
	struct free_object *obj = (void *)pg->type_info;

	mem_unpoison(obj, kind_size(kind));
	pg->type_info = (u64)obj->next;
	pg->stamp++;
	if (!obj->next)
		list_remove(kind, pg);
	return obj;
}

static void *alloc_small(unsigned int kind)
{
	unsigned long irq = spin_lock_irqsave(&slab_lock);
	void *obj;

	if (with_room[kind] == PAGE_LINK_END) {
		struct page *pg;

		spin_unlock_irqrestore(&slab_lock, irq);
		pg = page_create(kind);
		if (!pg)
			return NULL;
		irq = spin_lock_irqsave(&slab_lock);
		list_push(kind, pg);
	}
	obj = take_object(kind);
	spin_unlock_irqrestore(&slab_lock, irq);
	memset(obj, 0, kind_size(kind));
	return obj;
}

static void *alloc_large(size_t size)
{
	unsigned int order = 0;
	struct page *pg;
	void *va;

	while (order <= HEAP_MAX_ORDER && PAGE_SIZE << order < size)
		order++;
	va = heap_alloc_pages(order, HEAP_ZERO);
	if (!va)
		return NULL;
	pg = mfn_to_page(virt_to_mfn(va));
	pg->aux = SLAB_MAGIC + KIND_PAGES;
	pg->stamp = order;
	return va;
}

void *kzalloc(size_t size)
{
	if (size <= 1UL << LARGEST_SHIFT)
		return alloc_small(kind_of_size(size));
	return alloc_large(size);
}

/* Gives OBJ back to its page. Returns the page if nothing is left in it and another has room: it can go. */
static struct page *put_object(struct page *pg, unsigned int kind, struct free_object *obj)
{
	bool was_full = !pg->type_info;

	obj->next = (void *)pg->type_info;
	mem_poison(obj, kind_size(kind));
	pg->type_info = (u64)obj;
	if (was_full)
		list_push(kind, pg);
	if (--pg->stamp || (pg->prev == PAGE_LINK_END && pg->next == PAGE_LINK_END))
		return NULL;
	list_remove(kind, pg);
	return pg;
}

void kfree(void *obj)
{
	struct page *pg, *empty;
	unsigned int kind;
	unsigned long irq;

	if (!obj)
		return;
	pg = mfn_to_page(virt_to_mfn(obj));
	kind = pg->aux - SLAB_MAGIC;
	if (kind == KIND_PAGES) {
		heap_free_pages(obj, pg->stamp);
		return;
	}
	BUG_ON(kind >= KINDS || !IS_ALIGNED((unsigned long)obj, kind_size(kind)));
	irq = spin_lock_irqsave(&slab_lock);
	BUG_ON(!pg->stamp ||
	       pg->type_info == (u64)obj); /* freed twice, as far as one can see cheaply */
	empty = put_object(pg, kind, obj);
	spin_unlock_irqrestore(&slab_lock, irq);
	if (!empty)
		return;
	mem_unpoison(mfn_to_virt(page_to_mfn(empty)), PAGE_SIZE);
	heap_free_pages(mfn_to_virt(page_to_mfn(empty)), 0);
}
