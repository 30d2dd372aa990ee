// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The architecture's contract with generic code where the two kinds of guest differ: PV (arch/x86/pv) or PVH (arch/x86/svm). The choice is made
 * here, by the domain's type; context switch and entry make it themselves (pv/switch.c).
 *
 * A frame of a PVH guest that the hypervisor uses is found by its guest number and then held like a PV guest's, by machine number.
 */
#include <asm/cpufeature.h>
#include <asm/hypercalls.h>
#include <asm/pv.h>
#include <asm/svm.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/domain_physmap.h>
#include <tine/errno.h>

/* ---- Domains ---- */

int arch_domain_create(struct domain *d)
{
	return is_pvh(d) ? svm_domain_create(d) : pv_domain_create(d);
}

int arch_domain_build(struct domain *d, const struct guest_image *kernel,
		      const struct guest_image *ramdisk)
{
	return (is_pvh(d) ? svm_domain_build : pv_domain_build)(d, kernel, ramdisk);
}

int arch_domain_destroy(struct domain *d)
{
	return (is_pvh(d) ? svm_domain_destroy : pv_domain_destroy)(d);
}

unsigned long arch_domain_check(struct domain *d)
{
	return (is_pvh(d) ? svm_domain_check : pv_domain_check)(d);
}

struct p2m *arch_domain_p2m(struct domain *d)
{
	return is_pvh(d) ? &d->arch.svm.p2m : NULL;
}

unsigned int arch_memory_map(const struct domain *d, struct mem_region *map, unsigned int max)
{
	if (is_pvh(d))
		return svm_memory_map(d, map, max);
	/* What a PV kernel's own numbering looks like: RAM from 0 to the domain's size. */
	*map = (struct mem_region){ .start = _paddr(0), .end = _paddr(d->max_pages << PAGE_SHIFT) };
	return 1;
}

int arch_add_to_physmap(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	return is_pvh(d) ? domain_physmap_add(d, space, index, gfn) : -EACCES;
}

int arch_remove_from_physmap(struct domain *d, gfn_t gfn)
{
	return is_pvh(d) ? domain_physmap_forget(d, gfn) : -EACCES;
}

int arch_physmap_populate(struct domain *d, gfn_t gfn, unsigned int order)
{
	return is_pvh(d) ? domain_physmap_populate(d, gfn, order) : -ENOSYS;
}

int arch_physmap_remove(struct domain *d, gfn_t gfn, unsigned int order)
{
	return is_pvh(d) ? domain_physmap_remove(d, gfn, order) : -ENOSYS;
}

unsigned long arch_gfn_end(const struct domain *d)
{
	return BIT(x86_cpu.phys_bits - PAGE_SHIFT);
}

/* A balloon comes back to where it was, or behind the RAM there is. */
unsigned long arch_ram_gfn_end(const struct domain *d)
{
	return (GiB(4) >> PAGE_SHIFT) + d->max_pages;
}

unsigned long *arch_placed(struct domain *d)
{
	return d->arch.svm.placed;
}

/* ---- vCPUs ---- */

int arch_vcpu_create(struct vcpu *v)
{
	BUG_ON(!IS_ALIGNED((unsigned long)v, 16)); /* asm/vcpu.h says why */
	if (vcpu_is_idle(v))
		return 0;
	return is_pvh(v->domain) ? svm_vcpu_create(v) : pv_vcpu_create(v);
}

void arch_vcpu_destroy(struct vcpu *v)
{
	(is_pvh(v->domain) ? svm_vcpu_destroy : pv_vcpu_destroy)(v);
}

/* PVH guests start theirs by INIT and STARTUP. */
int arch_vcpu_set_context(struct vcpu *v, gva_t ctx)
{
	return is_pvh(v->domain) ? -EINVAL : pv_vcpu_set_context(v, ctx);
}

void arch_vcpu_send_nmi(struct vcpu *v)
{
	(is_pvh(v->domain) ? svm_nmi_send : pv_vcpu_send_nmi)(v);
}

bool arch_nmi_waits(const struct vcpu *v)
{
	return (is_pvh(v->domain) ? svm_nmi_waits : pv_nmi_waits)(v);
}

bool arch_event_deliverable(const struct vcpu *v)
{
	return is_pvh(v->domain) ? svm_event_deliverable(v) : pv_event_deliverable(v);
}

void arch_vcpu_dump(const struct vcpu *v)
{
	(is_pvh(v->domain) ? svm_vcpu_dump : pv_vcpu_dump)(v);
}

long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5)
{
	const unsigned long args[5] = { a1, a2, a3, a4, a5 };
	struct vcpu *v = current;

	return (is_pvh(v->domain) ? svm_hypercall_continue : pv_hypercall_continue)(v, op, args);
}

/* ---- Frames ---- */

/* The machine number of what D calls FRAME; one that is nobody's if D has no such RAM. */
static unsigned long machine_number(struct domain *d, unsigned long frame)
{
	return is_pvh(d) ? mfn_x(svm_ram_frame(d, _gfn(frame))) : frame;
}

int arch_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	return pv_map_guest_frame(d, machine_number(d, frame), pg, va);
}

int arch_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **pg)
{
	return pv_hold_frame(d, machine_number(d, frame), write, pg);
}

void arch_forget_frames(struct domain *d)
{
	(is_pvh(d) ? svm_forget : pv_forget_frames)(d);
}

int arch_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner)
{
	return is_pvh(current->domain) ? domain_physmap_grant(host, flags, pg)
				       : pv_grant_map(host, flags, pg, owner);
}

int arch_grant_unmap(u64 host, u32 flags, struct page *pg)
{
	return (is_pvh(current->domain) ? domain_physmap_ungrant : pv_grant_unmap)(host, flags, pg);
}

int arch_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh)
{
	return is_pvh(current->domain) ? -EINVAL : pv_grant_replace(host, flags, pg, fresh);
}
