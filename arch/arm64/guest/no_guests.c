// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contract's part about domains, as long as there are no guests on arm64: none can be created, and domain_create() says why not. So nothing else here
 * is ever reached with a vCPU other than an idle one, and what would be reached stops the machine.
 */
#include <asm/hypercalls.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/errno.h>
#include <tine/guest_access.h>
#include <tine/lib.h>
#include <tine/p2m.h>
#include <tine/printk.h>
#include <tine/vcpu.h>

#define NO_GUESTS() panic("%s: there are no guests on arm64", __func__)

int arch_domain_create(struct domain *d)
{
	pr_err("Domain %u \"%s\": this version has no guests on arm64", d->id, d->config.name);
	return -ENOSYS;
}

/* Of one whose creation was refused: it has nothing. */
int arch_domain_destroy(struct domain *d)
{
	return 0;
}

unsigned long arch_domain_check(struct domain *d)
{
	return 0;
}

int arch_domain_build(struct domain *d, const struct guest_image *kernel,
		      const struct guest_image *ramdisk)
{
	return -ENOSYS;
}

int arch_vcpu_create(struct vcpu *v)
{
	return vcpu_is_idle(v) ? 0 : -ENOSYS;
}

void arch_vcpu_destroy(struct vcpu *v)
{
}

void arch_context_switch(struct vcpu *prev, struct vcpu *next)
{
	NO_GUESTS();
}

void arch_vcpu_enter(struct vcpu *v)
{
	NO_GUESTS();
}

bool arch_event_deliverable(const struct vcpu *v)
{
	return false;
}

void arch_vcpu_send_nmi(struct vcpu *v)
{
}

bool arch_nmi_waits(const struct vcpu *v)
{
	return false;
}

int arch_vcpu_set_context(struct vcpu *v, gva_t ctx)
{
	return -EINVAL;
}

void arch_vcpu_dump(const struct vcpu *v)
{
}

void arch_p2m_flush(struct p2m *p2m)
{
}

int copy_from_guest(void *dst, gva_t src, size_t n)
{
	return -EFAULT;
}

int copy_to_guest(gva_t dst, const void *src, size_t n)
{
	return -EFAULT;
}

long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5)
{
	NO_GUESTS();
}

int arch_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	return -EINVAL;
}

void arch_unmap_guest_frame(struct page *pg, void *va)
{
	NO_GUESTS();
}

int arch_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **pg)
{
	return -EINVAL;
}

void arch_release_frame(struct page *pg, bool write)
{
	NO_GUESTS();
}

int arch_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner)
{
	return -EINVAL;
}

int arch_grant_unmap(u64 host, u32 flags, struct page *pg)
{
	return -EINVAL;
}

void arch_grant_flush(void)
{
}

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

void arch_forget_frames(struct domain *d)
{
}

unsigned int arch_memory_map(const struct domain *d, struct mem_region *map, unsigned int max)
{
	return 0;
}

int arch_add_to_physmap(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	return -ENOSYS;
}
