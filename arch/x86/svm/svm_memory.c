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
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/string.h>
#include <xen/memory.h>
#include "../pv/tlb.h"

#define LONG_MODE_LEVELS 4
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

/*
 * Where AT is, with a reference on the frame: it may be taken out of the tables while it is used. NULL: it is no RAM, or may not be written.
 */
static void *hold_physical(struct domain *d, u64 at, bool write)
{
	mfn_t mfn;

	if (p2m_hold(&d->arch.svm.p2m, _gfn(at >> PAGE_SHIFT), write, &mfn))
		return NULL;
	return (u8 *)mfn_to_virt(mfn) + (at & ~PAGE_MASK);
}

static void release_physical(const void *there)
{
	page_put(mfn_to_page(virt_to_mfn(there)));
}

int svm_write_physical(struct domain *d, u64 at, const void *from, size_t n)
{
	while (n) {
		size_t part = min(n, PAGE_SIZE - (at & ~PAGE_MASK));
		void *to = hold_physical(d, at, true);

		if (!to)
			return -EFAULT;
		memcpy(to, from, part);
		release_physical(to);
		from = (const u8 *)from + part;
		at += part;
		n -= part;
	}
	return 0;
}

/* ---- By the guest's own address ---- */

/* The supervisor's view. Guests with paging but without long mode make no calls with structures that matter here. */
static bool walk(const struct vcpu *v, unsigned long va, bool write, u64 *at)
{
	const struct vmcb *c = svm_vmcb(v);
	u64 entry = c->cr3;

	if (!(c->cr0 & CR0_PG)) {
		*at = (u32)va;
		return true;
	}
	if (!(c->efer & EFER_LMA) || (unsigned long)((s64)(va << 16) >> 16) != va)
		return false;
	for (unsigned int level = LONG_MODE_LEVELS; level; level--) {
		u64 table = (entry & PTE_ADDR_MASK) + pt_index(va, level) * sizeof(u64), offset;
		const u64 *slot = hold_physical(v->domain, table, false);

		if (!slot)
			return false;
		entry = READ_ONCE(*slot);
		release_physical(slot);
		if (!(entry & PTE_P) || (write && !(entry & PTE_RW)))
			return false;
		offset = (1UL << (PAGE_SHIFT + 9 * (level - 1))) - 1;
		if (level == 1 || (level < 4 && (entry & PTE_PSE))) {
			*at = ((entry & PTE_ADDR_MASK) & ~offset) | (va & offset);
			return true;
		}
	}
	return false;
}

static int copy(struct vcpu *v, unsigned long va, void *buf, size_t n, bool write)
{
	u64 at;

	while (n) {
		size_t part = min(n, PAGE_SIZE - (va & ~PAGE_MASK));
		void *there = walk(v, va, write, &at) ? hold_physical(v->domain, at, write) : NULL;

		if (!there)
			return -EFAULT;
		if (write)
			memcpy(there, buf, part);
		else
			memcpy(buf, there, part);
		release_physical(there);
		buf = (u8 *)buf + part;
		va += part;
		n -= part;
	}
	return 0;
}

int svm_copy_from_guest(void *dst, gva_t src, size_t n)
{
	return copy(current, gva_x(src), dst, n, false);
}

int svm_copy_to_guest(gva_t dst, const void *src, size_t n)
{
	return copy(current, gva_x(dst), (void *)(unsigned long)src, n, true);
}

int svm_copy_to_vcpu(struct vcpu *v, gva_t dst, const void *src, size_t n)
{
	return copy(v, gva_x(dst), (void *)(unsigned long)src, n, true);
}

/* ---- What the guest asks for ---- */

/* The hypervisor's pages that a guest may put where it likes. */
static mfn_t page_of_space(struct domain *d, unsigned int space, unsigned long index)
{
	unsigned int frames, status;

	if (space == XENMAPSPACE_shared_info)
		return index ? INVALID_MFN : virt_to_mfn(d->shared_info);
	if (space != XENMAPSPACE_grant_table || index >= GRANT_FRAMES_MAX ||
	    grant_table_grow(d, (unsigned int)index + 1))
		return INVALID_MFN;
	frames = grant_table_frames(d, &status);
	return index < frames ? grant_table_frame(d, (unsigned int)index) : INVALID_MFN;
}

/* It is in one place at a time, as on Xen: so what a guest can make us spend on tables is bounded. */
static int place(struct domain *d, mfn_t mfn, unsigned long *placed, gfn_t gfn)
{
	struct p2m *p2m = &d->arch.svm.p2m;
	gfn_t before = _gfn(*placed - 1);
	int rc = 0;

	if (*placed && !gfn_eq(before, gfn) && mfn_eq(p2m_lookup(p2m, before, NULL, NULL), mfn))
		rc = p2m_clear(p2m, before, 0);
	if (rc)
		return rc;
	*placed = 0;
	if (!page_get(mfn_to_page(mfn), d))
		return -EINVAL;
	rc = p2m_set(p2m, gfn, mfn, 0, P2M_RAM);
	if (rc)
		page_put(mfn_to_page(mfn));
	else
		*placed = gfn_x(gfn) + 1;
	return rc;
}

int svm_add_to_physmap(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	unsigned long slot = space == XENMAPSPACE_shared_info ? 0 : 1 + index;
	mfn_t mfn;
	int rc = -EINVAL;

	if (space != XENMAPSPACE_shared_info && space != XENMAPSPACE_grant_table)
		return -ENOSYS;
	spin_lock(&d->lock);
	mfn = page_of_space(d, space, index);
	if (!mfn_eq(mfn, INVALID_MFN) && !(gfn_x(gfn) >> (x86_cpu.phys_bits - PAGE_SHIFT)))
		rc = place(d, mfn, &d->arch.svm.placed[slot], gfn);
	spin_unlock(&d->lock);
	return rc;
}

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

/* ---- The domain ---- */

int svm_domain_create(struct domain *d)
{
	int rc;

	if (!svm_usable) {
		pr_err("Domain %u: PVH guests need AMD-V with nested paging, which this machine "
		       "does not have\n",
		       d->id);
		return -EOPNOTSUPP;
	}
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
