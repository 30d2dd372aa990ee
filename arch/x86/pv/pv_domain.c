// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PV domain and its vCPUs from creation to end, as arch.h has them. The order of destruction:
 * users of frames first, then their tables.
 */
#include "internal.h"
#include "m2p.h"
#include <asm/fpu.h>
#include <asm/msr.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <xen/arch-x86/xen.h>

#define CR4_GUEST (CR4_PAE | CR4_MCE | CR4_OSFXSR | CR4_OSXMMEXCPT)

int pv_domain_create(struct domain *d)
{
	int rc = pv_m2p_init();

	if (!rc)
		rc = pv_empty_bus_create(d);
	return rc ? rc : pv_perdomain_create(d);
}

int pv_vcpu_create(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;
	int rc;

	pv->kernel_table = pv->user_table = INVALID_MFN;
	pv->cr4 = CR4_GUEST;
	pv->debugreg[6] = 0xffff0ff0;
	pv->debugreg[7] = 0x400;
	pv->traps = heap_alloc_pages(0, HEAP_ZERO);
	rc = pv->traps ? x86_fpu_create(v) : -ENOMEM;
	if (!rc)
		rc = pv_vcpu_map_gdt(v);
	if (rc)
		pv_vcpu_destroy(v);
	return rc;
}

void pv_vcpu_destroy(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;

	x86_fpu_destroy(v);
	if (pv->gdt_reserved)
		heap_free_pages(pv->gdt_reserved, 0);
	if (pv->traps)
		heap_free_pages(pv->traps, 0);
	pv->gdt_reserved = NULL;
	pv->traps = NULL;
}

static void put_table(mfn_t *table)
{
	if (!mfn_eq(*table, INVALID_MFN))
		pv_page_put_type(mfn_to_page(*table));
	*table = INVALID_MFN;
}

#define SCAN 512 /* frames looked at with the list locked */

static bool needs_end(const struct page *pg)
{
	return READ_ONCE(pg->type_info) & (PGT_PINNED | PGT_PARTIAL);
}

/*
 * The next frame behind AT (NULL: the first) that needs something, or one some way on; with a
 * reference, so that it stays on the list. NULL: there is none.
 */
static struct page *next_frame(struct domain *d, struct page *at)
{
	unsigned int n = 0;
	u32 link;

	spin_lock(&d->page_lock);
	do {
		link = at ? at->next : d->pages;
		at = link == PAGE_LINK_END ? NULL : mfn_to_page(_mfn(link));
	} while (at && ((n++ < SCAN && !needs_end(at)) || !page_get(at, d)));
	spin_unlock(&d->page_lock);
	return at;
}

/*
 * What the guest pinned and did not give back, or had begun to. The frames stay on the domain's list,
 * each has the reference of its allocation. False: other work waits.
 */
static bool drop_pins(struct domain *d)
{
	struct page *at = d->arch.pv.destroying, *next;

	while ((next = next_frame(d, at)) != NULL) {
		if (at)
			page_put(at);
		d->arch.pv.destroying = at = next;
		if (READ_ONCE(at->type_info) & PGT_PINNED)
			BUG_ON(pv_unpin(d, page_to_mfn(at)));
		pv_type_abandon(at);
		if (softirq_waiting())
			return false;
	}
	if (at)
		page_put(at);
	d->arch.pv.destroying = NULL;
	return true;
}

int pv_domain_destroy(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	pv_drop_eoi_page(d);
	for_each_vcpu (d, v, i) {
		pv_drop_gdt(v);
		pv_drop_ldt(v);
		put_table(&v->arch.pv.user_table);
		put_table(&v->arch.pv.kernel_table);
	}
	if (!pv_dying_reap(d) || !drop_pins(d) || !pv_dying_reap(d))
		return -ERESTART;
	pv_empty_bus_destroy(d);
	pv_perdomain_destroy(d);
	return 0;
}

int pv_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	int rc = pv_get_writable(d, frame, pg);

	if (rc)
		return rc;
	*va = mfn_to_virt(_mfn(frame));
	return 0;
}

void arch_unmap_guest_frame(struct page *pg, void *va)
{
	pv_put_writable(pg);
}

void pv_vcpu_dump(const struct vcpu *v)
{
	const struct cpu_regs *r = &v->arch.regs;

	printk_always("vCPU %u: %s mode%s, entry %x, error code %x\n", v->id,
		      v->arch.pv.kernel_mode ? "kernel" : "user",
		      v == current && r->entry_vector == X86_ENTRY_SYSCALL
			      ? " in a hypercall (rbx rbp r12-r15 rcx r11 cs ss are older)"
			      : "",
		      r->entry_vector, r->error_code);
#define WORD(name) (unsigned long)r->name
	printk_always("  rip %016lx cs %04lx rflags %08lx rsp %016lx ss %04lx\n", WORD(rip),
		      WORD(cs) & 0xffff, WORD(rflags), WORD(rsp), WORD(ss) & 0xffff);
	printk_always("  rax %016lx rbx %016lx rcx %016lx rdx %016lx\n", WORD(rax), WORD(rbx),
		      WORD(rcx), WORD(rdx));
	printk_always("  rsi %016lx rdi %016lx rbp %016lx r8  %016lx\n", WORD(rsi), WORD(rdi),
		      WORD(rbp), WORD(r8));
	printk_always("  r9  %016lx r10 %016lx r11 %016lx r12 %016lx\n", WORD(r9), WORD(r10),
		      WORD(r11), WORD(r12));
	printk_always("  r13 %016lx r14 %016lx r15 %016lx cr2 %016lx\n", WORD(r13), WORD(r14),
		      WORD(r15), (unsigned long)v->info->arch.cr2);
#undef WORD
	printk_always("  kernel table %lx, user table %lx, events %s\n",
		      mfn_x(v->arch.pv.kernel_table), mfn_x(v->arch.pv.user_table),
		      v->info->evtchn_upcall_mask ? "masked" : "open");
}
