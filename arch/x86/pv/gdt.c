// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The descriptor tables that the CPU sees while a PV vCPU runs. Each domain has a private piece of
 * the hypervisor's address space (top-level slot 258 of its page tables) with 32 pages for each
 * vCPU:
 *
 *   0 .. 13   the guest's GDT frames, or a page of zeros
 *   14        the reserved page: the guests' flat segments, the hypervisor's, the LDT's
 *   16 .. 31  the guest's LDT frames, or nothing
 *
 * A frame of the guest's is mapped here only under a reference of type PV_TYPE_DESC. The mappings
 * are writable because the CPU sets the accessed bit. Changed by the vCPU itself or while it does
 * not run.
 */
#include "internal.h"
#include "tlb.h"
#include "walk.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <asm/paging.h>
#include <asm/segment.h>
#include <tine/heap.h>

#define VCPU_PAGES 32UL
#define RESERVED_PAGE PV_GDT_FRAMES
#define TABLE_FLAGS (PTE_P | PTE_RW | PTE_A | PTE_D)
#define MAPPING_FLAGS (TABLE_FLAGS | PTE_NX)

#define DESC_L BIT(53)
#define DESC_LDT 0x0000820000000000UL /* present, type 2 */

static u64 zero_page[PAGE_SIZE / sizeof(u64)] __aligned(PAGE_SIZE);

u64 *pv_descriptor_slot(const struct vcpu *v, unsigned int page)
{
	unsigned long index = v->id * VCPU_PAGES + page;

	return &v->domain->arch.pv.perdomain_l1[index / PT_ENTRIES][index % PT_ENTRIES];
}

static void unmap(const struct vcpu *v, unsigned int first, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		WRITE_ONCE(*pv_descriptor_slot(v, first + i),
			   pte_make(paddr_to_mfn(x86_image_paddr(zero_page)),
				    PTE_P | PTE_A | PTE_NX));
}

unsigned long pv_gdt_address(const struct vcpu *v)
{
	return PERDOMAIN_VIRT_START + v->id * VCPU_PAGES * PAGE_SIZE;
}

int pv_perdomain_create(struct domain *d)
{
	struct pv_domain *pv = &d->arch.pv;

	pv->perdomain_l3 = heap_alloc_pages(0, HEAP_ZERO);
	pv->perdomain_l2 = heap_alloc_pages(0, HEAP_ZERO);
	if (!pv->perdomain_l3 || !pv->perdomain_l2)
		return -ENOMEM;
	pv->perdomain_l3[0] = pte_make(virt_to_mfn(pv->perdomain_l2), TABLE_FLAGS);
	return 0;
}

void pv_perdomain_destroy(struct domain *d)
{
	struct pv_domain *pv = &d->arch.pv;
	unsigned int i;

	for (i = 0; i < PV_PERDOMAIN_L1S; i++)
		heap_free_pages(pv->perdomain_l1[i], 0);
	heap_free_pages(pv->perdomain_l2, 0);
	heap_free_pages(pv->perdomain_l3, 0);
}

void pv_fill_hypervisor_slots(const struct domain *d, u64 *table)
{
	x86_copy_hypervisor_slots(table);
	table[pt_index(PERDOMAIN_VIRT_START, 4)] =
		pte_make(virt_to_mfn(d->arch.pv.perdomain_l3), TABLE_FLAGS);
}

static int ensure_l1(struct pv_domain *pv, unsigned int i)
{
	if (pv->perdomain_l1[i])
		return 0;
	pv->perdomain_l1[i] = heap_alloc_pages(0, HEAP_ZERO);
	if (!pv->perdomain_l1[i])
		return -ENOMEM;
	pv->perdomain_l2[i] = pte_make(virt_to_mfn(pv->perdomain_l1[i]), TABLE_FLAGS);
	return 0;
}

