/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doors of arch/x86/pv: what traps, CPU bring-up and the generic hypercalls call. */
#ifndef ASM_PV_H
#define ASM_PV_H

#include <tine/vcpu.h>

/*
 * On each CPU, with its GS base and own GDT loaded and EFER.SCE set: the system-call entry points.
 */
void pv_cpu_init(void);

/*
 * An exception (or DPL-3 gate) hit guest V; REGS is its frame in V. Called with interrupts off, on
 * the CPU's stack; returns with them in any state, and the caller leaves by x86_return_to_guest.
 */
void pv_guest_trap(struct vcpu *v, struct cpu_regs *regs);

/*
 * The way into `current` (pv/entry.S): takes softirqs and pending events first, starts from an
 * empty stack. Interrupts may be in any state.
 */
void x86_return_to_guest(void) __noreturn;

/*
 * A #GP of the guest's kernel: true when it was an instruction that is emulated for it
 * (pv/emulate_priv.c); RIP is behind it then. Forced: a #UD that is the prefix `ud2; .ascii "xen"`
 * before CPUID.
 */
bool pv_emulate_privileged(struct vcpu *v, struct cpu_regs *regs);
bool pv_emulate_forced(struct vcpu *v, struct cpu_regs *regs);

/*
 * For that emulation, of V = current in kernel mode: registers as the guest's kernel knows them.
 * Those that can fail do so with -EINVAL or -EPERM and change nothing.
 */
int pv_set_debugreg(struct vcpu *v, unsigned int reg, u64 value) __must_check; /* pv/debugreg.c */
int pv_get_debugreg(const struct vcpu *v, unsigned int reg, u64 *value) __must_check;
void pv_set_ts(struct vcpu *v, bool on); /* CR0.TS; pv/switch.c */
void pv_load_cr4(const struct vcpu *v);  /* the CPU's CR4 from arch.pv.cr4 */
mfn_t pv_kernel_l4(const struct vcpu *v);
int pv_new_kernel_l4(struct vcpu *v, mfn_t mfn) __must_check; /* pv/mmuext.c */
u64 pv_read_segment_base(const struct vcpu *v,
			 u32 msr); /* FS_BASE, GS_BASE, KERNEL_GS_BASE; pv/segment_base.c */
int pv_write_segment_base(struct vcpu *v, u32 msr, u64 value) __must_check;
int pv_read_msr(struct vcpu *v, u32 msr, u64 *value) __must_check; /* pv/msr.c */
int pv_write_msr(struct vcpu *v, u32 msr, u64 value) __must_check;
bool pv_code_is_64bit(const struct vcpu *v, const struct cpu_regs *regs); /* pv/gdt.c */

/*
 * Delivers exception VECTOR with ERROR_CODE (where it has one) to V's handler when V next runs. For
 * emulation that must fault.
 */
void pv_inject(struct vcpu *v, unsigned int vector, u32 error_code);

/*
 * A frame of D's for the hypervisor to write for as long as the reference is kept (a registered
 * vcpu_info, a grant): it cannot become a page table meanwhile. -EINVAL: not D's, or in use as one.
 * -ERESTART: it was one, and giving that up takes longer. pv_put_writable() drops it.
 */
int pv_get_writable(struct domain *d, unsigned long raw_mfn, struct page **pg) __must_check;
void pv_put_writable(struct page *pg);

struct guest_image;

/* As the arch_ functions of the same names, for PV guests. */
int pv_domain_create(struct domain *d) __must_check;
int pv_domain_destroy(struct domain *d) __must_check;
int pv_domain_build(struct domain *d, const struct guest_image *kernel,
		    const struct guest_image *ramdisk) __must_check;
unsigned long pv_domain_check(struct domain *d) __must_check;
int pv_vcpu_create(struct vcpu *v) __must_check;
void pv_vcpu_destroy(struct vcpu *v);
int pv_vcpu_set_context(struct vcpu *v, gva_t ctx) __must_check;
void pv_vcpu_send_nmi(struct vcpu *v);
bool pv_nmi_waits(const struct vcpu *v);
void pv_load_tsc_aux(const struct vcpu *v); /* of any guest: v->arch.pv.tsc_aux into the CPU */
void pv_vcpu_dump(const struct vcpu *v);
bool pv_event_deliverable(const struct vcpu *v);
int pv_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg,
		       void **va) __must_check;
int pv_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **pg) __must_check;
int pv_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner) __must_check;
int pv_grant_unmap(u64 host, u32 flags, struct page *pg) __must_check;
int pv_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh) __must_check;
void pv_forget_frames(struct domain *d);
long pv_hypercall_continue(struct vcpu *v, unsigned int op, const unsigned long args[5]);

#endif
