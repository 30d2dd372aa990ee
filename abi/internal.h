/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handlers that hypercall_table.c names, and are not an architecture's. */
#ifndef ABI_INTERNAL_H
#define ABI_INTERNAL_H

#include <tine/hypercall.h>
#include <tine/lib.h>
#include <tine/time.h>

/* A moment that a guest named: what no clock reaches has passed, and none is the end of time. */
static inline stime_t guest_deadline(u64 ns)
{
	return (stime_t)ns < 0 ? 1 : min((stime_t)ns, STIME_MAX - 1);
}

hypercall_fn do_sched_op, do_set_timer_op; /* sched_op.c */
hypercall_fn do_event_channel_op;          /* evtchn_op.c */
hypercall_fn do_grant_table_op;            /* grant_table_op.c */
hypercall_fn do_vcpu_op;                   /* vcpu_op.c */
hypercall_fn do_console_io;                /* console_io.c */
hypercall_fn do_memory_op;                 /* memory_op.c */
hypercall_fn do_multicall;                 /* multicall.c */
hypercall_fn do_xen_version;               /* version.c */
hypercall_fn do_vm_assist;                 /* vm_assist.c */
hypercall_fn do_fork_op;                   /* fork_op.c */

/* sharing_op.c: XENMEM_sharing_op. */
long sharing_op(gva_t arg);
struct domain;
struct xen_mem_sharing_op;
/* sharing_frames.c: what of it is about single frames of D's; what the caller learns is in OP. -ERESTART: OP as it is now, again. */
long sharing_of_frames(struct domain *d, struct xen_mem_sharing_op *op);

/* grant_copy.c: GNTTABOP_copy for COUNT operations at LIST. */
long grant_copy(gva_t list, u32 count);

#endif
