// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a guest reads about time: the clock's parameters in vcpu_info, and how long each vCPU ran,
 * waited and slept.
 *
 * The records have writers on one CPU only: the clock's is written by the CPU that switches the
 * vCPU in (or before it first runs); the run state's under the run queue's lock. Readers in the
 * guest use the version, or the update bit, of the ABI (page 2, vcpu_time_info and
 * vcpu_runstate_info).
 */
#include <tine/arch.h>
#include <tine/guest_access.h>
#include <tine/string.h>
#include "internal.h"

/*
 * The parameters stay right for ever, as the clock does not drift. They are still renewed so that a
 * guest which multiplies in 64 bits does not see differences that overflow.
 */
#define TIME_RECORD_AGE NSEC_PER_SEC

static void write_time(vcpu_time_info_t *to, const vcpu_time_info_t *from)
{
	u32 version = (to->version | 1) + (to->version & 1 ? 2 : 0);

	WRITE_ONCE(to->version, version);
	smp_wmb();
	to->tsc_timestamp = from->tsc_timestamp;
	to->system_time = from->system_time;
	to->tsc_to_system_mul = from->tsc_to_system_mul;
	to->tsc_shift = from->tsc_shift;
	to->flags = from->flags;
	smp_wmb();
	WRITE_ONCE(to->version, version + 1);
}

static bool is_stale(const vcpu_time_info_t *rec)
{
	/* The guest may have overwritten it: that harms the guest alone. */
	return !rec->tsc_to_system_mul ||
	       (u64)system_time() - rec->system_time >= (u64)TIME_RECORD_AGE;
}

void vcpu_update_time(struct vcpu *v)
{
	vcpu_time_info_t *rec = &v->info->time;
	vcpu_time_info_t fresh;

	if (is_stale(rec)) {
		memset(&fresh, 0, sizeof(fresh));
		arch_time_record(&fresh);
		write_time(rec, &fresh);
	}
	if (unlikely(gva_x(v->time_guest)) && v == current) {
		fresh = *rec;
		(void)!copy_to_guest(v->time_guest, &fresh, sizeof(fresh));
	}
}

void vcpu_update_runstate(struct vcpu *v, int new_state)
{
	u64 now = (u64)system_time();

	v->runstate.time[v->runstate.state] += now - v->runstate.state_entry_time;
	v->runstate.state_entry_time = now;
	v->runstate.state = new_state;
}

void vcpu_publish_runstate(struct vcpu *v)
{
	gva_t at = v->runstate_guest;
	gva_t entry = gva_add(at, offsetof(vcpu_runstate_info_t, state_entry_time));
	vcpu_runstate_info_t rec = v->runstate;

	if (!gva_x(at))
		return;
	if (!(v->domain->vm_assist & BIT(VMASST_TYPE_runstate_update_flag))) {
		(void)!copy_to_guest(at, &rec, sizeof(rec));
		return;
	}
	rec.state_entry_time |= XEN_RUNSTATE_UPDATE;
	if (copy_to_guest(entry, &rec.state_entry_time, sizeof(rec.state_entry_time)))
		return;
	smp_wmb();
	(void)!copy_to_guest(at, &rec, sizeof(rec));
	smp_wmb();
	rec.state_entry_time &= ~XEN_RUNSTATE_UPDATE;
	(void)!copy_to_guest(entry, &rec.state_entry_time, sizeof(rec.state_entry_time));
}

void vcpu_get_runstate(struct vcpu *v, vcpu_runstate_info_t *out)
{
	unsigned long flags;
	struct run_queue *rq = sched_lock_queue(v, &flags);

	*out = v->runstate;
	out->time[out->state] += (u64)system_time() - out->state_entry_time;
	spin_unlock_irqrestore(&rq->lock, flags);
}
