// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor's own page tables: one tree for all CPUs, which only grows. Tables come from a pool in the image until RAM can be reached, then from
 * bootmem, then from the heap.
 *
 * mapping_lock (LOCK_MAPPING) guards changes. Readers are the CPUs' table walkers, which are coherent with the caches: entries change by single
 * stores, a table is complete before the entry that names it is written, and a barrier stands before anybody uses the new mapping.
 */
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <tine/arch.h>
#include <tine/bootmem.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/spinlock.h>
#include <tine/string.h>

#define LEVELS 4 /* numbered from the leaves: 1 maps 4 KiB an entry, 2 2 MiB, 3 1 GiB */
#define LARGEST_LEAF 3
#define IMAGE_POOL 40
#define POOL_FRAMES 16

u64 arm64_l0[PT_ENTRIES] __aligned(4096); /* secondaries' too: boot/head.S */
static u64 image_pool[IMAGE_POOL][PT_ENTRIES] __aligned(4096);
static unsigned int image_pool_used;
static paddr_t image_paddr;

static struct spinlock mapping_lock = SPINLOCK_INIT(LOCK_MAPPING);
static bool bootmem_up, heap_up;
static mfn_t pool_next;
static unsigned int pool_left;

void arm64_switch_tables(paddr_t top, u64 sctlr, paddr_t image); /* boot/head.S */

paddr_t arm64_image_paddr(const void *sym)
{
	return _paddr(paddr_x(image_paddr) + (unsigned long)sym - IMAGE_VIRT_START);
}

paddr_t arm64_page_tables(void)
{
	return arm64_image_paddr(arm64_l0);
}

void arm64_paging_use_heap(void)
{
	heap_up = true;
}

static unsigned int level_shift(unsigned int level)
{
	return PAGE_SHIFT + 9 * (level - 1);
}

static unsigned int entry_index(unsigned long va, unsigned int level)
{
	return (va >> level_shift(level)) % PT_ENTRIES;
}

static bool is_table(u64 entry, unsigned int level)
{
	return level > 1 && (entry & PTE_TABLE);
}

/* ---- Tables ---- */

/* The image's own frames are always reachable at its addresses, others once RAM is mapped. */
static u64 *table_of(u64 entry)
{
	unsigned long pa = entry & PTE_ADDR_MASK, image = paddr_x(image_paddr);

	if (pa >= image && pa < image + (unsigned long)(image_end - image_start))
		return (u64 *)(IMAGE_VIRT_START + pa - image);
	return paddr_to_virt(_paddr(pa));
}

/*
 * A further piece of memory for tables, which must be mapped itself before it is used; what that takes comes from the image's pool. Pieces are
 * neighbours in general, so it is seldom more than one table for 32 pieces.
 */
static void refill_pool(void)
{
	static bool refilling;
	mfn_t mfn;

	if (!bootmem_up || heap_up || refilling || pool_left)
		return;
	refilling = true;
	mfn = bootmem_alloc(POOL_FRAMES, POOL_FRAMES, arch_direct_map_limit(), "page tables");
	if (arm64_map_range(mfn_to_virt(mfn), mfn_to_paddr(mfn), POOL_FRAMES * PAGE_SIZE,
			    PAGE_HYP_RW))
		panic("No memory for page tables at start of day");
	pool_next = mfn;
	pool_left = POOL_FRAMES;
	refilling = false;
}

static mfn_t table_frame(void)
{
	if (pool_left)
		return mfn_add(pool_next, --pool_left);
	if (heap_up)
		return heap_alloc(0, NUMA_NO_NODE, 0, HEAP_DIRTY_OK);
	if (image_pool_used < IMAGE_POOL)
		return paddr_to_mfn(arm64_image_paddr(image_pool[image_pool_used++]));
	return INVALID_MFN;
}

static u64 *new_table(u64 *entry)
{
	mfn_t mfn = table_frame();
	u64 value, *table;

	if (mfn_eq(mfn, INVALID_MFN))
		return NULL;
	value = paddr_x(mfn_to_paddr(mfn)) | PTE_TABLE | PTE_VALID;
	table = table_of(value);
	memset(table, 0, PAGE_SIZE);
	dsb_ishst(); /* empty for the walkers before they can find it */
	WRITE_ONCE(*entry, value);
	return table;
}

/* ---- Mapping ---- */

/*
 * The entry of VA at *LEVEL, or at a lower level where a table is in its place, which *LEVEL then says; tables above are made as needed. NULL without
 * memory.
 */
static u64 *make_entry(unsigned long va, unsigned int *level)
{
	u64 *table = arm64_l0, *entry = NULL;

	for (unsigned int at = LEVELS; at > 0; at--) {
		entry = &table[entry_index(va, at)];
		if (at <= *level && !is_table(*entry, at)) {
			*level = at;
			break;
		}
		BUG_ON((*entry & PTE_VALID) && !is_table(*entry, at));
		table = *entry & PTE_VALID ? table_of(*entry) : new_table(entry);
		if (!table)
			return NULL;
	}
	return entry;
}

u64 arm64_walk(const void *addr, unsigned long *size)
{
	unsigned long va = (unsigned long)addr;
	const u64 *table = arm64_l0;

	for (unsigned int level = LEVELS;; level--) {
		u64 entry = table[entry_index(va, level)];

		*size = 1UL << level_shift(level);
		if (!(entry & PTE_VALID))
			return 0;
		if (!is_table(entry, level))
			return entry;
		table = table_of(entry);
	}
}

