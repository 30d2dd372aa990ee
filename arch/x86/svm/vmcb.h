/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual machine control block and what goes into it (AMD APM vol. 2, appendix B and chapter 15). */
#ifndef SVM_VMCB_H
#define SVM_VMCB_H

#include <tine/types.h>

struct svm_segment {
	u16 selector;
	u16 attributes; /* the descriptor's two attribute fields, pushed together: 12 bits */
	u32 limit;
	u64 base;
};

struct vmcb {
	u32 intercept_cr, intercept_dr, intercept_exceptions, intercept_1, intercept_2;
	u8 reserved_014[0x2c];
	u64 iopm_pa, msrpm_pa, tsc_offset;
	u32 asid;
	u8 tlb_control;
	u8 reserved_05d[3];
	u64 v_intr;
	u64 shadow; /* bit 0: in the shadow of STI or MOV SS */
	u64 exit_code, info_1, info_2, exit_int_info;
	u64 nested_control;
	u8 reserved_098[0x10];
	u64 event_inject;
	u64 nested_cr3;
	u64 lbr_control;
	u64 clean;
	u64 next_rip;
	u8 reserved_0d0[0x330];

	struct svm_segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr;
	u8 reserved_4a0[0x2b];
	u8 cpl;
	u8 reserved_4cc[4];
	u64 efer;
	u8 reserved_4d8[0x70];
	u64 cr4, cr3, cr0, dr7, dr6, rflags, rip;
	u8 reserved_580[0x58];
	u64 rsp;
	u8 reserved_5e0[0x18];
	u64 rax;
	u64 star, lstar, cstar, sfmask, kernel_gs_base;
	u64 sysenter_cs, sysenter_esp, sysenter_eip, cr2;
	u8 reserved_648[0x20];
	u64 pat;
	u8 reserved_670[0x990];
};

