// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tine/arch_fork.h as long as there are no guests to fork on arm64: arch_fork_check() refuses, so nothing else here is ever called.
 */
#include <tine/arch_fork.h>
#include <tine/errno.h>

int arch_fork_check(const struct domain *d)
{
	return -EOPNOTSUPP;
}

int arch_fork_memory(struct domain *child, struct domain *parent)
{
	return -EOPNOTSUPP;
}

int arch_fork_checkpoint(struct domain *child)
{
	return -EOPNOTSUPP;
}

int arch_reset_memory(struct domain *child)
{
	return -EOPNOTSUPP;
}

int arch_fork_place(struct domain *d)
{
	return -EOPNOTSUPP;
}

int arch_fork_unshare(struct domain *d, unsigned long frame)
{
	return -EOPNOTSUPP;
}

int arch_fork_put_back(struct domain *d, unsigned long frame, struct page *pg)
{
	return -EOPNOTSUPP;
}

bool arch_memory_share(struct domain *d, unsigned long *own, unsigned long *common)
{
	return false;
}

size_t arch_vcpu_state_size(void)
{
	return 0;
}

void arch_vcpu_state_save(const struct vcpu *v, void *to)
{
}

void arch_vcpu_state_load(struct vcpu *v, const void *from)
{
}

size_t arch_domain_state_size(void)
{
	return 0;
}

void arch_domain_state_save(const struct domain *d, void *to)
{
}

void arch_domain_state_load(struct domain *d, const void *from)
{
}

void arch_hypercall_result(struct vcpu *v, long result)
{
}

int arch_copy_across(struct vcpu *v, gva_t va, size_t n)
{
	return -EFAULT;
}