/* The largest leaf that VA, PA and LEN (bytes, whole pages) allow. */
static unsigned int best_level(unsigned long va, unsigned long pa, unsigned long len)
{
	for (unsigned int level = LARGEST_LEAF; level > 1; level--) {
		unsigned long size = 1UL << level_shift(level);

		if (IS_ALIGNED(va | pa, size) && len >= size)
			return level;
	}
	return 1;
}

/* Up to N leaves from ENTRY on, stopping at a table; how many. */
static unsigned long fill_entries(u64 *entry, unsigned long n, u64 value, unsigned int level)
{
	unsigned long i;

	for (i = 0; i < n && !is_table(entry[i], level); i++) {
		BUG_ON((entry[i] & PTE_VALID) && entry[i] != value);
		WRITE_ONCE(entry[i], value);
		value += 1UL << level_shift(level);
	}
	return i;
}

static int map_step(unsigned long va, u64 value, unsigned long len, unsigned int level,
		    unsigned long *done)
{
	u64 *entry = make_entry(va, &level);
	unsigned long size = 1UL << level_shift(level);

	if (!entry)
		return -ENOMEM;
	value |= level > 1 ? PTE_VALID : PTE_PAGE;
	*done = size *
		fill_entries(entry,
			     min((unsigned long)PT_ENTRIES - entry_index(va, level), len / size),
			     value, level);
	return 0;
}

int arm64_map_range(void *addr, paddr_t start, unsigned long len, u64 flags)
{
	unsigned long va = (unsigned long)addr, pa = paddr_x(start), done;
	int rc = 0;

	for (; len && !rc; va += done, pa += done, len -= done) {
		refill_pool();
		done = 0;
		rc = map_step(va, pa | flags, len, best_level(va, pa, len), &done);
	}
	dsb_ishst();
	isb();
	return rc;
}

int arm64_map_pages(void *va, mfn_t mfn, unsigned long count, u64 flags)
{
	unsigned long irq = spin_lock_irqsave(&mapping_lock);
	unsigned long pa = paddr_x(mfn_to_paddr(mfn)), at = (unsigned long)va, done;
	int rc = 0;

	for (unsigned long left = count * PAGE_SIZE; left && !rc; left -= done) {
		done = 0;
		rc = map_step(at, pa | flags, left, 1, &done);
		at += done;
		pa += done;
	}
	dsb_ishst();
	isb();
	spin_unlock_irqrestore(&mapping_lock, irq);
	return rc;
}

void arm64_unmap_pages(void *va, unsigned long count)
{
	unsigned long irq = spin_lock_irqsave(&mapping_lock);

	for (unsigned long i = 0; i < count; i++) {
		unsigned long at = (unsigned long)va + i * PAGE_SIZE, size;
		unsigned int level = 1;

		if (!arm64_walk((void *)at, &size))
			continue;
		WRITE_ONCE(*make_entry(at, &level), 0);
		dsb_ishst();
		__asm__ volatile("tlbi vae2is, %0" : : "r"(at >> PAGE_SHIFT) : "memory");
	}
	dsb_ish();
	isb();
	spin_unlock_irqrestore(&mapping_lock, irq);
}

volatile void *arm64_map_device(paddr_t pa, size_t len)
{
	static unsigned long next = DEVICE_VIRT_START;
	unsigned long offset = paddr_x(pa) % PAGE_SIZE;
	unsigned long pages = DIV_ROUND_UP(offset + len, PAGE_SIZE);
	unsigned long va = __atomic_fetch_add(&next, pages * PAGE_SIZE, __ATOMIC_RELAXED);

	if (va + pages * PAGE_SIZE > DEVICE_VIRT_START + GiB(1) ||
	    arm64_map_pages((void *)va, paddr_to_mfn(pa), pages, PAGE_HYP_DEVICE)) {
		pr_err("No room to map the device registers at %#lx", paddr_x(pa));
		return NULL;
	}
	return (volatile void *)(va + offset);
}

/* ---- Start of day ---- */

static void map_image_part(const char *from, const char *to, u64 flags)
{
	if (arm64_map_range((void *)(uintptr_t)from, arm64_image_paddr(from),
			    (unsigned long)(to - from), flags))
		panic("The image has too few page tables for itself");
}

/* The image; and at its physical address the page where a CPU is when it turns its MMU on. */
void arm64_paging_early(paddr_t image)
{
	paddr_t own;

	image_paddr = image;
	map_image_part(image_start, rodata_start, PAGE_HYP_RX);
	map_image_part(rodata_start, rodata_end, PAGE_HYP_RO);
	map_image_part(rodata_end, boot_stack_guard, PAGE_HYP_RW);
	map_image_part(boot_stack, image_end, PAGE_HYP_RW);
	own = _paddr(paddr_x(arm64_image_paddr(arm64_mmu_on)) & PAGE_MASK);
	if (arm64_map_range((void *)paddr_x(own), own, PAGE_SIZE, PAGE_HYP_RX))
		panic("The image has too few page tables for itself");
}

void arm64_paging_switch(void)
{
	arm64_switch_tables(arm64_page_tables(), SCTLR_FINAL, image_paddr);
}

void arm64_paging_use_bootmem(void)
{
	bootmem_up = true;
}