static void fill_reserved(u64 *reserved, unsigned long ldt)
{
#define ENTRY(selector) reserved[((selector)-GDT_RESERVED) / 8]
	ENTRY(SEL_HYPERVISOR_CS) = DESC_HYPERVISOR_CS;
	ENTRY(SEL_HYPERVISOR_DS) = DESC_HYPERVISOR_DS;
	ENTRY(SEL_GUEST_CS32) = DESC_GUEST_CS32;
	ENTRY(SEL_GUEST_DS) = DESC_GUEST_DS;
	ENTRY(SEL_GUEST_CS64) = DESC_GUEST_CS64;
	ENTRY(SEL_LDT) = DESC_LDT | (ldt & 0xffffff) << 16 | (ldt >> 24 & 0xff) << 56;
	ENTRY(SEL_LDT + 8) = ldt >> 32;
#undef ENTRY
}

int pv_vcpu_map_gdt(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;
	unsigned int i;
	int rc = ensure_l1(&v->domain->arch.pv, v->id * VCPU_PAGES / PT_ENTRIES);

	if (rc)
		return rc;
	pv->gdt_reserved = heap_alloc_pages(0, HEAP_ZERO);
	if (!pv->gdt_reserved)
		return -ENOMEM;
	fill_reserved(pv->gdt_reserved, pv_gdt_address(v) + PV_LDT_PAGE * PAGE_SIZE);
	unmap(v, 0, PV_GDT_FRAMES);
	*pv_descriptor_slot(v, RESERVED_PAGE) =
		pte_make(virt_to_mfn(pv->gdt_reserved), MAPPING_FLAGS);
	for (i = 0; i < PV_LDT_FRAMES; i++)
		pv->ldt_frames[i] = INVALID_MFN;
	return 0;
}

/* The CPU may hold translations of this vCPU's pages only while it runs it. */
static void forget_translations(const struct vcpu *v)
{
	if (v == current)
		pv_tlb_flush_local();
}

static void put_frames(const mfn_t *frames, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		pv_page_put_type(mfn_to_page(frames[i]));
}

static unsigned int frames_for(unsigned int entries)
{
	return DIV_ROUND_UP(entries, 512U);
}

int pv_set_gdt(struct vcpu *v, const u64 *frames, unsigned int entries)
{
	struct pv_vcpu *pv = &v->arch.pv;
	mfn_t new[PV_GDT_FRAMES];
	unsigned int i, count = frames_for(entries);
	int rc;

	if (entries > PV_GDT_ENTRIES)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		new[i] = _mfn(frames[i]);
		rc = pv_page_get_type(v->domain, new[i], PV_TYPE_DESC);
		if (rc) {
			put_frames(new, i);
			return rc == -ERESTART ? rc : -EINVAL;
		}
	}
	pv_drop_gdt(v);
	for (i = 0; i < count; i++) {
		pv->gdt_frames[i] = new[i];
		WRITE_ONCE(*pv_descriptor_slot(v, i), pte_make(new[i], MAPPING_FLAGS));
	}
	pv->gdt_entries = entries;
	forget_translations(v);
	return 0;
}

void pv_drop_gdt(struct vcpu *v)
{
	unsigned int count = frames_for(v->arch.pv.gdt_entries);

	unmap(v, 0, count);
	forget_translations(v);
	put_frames(v->arch.pv.gdt_frames, count);
	v->arch.pv.gdt_entries = 0;
}

void pv_drop_ldt(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;
	unsigned int i, count = frames_for(pv->ldt_entries);

	for (i = 0; i < count; i++)
		WRITE_ONCE(*pv_descriptor_slot(v, PV_LDT_PAGE + i), 0);
	forget_translations(v);
	for (i = 0; i < count; i++) {
		if (!mfn_eq(pv->ldt_frames[i], INVALID_MFN))
			put_frames(&pv->ldt_frames[i], 1);
		pv->ldt_frames[i] = INVALID_MFN;
	}
	pv->ldt_entries = 0;
}

/*
 * What the guest's kernel has at its linear address of LDT page I becomes visible to the CPU, if it
 * can.
 */
