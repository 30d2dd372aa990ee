// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PVH domain's memory as the hypervisor reaches it: by guest-physical frame through the p2m, and by the virtual addresses of the vCPU that runs, through the guest's
 * own page tables. The guest may change those under our eyes; each entry is read once, and whatever it says leads to the guest's own memory or
 * to nothing.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/pte.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/fork.h>
#include <tine/heap.h>
#include <tine/string.h>
#include <tine/translated_memory.h>
#include "../pv/tlb.h"

#define ORDER_2M 9

DEFINE_PERCPU(bool, guest_translated);

/* ---- By frame ---- */

/* What others have in common with D is D's alone afterwards. */
mfn_t svm_ram_frame(struct domain *d, gfn_t gfn)
{
	struct p2m *p2m = &d->arch.svm.p2m;
	enum p2m_type type;
	mfn_t mfn;

	if (p2m_unshare(p2m, gfn))
		return INVALID_MFN;
	mfn = p2m_lookup(p2m, gfn, &type, NULL);
	return type == P2M_RAM ? mfn : INVALID_MFN;
}

/* ---- By the guest's own address ---- */

/* The three formats of the guest's own tables (APM vol. 2, 5.2 and 5.3). */
struct paging {
	unsigned int levels;
	unsigned int index_bits; /* at each level but PAE's top one, of 2 bits */
	unsigned int entry_size;
	u64 address_mask; /* of an entry */
};

static const struct paging paging_long = { 4, 9, 8, PTE_ADDR_MASK };
static const struct paging paging_pae = { 3, 9, 8, PTE_ADDR_MASK };
static const struct paging paging_32 = { 2, 10, 4, 0xfffff000UL };

static const struct paging *paging_of(const struct vmcb *c)
{
	if (c->efer & EFER_LMA)
		return &paging_long;
	return c->cr4 & CR4_PAE ? &paging_pae : &paging_32;
}

static bool read_entry(struct domain *d, const struct paging *p, u64 at, u64 *entry)
{
	const void *slot = translated_hold(d, at, false);

	if (!slot)
		return false;
	*entry = p->entry_size == 8 ? READ_ONCE(*(const u64 *)slot) : READ_ONCE(*(const u32 *)slot);
	translated_release(slot);
	return true;
}

static bool is_leaf(const struct vmcb *c, const struct paging *p, unsigned int level, u64 entry)
{
	if (level == 1 || level == 4 || !(entry & PTE_PSE))
		return level == 1;
	return p == &paging_long || (level == 2 && (p == &paging_pae || (c->cr4 & CR4_PSE)));
}

/* 4 MiB pages have bits 32 to 39 of their address in bits 13 to 20 (PSE36). */
static u64 leaf_address(const struct paging *p, unsigned int level, u64 entry)
{
	u64 at = entry & p->address_mask;

	return p == &paging_32 && level == 2 ? (at & 0xffc00000UL) | (entry >> 13 & 0xff) << 32
					     : at;
}

/* The supervisor's view of VA. Entries of PAE's top level have no permissions. */
bool arch_translate(const struct vcpu *v, u64 va, bool write, u64 *at)
{
	const struct vmcb *c = svm_vmcb(v);
	const struct paging *p = paging_of(c);
	u64 entry = p == &paging_pae ? c->cr3 & 0xffffffe0UL : c->cr3 & p->address_mask;

	if (p != &paging_long)
		va = (u32)va;
	else if ((unsigned long)((s64)(va << 16) >> 16) != va)
		return false;
	*at = va;
	for (unsigned int level = c->cr0 & CR0_PG ? p->levels : 0; level; level--) {
		unsigned int shift = PAGE_SHIFT + p->index_bits * (level - 1);
		u64 offset = BIT(shift) - 1, index = va >> shift & (BIT(p->index_bits) - 1);
		bool top = p == &paging_pae && level == 3;

		/* PAE's top table need not begin at a page. */
		entry = level == p->levels ? entry : entry & p->address_mask;
		if (!read_entry(v->domain, p, entry + (top ? index & 3 : index) * p->entry_size,
				&entry))
			return false;
		if (!(entry & PTE_P) || (write && !top && !(entry & PTE_RW)))
			return false;
		if (is_leaf(c, p, level, entry)) {
			*at = (leaf_address(p, level, entry) & ~offset) | (va & offset);
			return true;
		}
	}
	return !(c->cr0 & CR0_PG);
}

/* ---- The domain ---- */

static struct mem_region region(u64 start, u64 end, enum mem_type type)
{
	return (struct mem_region){ .start = _paddr(start), .end = _paddr(end), .type = type };
}

unsigned int svm_memory_map(const struct domain *d, struct mem_region *map, unsigned int max)
{
	const struct svm_domain *svm = &d->arch.svm;
	unsigned int n = 0;

	if (n < max)
		map[n++] = region(0, svm->low_end, MEM_RAM);
	if (n < max)
		map[n++] = region(svm->low_end, svm->low_top, MEM_RESERVED);
	if (n < max && svm->high_end)
		map[n++] = region(GiB(4), svm->high_end, MEM_RAM);
	return n;
}

int svm_domain_create(struct domain *d)
{
	int rc;

	if (!svm_usable) {
		pr_err("Domain %u: PVH guests need AMD-V with nested paging, which this machine "
		       "does not have\n",
		       d->id);
		return -EOPNOTSUPP;
	}
	svm_settle_affinity(d);
	rc = svm_permission_maps();
	if (!rc)
		rc = p2m_init(&d->arch.svm.p2m, d, &svm_npt_codec, &domain_p2m_frames);
	if (!rc && !x86_cpu.gib_pages)
		d->arch.svm.p2m.largest_order = ORDER_2M;
	return rc;
}

int svm_domain_destroy(struct domain *d)
{
	return p2m_destroy(&d->arch.svm.p2m);
}

unsigned long svm_domain_check(struct domain *d)
{
	struct p2m_stats stats;

	return p2m_check(&d->arch.svm.p2m, &stats);
}

/* Its vCPUs see the count before they next enter; those that are in the guest now are interrupted. */
void svm_forget(struct domain *d)
{
	(void)__atomic_add_fetch(&d->arch.svm.flushes, 1, __ATOMIC_SEQ_CST);
	pv_tlb_flush_mask(d, &d->arch.pv.active_cpus);
}

void arch_p2m_flush(struct p2m *p2m)
{
	svm_forget(p2m->domain);
}

/* Caches are coherent with all that guests do (APM vol. 2, 7.1), also with CR0.CD set, and with instruction fetches. */
void arch_p2m_clean(mfn_t mfn, unsigned int order)
{
}

void arch_p2m_copy(mfn_t to, mfn_t from)
{
	memcpy(mfn_to_virt(to), mfn_to_virt(from), PAGE_SIZE);
}
