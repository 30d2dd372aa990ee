// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor's own page tables: one top-level table and, for good, the third-level tables of
 * its sixteen slots, in the image. Lower tables come from a small pool that bootmem and later the
 * heap refill; they are never freed.
 *
 * mapping_lock (LOCK_MAPPING) guards changes. Readers are CPUs: entries change by single stores.
 */
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
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

#define TABLE_FLAGS (PTE_P | PTE_RW | PTE_A)
#define ENTRIES 512
#define POOL_FRAMES 16
#define FRAME_4GIB _mfn(1UL << 20)

static u64 master_l4[ENTRIES] __aligned(4096);
static u64 hypervisor_l3[HYPERVISOR_SLOTS][ENTRIES] __aligned(4096);
static paddr_t load_base;

static struct spinlock mapping_lock = SPINLOCK_INIT(LOCK_MAPPING);
static bool heap_up;
static mfn_t pool_next;
static unsigned int pool_left;

paddr_t x86_image_paddr(const void *sym)
{
	return _paddr(paddr_x(load_base) + (unsigned long)sym - IMAGE_VIRT_START);
}

void x86_paging_set_load_base(paddr_t base)
{
	load_base = base;
	for (unsigned int i = 0; i < HYPERVISOR_SLOTS; i++)
		master_l4[HYPERVISOR_SLOT_FIRST + i] =
			paddr_x(x86_image_paddr(hypervisor_l3[i])) | TABLE_FLAGS;
}

void x86_paging_use_heap(void)
{
	heap_up = true;
}

u64 *x86_master_l4(void)
{
	return master_l4;
}

paddr_t x86_master_cr3(void)
{
	return x86_image_paddr(master_l4);
}

void x86_copy_hypervisor_slots(u64 *l4)
{
	memcpy(&l4[HYPERVISOR_SLOT_FIRST], &master_l4[HYPERVISOR_SLOT_FIRST],
	       HYPERVISOR_SLOTS * sizeof(*l4));
}

/* Start of day reaches only the first 4 GiB, so tables come from there until the heap is up. */
static mfn_t table_frame(void)
{
	if (!pool_left && heap_up)
		return heap_alloc(0, NUMA_NO_NODE, 0, HEAP_DIRTY_OK);
	if (!pool_left) {
		pool_next = bootmem_alloc(POOL_FRAMES, 1, FRAME_4GIB, "page tables");
		pool_left = POOL_FRAMES;
	}
	pool_left--;
	return mfn_add(pool_next, pool_left);
}

/* Level 1 maps 4 KiB an entry, level 2 2 MiB, level 3 1 GiB. */
static unsigned int level_shift(unsigned int level)
{
	return PAGE_SHIFT + 9 * (level - 1);
}

static unsigned int entry_index(unsigned long va, unsigned int level)
{
	return (va >> level_shift(level)) % ENTRIES;
}

static u64 *table_of(u64 entry)
{
	return paddr_to_virt(_paddr(entry & PTE_ADDR_MASK));
}

static u64 *new_table(u64 *entry)
{
	mfn_t mfn = table_frame();
	u64 *table;

	if (mfn_eq(mfn, INVALID_MFN))
		return NULL;
	table = mfn_to_virt(mfn);
	memset(table, 0, PAGE_SIZE);
	WRITE_ONCE(*entry, paddr_x(mfn_to_paddr(mfn)) | TABLE_FLAGS);
	return table;
}

/* The entry of VA at LEVEL, with the tables above made as needed; NULL without memory. */
static u64 *make_entry(unsigned long va, unsigned int level)
{
	u64 *table = hypervisor_l3[entry_index(va, 4) - HYPERVISOR_SLOT_FIRST];

	for (unsigned int at = 3; at > level; at--) {
		u64 *entry = &table[entry_index(va, at)];

		BUG_ON((*entry & PTE_P) && (*entry & PTE_PSE));
		table = *entry & PTE_P ? table_of(*entry) : new_table(entry);
		if (!table)
			return NULL;
	}
	return &table[entry_index(va, level)];
}

