/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a PV vCPU needs beyond struct vcpu. Owned by arch/x86/pv and changed by the vCPU itself, or
 * while it does not run.
 *
 * Segment state has two homes. While the vCPU runs, selectors are in the CPU, the FS base is in its
 * MSR, and the GS base of the mode that the guest is in (kernel or user) is in KERNEL_GS_BASE,
 * where the entry code's SWAPGS put it; the fields here that mirror those are only good while it
 * does not run. The other mode's GS base is here always.
 */
#ifndef ASM_PV_VCPU_H
#define ASM_PV_VCPU_H

#include <tine/types.h>
#include <xen/xen.h>

#define PV_GDT_FRAMES 14 /* frames of the guest's in its GDT; the reserved page follows */
#define PV_GDT_ENTRIES (PV_GDT_FRAMES * 512)
#define PV_LDT_FRAMES 16
#define PV_LDT_ENTRIES (PV_LDT_FRAMES * 512)

struct pv_callback {
	u64 address; /* 0: none */
	bool mask_events;
};

struct pv_vcpu {
	bool kernel_mode; /* else it runs on the user page tables */
	bool ts;          /* the guest's CR0.TS */
	u8 iopl;          /* the guest's idea of its I/O privilege, 0 .. 3 */
	gva_t io_bitmap;  /* of ports: a clear bit lets user mode use one */
	u32 io_bitmap_ports;
	u64 kernel_sp; /* top of the stack for frames that come from user mode */
	u64 cr4;       /* bits that the guest may choose */
	u64 xcr0;      /* the guest's; in the CPU while it runs */
	u32 tsc_aux;
	u64 cr2; /* as the guest's kernel reads it */

	/* Top-level tables, each with a reference; user: INVALID_MFN for none. */
	mfn_t kernel_table, user_table;

	u64 fs_base, gs_base_kernel, gs_base_user;
	u16 ds, es, fs, gs;

	trap_info_t *traps; /* 256; address 0: no handler */
	struct pv_callback event, failsafe, syscall, syscall32, sysenter;
	bool nmi_pending; /* set by anyone, atomically; see pv/nmi.c */
	bool nmi_masked;  /* its handler has not returned yet */

	u64 *gdt_reserved; /* this vCPU's page at selector 0xe000 */
	unsigned int gdt_entries;
	mfn_t gdt_frames[PV_GDT_FRAMES];
	gva_t ldt_base;
	unsigned int ldt_entries;
	mfn_t ldt_frames[PV_LDT_FRAMES]; /* mapped ones; INVALID_MFN */

	u64 debugreg[8];
};

#endif
