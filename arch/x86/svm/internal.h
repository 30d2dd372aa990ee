/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of arch/x86/svm share. */
#ifndef SVM_INTERNAL_H
#define SVM_INTERNAL_H

#include <asm/npt.h>
#include <asm/svm.h>
#include <tine/errno.h>
#include <tine/p2m.h>
#include <tine/printk.h>
#include <tine/translated_memory.h>
#include "vmcb.h"

#define TRAP_DB 1
#define TRAP_UD 6
#define TRAP_GP 13

#define RFLAGS_FIXED 0x2UL
#define RFLAGS_TF 0x100UL
#define RFLAGS_IF 0x200UL
#define RFLAGS_RF 0x10000UL

/* ---- State ---- */

#define LAPIC_REGS 64 /* by MSR number from 0x800 on */
#define LAPIC_LVT_TIMER 0x32
#define LAPIC_TIMER_INITIAL 0x38
#define LAPIC_TIMER_DIVIDE 0x3e

/* A local APIC in x2APIC mode, the only one it has. IRR is atomic, the rest is its own vCPU's. */
struct svm_lapic {
	u32 regs[LAPIC_REGS]; /* those that have no better home */
	u32 irr[8], isr[8];

	/* svm_lapic_timer.c */
	stime_t timer_end;    /* of the count that runs; 0: none */
	stime_t timer_period; /* of a whole count */
};

#define SVM_SIPI 0x100U /* in `sipi`, with the vector: start there before you run next */

struct svm_vcpu {
	struct vmcb *vmcb;
	u64 debugreg[4], dr7; /* DR7: svm_dr.c, where it is intercepted */
	u32 sipi;             /* atomic */
	bool wait_sipi;       /* INIT came; atomic */
	u8 upcall_vector;     /* through the local APIC; 0: the domain's callback vector instead */
	bool continued;       /* the hypercall under way is to be made again */
	u8 insn_bytes;        /* length of the instruction that exited, once it is known */
	bool nmi_pending;     /* atomic */
	bool nmi_masked;      /* until the handler returns */
	bool lme_held_back;   /* svm_cr.c */
	u64 nmi_iret;         /* from there; 0: not yet */
	struct svm_lapic lapic;
	struct timer lapic_timer;

	/* Which ASID of which CPU's count it has, and how many flushes of its domain that has seen. */
	unsigned int asid_cpu;
	u64 asid_round, flushes_seen;
};

#define PVH_MEMORY_REGIONS 4

static inline struct vmcb *svm_vmcb(const struct vcpu *v)
{
	return v->arch.svm->vmcb;
}

/* ---- svm_cpu.c ---- */
extern bool svm_usable;
paddr_t svm_host_vmcb(void); /* of this CPU: what VMRUN does not put aside */
void svm_settle_asid(struct vcpu *v);

/* ---- svm_affinity.c ---- */
void svm_settle_affinity(struct domain *d);

/* ---- svm_run.S: interrupts off before and after; registers in v->arch.regs but for RAX, RSP, RIP, RFLAGS ---- */
void svm_run(u64 vmcb_pa, struct vcpu *v, u64 host_vmcb_pa);

/* ---- svm_state.c ---- */
void svm_state_start(struct vcpu *v, u64 entry,
		     u64 start_info); /* as the PVH boot protocol has it */
void svm_state_sipi(struct vcpu *v, u8 vector);
bool svm_in_long_mode(const struct vmcb *vmcb); /* and its code is 64-bit */

/* ---- svm_insn.c ---- */
/* The instruction that exited has OPCODE (1 to 3 bytes, the first the most significant): finds its length. False: it has another by now. */
bool svm_insn_find(struct vcpu *v, u32 opcode);
/* Second bytes of MOV's opcodes. */
#define SVM_MOV_FROM_CR 0x20
#define SVM_MOV_TO_CR 0x22
#define SVM_MOV_FROM_DR 0x21
#define SVM_MOV_TO_DR 0x23
/* It is OPCODE, of register NUMBER: which general register, by x86_gpr()'s numbers. Negative: it does something else by now. */
int svm_insn_find_mov(struct vcpu *v, u8 opcode, unsigned int number) __must_check;
void svm_skip(struct vcpu *v); /* it is done; on to the next one, or its single step's trap */