u64 x86_walk(const void *addr, unsigned long *size)
{
	unsigned long va = (unsigned long)addr;
	unsigned int slot = entry_index(va, 4);
	const u64 *table;

	if (slot < HYPERVISOR_SLOT_FIRST || slot >= HYPERVISOR_SLOT_FIRST + HYPERVISOR_SLOTS)
		return 0;
	table = hypervisor_l3[slot - HYPERVISOR_SLOT_FIRST];
	for (unsigned int level = 3;; level--) {
		u64 entry = table[entry_index(va, level)];

		*size = 1UL << level_shift(level);
		if (!(entry & PTE_P))
			return 0;
		if (level == 1 || (entry & PTE_PSE))
			return entry;
		table = table_of(entry);
	}
}

/* The largest page that VA, PA and LEN (bytes, whole pages) allow. */
static unsigned int best_level(unsigned long va, unsigned long pa, unsigned long len)
{
	for (unsigned int level = x86_cpu.gib_pages ? 3 : 2; level > 1; level--) {
		unsigned long size = 1UL << level_shift(level);

		if (IS_ALIGNED(va | pa, size) && len >= size)
			return level;
	}
	return 1;
}

static void fill_entries(u64 *entry, unsigned long n, u64 value, unsigned long step)
{
	for (unsigned long i = 0; i < n; i++) {
		WRITE_ONCE(entry[i], value);
		value += step;
	}
}

static int map_level(unsigned long va, u64 value, unsigned long len, unsigned int level,
		     unsigned long *done)
{
	unsigned long size = 1UL << level_shift(level);
	unsigned long n = min((unsigned long)ENTRIES - entry_index(va, level), len / size);
	u64 *entry = make_entry(va, level);

	if (!entry)
		return -ENOMEM;
	fill_entries(entry, n, level > 1 ? value | PTE_PSE : value, size);
	*done = n * size;
	return 0;
}

int x86_map_range(void *addr, paddr_t start, unsigned long len, u64 flags)
{
	unsigned long va = (unsigned long)addr, pa = paddr_x(start), done;

	if (!x86_cpu.nx)
		flags &= ~PTE_NX;
	for (; len; va += done, pa += done, len -= done) {
		int rc = map_level(va, pa | flags, len, best_level(va, pa, len), &done);

		if (rc)
			return rc;
	}
	return 0;
}

int x86_map_pages(void *va, mfn_t mfn, unsigned long count, u64 flags)
{
	unsigned long irq = spin_lock_irqsave(&mapping_lock);
	unsigned long pa = paddr_x(mfn_to_paddr(mfn)), at = (unsigned long)va, done;
	int rc = 0;

	if (!x86_cpu.nx)
		flags &= ~PTE_NX;
	for (unsigned long left = count * PAGE_SIZE; left && !rc; left -= done) {
		done = 0;
		rc = map_level(at, pa | flags, left, 1, &done);
		at += done;
		pa += done;
	}
	spin_unlock_irqrestore(&mapping_lock, irq);
	return rc;
}

void x86_unmap_pages(void *va, unsigned long count)
{
	unsigned long irq = spin_lock_irqsave(&mapping_lock);

	for (unsigned long i = 0; i < count; i++) {
		unsigned long at = (unsigned long)va + i * PAGE_SIZE, size;

		if (x86_walk((void *)at, &size))
			WRITE_ONCE(*make_entry(at, 1), 0);
	}
	spin_unlock_irqrestore(&mapping_lock, irq);
}

volatile void *x86_map_device(paddr_t pa, size_t len)
{
	static unsigned long next = DEVICE_VIRT_START;
	unsigned long offset = paddr_x(pa) % PAGE_SIZE;
	unsigned long pages = DIV_ROUND_UP(offset + len, PAGE_SIZE);
	unsigned long va = __atomic_fetch_add(&next, pages * PAGE_SIZE, __ATOMIC_RELAXED);

	if (va + pages * PAGE_SIZE > DEVICE_VIRT_START + GiB(1) ||
	    x86_map_pages((void *)va, paddr_to_mfn(pa), pages, PAGE_HYP_DEVICE)) {
		pr_err("No room to map the device registers at %#lx", paddr_x(pa));
		return NULL;
	}
	return (volatile void *)(va + offset);
}
