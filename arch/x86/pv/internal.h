/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of arch/x86/pv share, beyond the types of frames. */
#ifndef PV_INTERNAL_H
#define PV_INTERNAL_H

#include <asm/extable.h>
#include <asm/pv.h>
#include <tine/guest_access.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include "frame_type.h"

/* ---- guest_access.c ---- */
#define PV_INSN_MAX 15 /* bytes of an instruction */
/*
 * Reads as much of the instruction at RIP as is mapped: it may end just before a page that is not. The number
 * of bytes, perhaps 0.
 */
unsigned int pv_fetch_insn(u8 *bytes, u64 rip) __must_check;

/* ---- table_write.c ---- */

/*
 * A write fault of the guest's kernel at ADDRESS: true when it was a change of a page table and is
 * done.
 */
bool pv_emulate_table_write(struct vcpu *v, struct cpu_regs *regs, unsigned long address);

/* ---- empty_bus.c ---- */
int pv_empty_bus_create(struct domain *d) __must_check;
void pv_empty_bus_destroy(struct domain *d);
/*
 * ENTRY of level 1, or what D gets in its place: the initial domain's own page where it names no
 * RAM.
 */
u64 pv_entry_redirect(const struct domain *d, u64 entry);

/* ---- physdev.c ---- */
void pv_drop_eoi_page(struct domain *d); /* its vCPUs are stopped */

/* ---- mmuext.c ---- */

/* The CPUs of those of D's vCPUs that the guest's BITMAP names. */
int pv_cpus_of_vcpus(const struct domain *d, gva_t bitmap, cpumask_t *cpus) __must_check;

/* ---- gdt.c ---- */
int pv_perdomain_create(struct domain *d) __must_check;
void pv_perdomain_destroy(struct domain *d);
/* Slots 256 .. 271 of a top-level table of D's. */
void pv_fill_hypervisor_slots(const struct domain *d, u64 *table);
int pv_vcpu_map_gdt(struct vcpu *v) __must_check; /* reserved page, no frames of the guest's yet */
int pv_set_gdt(struct vcpu *v, const u64 *frames, unsigned int entries) __must_check;
void pv_drop_gdt(struct vcpu *v);
void pv_drop_ldt(struct vcpu *v);
bool pv_ldt_ok(unsigned long base, unsigned long entries); /* may be an LDT */
int pv_set_ldt(struct vcpu *v, unsigned long base, unsigned long entries) __must_check;
unsigned long pv_gdt_address(const struct vcpu *v);
/* The entry for page PAGE of V's descriptor tables: the GDT's from 0 on, the LDT's from PV_LDT_PAGE. */
#define PV_LDT_PAGE 16
u64 *pv_descriptor_slot(const struct vcpu *v, unsigned int page);
void pv_load_ldt(struct vcpu *v);
bool pv_ldt_fault(struct vcpu *v, u64 *address) __must_check;

/* ---- switch.c ---- */
void pv_load_tables(struct vcpu *v); /* CR3 of the mode that V is in */
void pv_toggle_mode(struct vcpu *v); /* kernel <-> user: page tables and GS base */
bool pv_load_gs(u16 selector, u64 *base);

/* ---- nmi.c ---- */
void pv_nmi_deliver(struct vcpu *v); /* one is pending: on the way into V, frame complete */
void pv_nmi_unmask(struct vcpu *v);  /* the iret that may be its handler's */
int pv_nmi_set_handler(struct vcpu *v, u64 address) __must_check; /* 0: none */

/* ---- debugreg.c ---- */
void pv_debugreg_load(const struct vcpu *v);
void pv_debugreg_off(const struct vcpu *v);

/* ---- traps.c ---- */
#define PV_BOUNCE_MASK_EVENTS 1U
#define PV_BOUNCE_ERROR_CODE 2U
#define PV_BOUNCE_CLEAR_DF 4U
void pv_bounce(struct vcpu *v, u64 handler, unsigned int flags, u32 error_code);
void pv_bounce_failsafe(struct vcpu *v);

#endif