/* ---- svm_dr.c ---- */
u32 svm_dr_intercepts(void);
void svm_exit_dr(struct vcpu *v);

/* ---- svm_cr.c ---- */
void svm_exit_cr(struct vcpu *v);
bool svm_lme(const struct vcpu *v); /* EFER.LME as the guest has set it */
void svm_set_lme(struct vcpu *v, bool lme);

/* ---- svm_nmi.c ---- */
bool svm_nmi_inject(struct vcpu *v); /* before entry: true if one goes in */
void svm_exit_iret(struct vcpu *v);
void svm_nmi_reset(struct vcpu *v); /* by INIT: none waits, none is handled */

/* ---- svm_event.c ---- */
void svm_inject(struct vcpu *v, unsigned int vector); /* without error code */
void svm_inject_code(struct vcpu *v, unsigned int vector, u32 code);
void svm_event_prepare(struct vcpu *v); /* before entry: what waits goes in, or asks for a window */

/* ---- svm_lapic.c ---- */
#define LAPIC_NONE 0U
u32 svm_lapic_id(const struct vcpu *v);
u64 svm_lapic_base(const struct vcpu *v);
unsigned int svm_lapic_pending(const struct vcpu *v); /* the vector to deliver, or LAPIC_NONE */
void svm_lapic_accept(struct vcpu *v, unsigned int vector); /* IRR to ISR */
void svm_lapic_raise(struct vcpu *v, unsigned int vector);  /* any context */
void svm_lapic_reset(struct vcpu *v); /* by INIT; what others have raised stays */
bool svm_lapic_in_service(const struct vcpu *v, unsigned int vector);
/* CR8, 0 to 15: interrupts of this priority class and below wait. */
u8 svm_lapic_class(const struct vcpu *v);
void svm_lapic_set_class(struct vcpu *v, u8 class);
int svm_lapic_read(struct vcpu *v, u32 msr, u64 *value) __must_check;
int svm_lapic_write(struct vcpu *v, u32 msr, u64 value) __must_check;

/* ---- svm_lapic_timer.c ---- */
void svm_lapic_timer_init(struct vcpu *v);
void svm_lapic_timer_kill(struct vcpu *v);
void svm_lapic_timer_here(struct vcpu *v);   /* V has come to this CPU */
void svm_lapic_timer_start(struct vcpu *v);  /* its registers say how; anew */
void svm_lapic_timer_resume(struct vcpu *v); /* the APIC is another one's copy */
u32 svm_lapic_timer_count(const struct vcpu *v);

/* ---- svm_exit.c and what it names ---- */
void svm_handle_exit(struct vcpu *v);
const char *svm_exit_name(u64 code);
void svm_cpuid(const struct vcpu *v, u32 leaf, u32 subleaf, u32 out[4]); /* as the guest sees it */
void svm_exit_io(struct vcpu *v);                                        /* svm_io.c */
void svm_exit_msr(struct vcpu *v);                                       /* svm_msr.c */
void svm_exit_hypercall(struct vcpu *v);                                 /* svm_hypercall.c */
long svm_hypercall(struct vcpu *v, unsigned long op, const unsigned long args[5]); /* wide */
long svm_multicall(struct vcpu *v, unsigned long list, unsigned long count);
int svm_permission_maps(void) __must_check; /* svm_msr.c; once */
extern paddr_t svm_msrpm, svm_iopm;

/* ---- What the guest's ACPI tables name (guest_acpi.h): svm_io.c answers these ports ---- */
#define PVH_RESET_PORT 0xcf9
#define PVH_RESET_VALUE 6
#define PVH_SLEEP_PORT 0x600
#define PVH_SLEEP_ENABLE 0x20
#define PVH_APIC_ID_STEP 2

#endif
