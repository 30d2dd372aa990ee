// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In place of the rest of arch/x86/svm as long as there is no mm/p2m.c: PVH domains are refused when they are created, so nothing here but that
 * refusal, hvm_op and the start of CPUs is ever reached. Goes when the p2m comes.
 */
#include <asm/hypercalls.h>
#include <asm/svm.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>

DEFINE_PERCPU(bool, guest_translated);

void svm_cpu_init(void)
{
}

int svm_domain_create(struct domain *d)
{
	pr_err("Domain %u: PVH guests are not in this version\n", d->id);
	return -EOPNOTSUPP;
}

void svm_domain_destroy(struct domain *d)
{
}

int svm_domain_build(struct domain *d, const struct guest_image *kernel,
		     const struct guest_image *ramdisk)
{
	return -EOPNOTSUPP;
}

int svm_vcpu_create(struct vcpu *v)
{
	return -EOPNOTSUPP;
}

void svm_vcpu_destroy(struct vcpu *v)
{
}

void svm_vcpu_dump(const struct vcpu *v)
{
}

void svm_vcpu_enter(struct vcpu *v)
{
	BUG_ON(v);
}

bool svm_event_deliverable(const struct vcpu *v)
{
	return false;
}

long svm_hypercall_continue(struct vcpu *v, unsigned int op, const unsigned long args[5])
{
	return -ENOSYS;
}

int svm_add_to_physmap(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	return -ENOSYS;
}

unsigned int svm_memory_map(const struct domain *d, struct mem_region *map, unsigned int max)
{
	return 0;
}

void svm_save(struct vcpu *v)
{
}

void svm_load(struct vcpu *v)
{
}

mfn_t svm_ram_frame(struct domain *d, gfn_t gfn)
{
	return INVALID_MFN;
}

void svm_forget(struct domain *d)
{
}

int svm_copy_from_guest(void *dst, gva_t src, size_t n)
{
	return -EFAULT;
}

int svm_copy_to_guest(gva_t dst, const void *src, size_t n)
{
	return -EFAULT;
}

long do_hvm_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
	       unsigned long a5)
{
	return -ENOSYS;
}