#define VMCB_AT(member, offset)                                                                    \
	_Static_assert(offsetof(struct vmcb, member) == (offset), "APM appendix B has " #member)
VMCB_AT(iopm_pa, 0x040);
VMCB_AT(asid, 0x058);
VMCB_AT(v_intr, 0x060);
VMCB_AT(exit_code, 0x070);
VMCB_AT(nested_control, 0x090);
VMCB_AT(event_inject, 0x0a8);
VMCB_AT(next_rip, 0x0c8);
VMCB_AT(es, 0x400);
VMCB_AT(tr, 0x490);
VMCB_AT(cpl, 0x4cb);
VMCB_AT(efer, 0x4d0);
VMCB_AT(cr4, 0x548);
VMCB_AT(rip, 0x578);
VMCB_AT(rsp, 0x5d8);
VMCB_AT(rax, 0x5f8);
VMCB_AT(cr2, 0x640);
VMCB_AT(pat, 0x668);
_Static_assert(sizeof(struct vmcb) == PAGE_SIZE, "one page");

/* intercept_cr */
#define SVM_INTERCEPT_CR_READ(n) (1U << (n))
#define SVM_INTERCEPT_CR_WRITE(n) (1U << (16 + (n)))

/* intercept_dr */
#define SVM_INTERCEPT_DR_READ(n) (1U << (n))
#define SVM_INTERCEPT_DR_WRITE(n) (1U << (16 + (n)))

/* intercept_1 */
#define SVM_INTERCEPT_INTR (1U << 0)
#define SVM_INTERCEPT_NMI (1U << 1)
#define SVM_INTERCEPT_SMI (1U << 2)
#define SVM_INTERCEPT_INIT (1U << 3)
#define SVM_INTERCEPT_VINTR (1U << 4)
#define SVM_INTERCEPT_RDPMC (1U << 15)
#define SVM_INTERCEPT_CPUID (1U << 18)
#define SVM_INTERCEPT_IRET (1U << 20)
#define SVM_INTERCEPT_INVD (1U << 22)
#define SVM_INTERCEPT_HLT (1U << 24)
#define SVM_INTERCEPT_INVLPGA (1U << 26)
#define SVM_INTERCEPT_IOIO (1U << 27)
#define SVM_INTERCEPT_MSR (1U << 28)
#define SVM_INTERCEPT_TASK_SWITCH (1U << 29)
#define SVM_INTERCEPT_SHUTDOWN (1U << 31)

/* intercept_2 */
#define SVM_INTERCEPT_VMRUN (1U << 0)
#define SVM_INTERCEPT_VMMCALL (1U << 1)
#define SVM_INTERCEPT_VMLOAD (1U << 2)
#define SVM_INTERCEPT_VMSAVE (1U << 3)
#define SVM_INTERCEPT_STGI (1U << 4)
#define SVM_INTERCEPT_CLGI (1U << 5)
#define SVM_INTERCEPT_SKINIT (1U << 6)
#define SVM_INTERCEPT_WBINVD (1U << 9)
#define SVM_INTERCEPT_MONITOR (1U << 10)
#define SVM_INTERCEPT_MWAIT (3U << 11)
#define SVM_INTERCEPT_XSETBV (1U << 13)

#define SVM_TLB_FLUSH_ALL 1U

/* v_intr */
#define SVM_V_IRQ (1UL << 8)
#define SVM_V_PRIORITY_HIGHEST (0xfUL << 16)
#define SVM_V_IGNORE_TPR (1UL << 20)
#define SVM_V_INTR_MASKING (1UL << 24)

/* event_inject, exit_int_info */
#define SVM_EVENT_VALID (1UL << 31)
#define SVM_EVENT_HAS_ERROR_CODE (1UL << 11)
#define SVM_EVENT_TYPE (7UL << 8)
#define SVM_EVENT_INTERRUPT (0UL << 8)
#define SVM_EVENT_NMI (2UL << 8)
#define SVM_EVENT_EXCEPTION (3UL << 8)
#define SVM_EVENT_SOFTWARE (4UL << 8)

#define SVM_NESTED_PAGING 1UL

#define SVM_EXIT_CR_READ 0x00 /* and the register's number */
#define SVM_EXIT_CR_WRITE 0x10
#define SVM_EXIT_DR_READ 0x20
#define SVM_EXIT_DR_WRITE 0x30
#define SVM_EXIT_EXCEPTION 0x40
#define SVM_EXIT_INTR 0x60
#define SVM_EXIT_NMI 0x61
#define SVM_EXIT_SMI 0x62
#define SVM_EXIT_INIT 0x63
#define SVM_EXIT_VINTR 0x64
#define SVM_EXIT_RDPMC 0x6f
#define SVM_EXIT_CPUID 0x72
#define SVM_EXIT_IRET 0x74
#define SVM_EXIT_INVD 0x76
#define SVM_EXIT_HLT 0x78
#define SVM_EXIT_INVLPGA 0x7a
#define SVM_EXIT_IOIO 0x7b
#define SVM_EXIT_MSR 0x7c
#define SVM_EXIT_TASK_SWITCH 0x7d
#define SVM_EXIT_SHUTDOWN 0x7f
#define SVM_EXIT_VMRUN 0x80
#define SVM_EXIT_VMMCALL 0x81
#define SVM_EXIT_VMLOAD 0x82
#define SVM_EXIT_VMSAVE 0x83
#define SVM_EXIT_STGI 0x84
#define SVM_EXIT_CLGI 0x85
#define SVM_EXIT_SKINIT 0x86
#define SVM_EXIT_WBINVD 0x89
#define SVM_EXIT_MONITOR 0x8a
#define SVM_EXIT_MWAIT 0x8b
#define SVM_EXIT_MWAIT_ARMED 0x8c
#define SVM_EXIT_XSETBV 0x8d
#define SVM_EXIT_COUNT 0x90 /* those below are looked up in a table */
#define SVM_EXIT_NPF 0x400

#define SVM_NPF_WRITE 0x2UL
#define SVM_NPF_FETCH 0x10UL

#endif