static bool map_ldt_page(struct vcpu *v, unsigned int i)
{
	struct pv_vcpu *pv = &v->arch.pv;
	unsigned long va = gva_x(pv->ldt_base) + i * PAGE_SIZE;
	u64 entry;

	if (!guest_range_ok(va, PAGE_SIZE) || !pv_walk_entry(pv->kernel_table, va, &entry) ||
	    pv_page_get_type(v->domain, pte_mfn(entry), PV_TYPE_DESC))
		return false;
	pv->ldt_frames[i] = pte_mfn(entry);
	WRITE_ONCE(*pv_descriptor_slot(v, PV_LDT_PAGE + i),
		   pte_make(pte_mfn(entry), MAPPING_FLAGS));
	return true;
}

/*
 * The CPU did not find LDT page of ADDRESS. True: it is there now. False, with *ADDRESS as the
 * guest knows it: the fault is the guest's. Other addresses are left alone.
 */
bool pv_ldt_fault(struct vcpu *v, u64 *address)
{
	struct pv_vcpu *pv = &v->arch.pv;
	u64 offset = *address - (pv_gdt_address(v) + PV_LDT_PAGE * PAGE_SIZE);

	if (offset >= pv->ldt_entries * 8UL)
		return false;
	if (mfn_eq(pv->ldt_frames[offset >> PAGE_SHIFT], INVALID_MFN) &&
	    map_ldt_page(v, (unsigned int)(offset >> PAGE_SHIFT)))
		return true;
	*address = gva_x(pv->ldt_base) + offset;
	return false;
}

bool pv_ldt_ok(unsigned long base, unsigned long entries)
{
	return entries <= PV_LDT_ENTRIES && !(base & ~PAGE_MASK) &&
	       guest_range_ok(base, entries * 8);
}

/*
 * Pages that are there and can be descriptors are mapped now, so that selectors load also where a
 * fault has no guest to go to.
 */
int pv_set_ldt(struct vcpu *v, unsigned long base, unsigned long entries)
{
	struct pv_vcpu *pv = &v->arch.pv;
	unsigned int i;

	if (!pv_ldt_ok(base, entries))
		return -EINVAL;
	if (pv->ldt_entries)
		pv_drop_ldt(v);
	pv->ldt_base = _gva(base);
	pv->ldt_entries = (unsigned int)entries;
	for (i = 0; i < frames_for(pv->ldt_entries); i++)
		(void)map_ldt_page(v, i);
	if (v == current)
		pv_load_ldt(v);
	return 0;
}

void pv_load_ldt(struct vcpu *v)
{
	u64 *desc = &v->arch.pv.gdt_reserved[(SEL_LDT - GDT_RESERVED) / 8];
	unsigned int entries = v->arch.pv.ldt_entries;
	u16 selector = 0;

	if (entries) {
		*desc = (*desc & ~0xffffUL) | (entries * 8 - 1);
		selector = SEL_LDT;
	}
	__asm__ volatile("lldt %0" : : "r"(selector) : "memory");
}

/* Of the descriptor that the CPU took CS from. */
bool pv_code_is_64bit(const struct vcpu *v, const struct cpu_regs *regs)
{
	u16 selector = (u16)regs->cs;
	unsigned long table = pv_gdt_address(v) + (selector & 4 ? PV_LDT_PAGE * PAGE_SIZE : 0);

	if (selector == SEL_GUEST_CS64)
		return true;
	return load_or_zero((const u64 *)(table + (selector & ~7U))) & DESC_L;
}

/* The frames of the vCPU's descriptor table: all of them at once, each validated. */
long do_set_gdt(unsigned long list, unsigned long entries, unsigned long a3, unsigned long a4,
		unsigned long a5)
{
	u64 frames[PV_GDT_FRAMES];
	int rc;

	if (entries > PV_GDT_ENTRIES)
		return -EINVAL;
	if (copy_from_guest(frames, _gva(list),
			    frames_for((unsigned int)entries) * sizeof(*frames)))
		return -EFAULT;
	rc = pv_set_gdt(current, frames, (unsigned int)entries);
	return rc == -ERESTART ? hypercall_continue(__HYPERVISOR_set_gdt, list, entries, 0, 0, 0)
			       : rc;
}
