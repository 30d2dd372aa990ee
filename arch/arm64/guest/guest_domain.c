// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contract's part about domains and their frames. There is one kind of guest: its memory is translated by stage 2, at EL1 it is as on a machine of its
 * own. A frame that the hypervisor uses is found by its guest number, made the domain's own, and held by reference.
 */
#include "internal.h"
#include <asm/gic.h>
#include <asm/platform.h>
#include <asm/time.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/domain.h>
#include <tine/domain_physmap.h>
#include <tine/fork.h>

#define GICV2_VCPUS_MAX 8

/* ---- The domain ---- */

static int check_config(const struct domain *d)
{
	if (d->config.type == DOMAIN_PV) {
		pr_err("Domain %u \"%s\": there are no pv guests on arm64", d->id, d->config.name);
		return -EOPNOTSUPP;
	}
	if (gic_is_v3())
		return 0;
	if (!arm64_platform.gic.hypervisor.size || !arm64_platform.gic.vcpu.size ||
	    !arm64_platform.gic.maintenance) {
		pr_err("Domain %u \"%s\": this machine's GICv2 has no interface for guests", d->id,
		       d->config.name);
		return -EOPNOTSUPP;
	}
	if (d->config.vcpus > GICV2_VCPUS_MAX) {
		pr_err("Domain %u \"%s\": %u vCPUs, a GICv2 has %u", d->id, d->config.name,
		       d->config.vcpus, GICV2_VCPUS_MAX);
		return -EINVAL;
	}
	return 0;
}

int arch_domain_create(struct domain *d)
{
	int rc = check_config(d);

	d->arch.count_offset = arm64_count();
	return rc ? rc : stage2_create(d);
}

int arch_domain_destroy(struct domain *d)
{
	int rc = p2m_destroy(&d->arch.p2m);

	if (!rc)
		stage2_release(d);
	return rc;
}

unsigned long arch_domain_check(struct domain *d)
{
	struct p2m_stats stats;

	return p2m_check(&d->arch.p2m, &stats);
}

struct p2m *arch_domain_p2m(struct domain *d)
{
	return &d->arch.p2m;
}

unsigned int arch_memory_map(const struct domain *d, struct mem_region *map, unsigned int max)
{
	*map = (struct mem_region){ .start = _paddr(GUEST_RAM),
				    .end = _paddr(d->arch.ram_end),
				    .type = MEM_RAM };
	return 1;
}

/* PSCI starts vCPUs. */
int arch_vcpu_set_context(struct vcpu *v, gva_t ctx)
{
	return -EINVAL;
}

void arch_vcpu_send_nmi(struct vcpu *v)
{
}

/* ---- Its frames ---- */

static struct page *own_frame(struct domain *d, unsigned long frame)
{
	struct p2m *p2m = &d->arch.p2m;
	enum p2m_type type;
	mfn_t mfn;

	if (p2m_unshare(p2m, _gfn(frame)))
		return NULL;
	mfn = p2m_lookup(p2m, _gfn(frame), &type, NULL);
	return type == P2M_RAM && page_get(mfn_to_page(mfn), d) ? mfn_to_page(mfn) : NULL;
}

int arch_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **pg)
{
	*pg = own_frame(d, frame);
	if (*pg && write) /* see arch_frame_is_held() */
		(void)__atomic_fetch_add(&(*pg)->type_info, 1, __ATOMIC_RELAXED);
	return *pg ? 0 : -EINVAL;
}

void arch_release_frame(struct page *pg, bool write)
{
	if (write)
		(void)__atomic_fetch_sub(&pg->type_info, 1, __ATOMIC_RELAXED);
	page_put(pg);
}

/* Of a page of the hypervisor's own that D has mapped, nobody else keeps the contents consistent. */
int arch_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	if (arch_hold_frame(d, frame, true, pg))
		return -EINVAL;
	if (READ_ONCE((*pg)->count_info) & PAGE_TINE) {
		arch_release_frame(*pg, true);
		return -EINVAL;
	}
	*va = mfn_to_virt(page_to_mfn(*pg));
	return 0;
}

void arch_unmap_guest_frame(struct page *pg, void *va)
{
	arch_release_frame(pg, true);
}

void arch_forget_frames(struct domain *d)
{
	stage2_forget(d);
}

/* ---- What the guest changes in its space ---- */

unsigned long arch_gfn_end(const struct domain *d)
{
	return BIT(GUEST_SPACE_BITS - PAGE_SHIFT);
}

unsigned long arch_ram_gfn_end(const struct domain *d)
{
	return (GUEST_RAM >> PAGE_SHIFT) + d->max_pages;
}

unsigned long *arch_placed(struct domain *d)
{
	return d->arch.placed;
}

int arch_add_to_physmap(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	return domain_physmap_add(d, space, index, gfn);
}

int arch_remove_from_physmap(struct domain *d, gfn_t gfn)
{
	return domain_physmap_forget(d, gfn);
}

int arch_physmap_populate(struct domain *d, gfn_t gfn, unsigned int order)
{
	return domain_physmap_populate(d, gfn, order);
}

int arch_physmap_remove(struct domain *d, gfn_t gfn, unsigned int order)
{
	return domain_physmap_remove(d, gfn, order);
}

int arch_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner)
{
	return domain_physmap_grant(host, flags, pg);
}

int arch_grant_unmap(u64 host, u32 flags, struct page *pg)
{
	return domain_physmap_ungrant(host, flags, pg);
}

int arch_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh)
{
	return -EINVAL;
}

/* The p2m has flushed. */
void arch_grant_flush(void)
{
}

/* Of reservations by machine numbers, which only PV guests have. */
int arch_frames_given(struct domain *d, mfn_t mfn, unsigned int order, unsigned long pfn)
{
	return -ENOSYS;
}

int arch_frames_given_to(struct domain *d, mfn_t mfn, const unsigned long *pfns, unsigned int count)
{
	return -ENOSYS;
}

void arch_frames_taken(struct domain *d, struct page *const *pages, unsigned int count)
{
}
