// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks model-specific registers up in the table of the guest's kind, and tells of those that are in none. Nothing here reaches the
 * machine's registers but by a row's own function. No lock: the tables are constant, and two vCPUs that both find that a second
 * is over agree by one exchange who of them speaks.
 */
#include <asm/cpufeature.h>
#include <asm/msr_policy.h>
#include <asm/pv.h>
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/time.h>
#include <tine/vcpu.h>

#define SILENCE NSEC_PER_SEC

static const struct msr_row *find(const struct msr_table *t, u32 msr)
{
	for (unsigned int i = 0; i < t->count; i++) {
		if (msr >= t->rows[i].first && msr <= t->rows[i].last)
			return &t->rows[i];
	}
	return NULL;
}

/* A guest may try as often as it likes; whoever looks for why a driver failed needs the first. */
static __noinline int unknown(const struct vcpu *v, u32 msr, const char *how)
{
	struct arch_domain *a = &v->domain->arch;
	stime_t now = system_time(), last = READ_ONCE(a->msr_told);
	u32 unsaid;

	if ((last && now - last < SILENCE) ||
	    !__atomic_compare_exchange_n(&a->msr_told, &last, now, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED)) {
		(void)__atomic_fetch_add(&a->msrs_untold, 1, __ATOMIC_RELAXED);
		return -EINVAL;
	}
	unsaid = __atomic_exchange_n(&a->msrs_untold, 0, __ATOMIC_RELAXED);
	pr_info("Domain %u, vCPU %u: %s of register %#x, which guests do not have: #GP (%u more "
		"before)\n",
		v->domain->id, v->id, how, msr, unsaid);
	return -EINVAL;
}

int msr_policy_read(const struct msr_table *t, struct vcpu *v, u32 msr, u64 *value)
{
	const struct msr_row *row = find(t, msr);

	if (!row || !row->read)
		return unknown(v, msr, "RDMSR");
	return row->read(v, msr, value);
}

int msr_policy_write(const struct msr_table *t, struct vcpu *v, u32 msr, u64 value)
{
	const struct msr_row *row = find(t, msr);
	u64 now;

	if (!row || !row->read)
		return unknown(v, msr, "WRMSR");
	if (row->write)
		return row->write(v, msr, value);
	return row->read(v, msr, &now) || now != value ? -EINVAL : 0;
}

/* ---- Functions of rows ---- */

int msr_read_zero(struct vcpu *v, u32 msr, u64 *value)
{
	*value = 0;
	return 0;
}

int msr_write_zero(struct vcpu *v, u32 msr, u64 value)
{
	return value ? -EINVAL : 0;
}

int msr_write_ignored(struct vcpu *v, u32 msr, u64 value)
{
	return 0;
}

int msr_read_tsc_aux(struct vcpu *v, u32 msr, u64 *value)
{
	*value = v->arch.pv.tsc_aux;
	return x86_cpu.rdtscp ? 0 : -EINVAL;
}

int msr_write_tsc_aux(struct vcpu *v, u32 msr, u64 value)
{
	if (!x86_cpu.rdtscp || value >> 32)
		return -EINVAL;
	v->arch.pv.tsc_aux = (u32)value;
	pv_load_tsc_aux(v);
	return 0;
}
