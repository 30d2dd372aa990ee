/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between entry.S and C. */
#ifndef PV_ENTRY_H
#define PV_ENTRY_H

#include <tine/cpu.h>
#include <tine/vcpu.h>

DECLARE_PERCPU(u64, pv_guest_rsp); /* for a moment: the RSP that SYSCALL left */

/* Entry points for the CPU; no functions. */
extern const char pv_syscall_entry[], pv_syscall32_entry[];

void pv_user_syscall(struct vcpu *v);
void pv_user_syscall32(struct vcpu *v);
bool pv_user_sysenter(struct vcpu *v); /* was it one? then it is delivered */
void pv_deliver_upcall(struct vcpu *v);
void pv_iret_fault(struct vcpu *v, u32 vector, u32 error_code);

#endif
