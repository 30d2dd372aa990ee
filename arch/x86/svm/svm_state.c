// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PVH vCPU's registers: where they are at rest, and how it begins. At rest RAX, RIP, RSP and RFLAGS are in
 * arch.regs like all others; the entry moves those four into the control block and back. All else that a guest has is
 * in the control block, but for FPU and debug registers 0 to 3, which change hands at a context switch.
 */
#include "internal.h"
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/debugreg.h>
#include <asm/fpu.h>
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/pv.h>
#include <asm/tss.h>
#include <asm/vectors.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/string.h>

#define ATTR_CODE32 0xc9b
#define ATTR_DATA32 0xc93
#define ATTR_CODE16 0x09b
#define ATTR_DATA16 0x093
#define ATTR_LDT 0x082
#define ATTR_TSS 0x08b
#define ATTR_LONG 0x200
#define EXCEPTION_AC 17
#define EXCEPTION_BP 3
#define EXCEPTION_OF 4

/* ---- Creation ---- */

/* An endless chain of #DB or #AC would never let go of the CPU (both are handed on, but through us). */
static void set_intercepts(struct vmcb *c)
{
	c->intercept_cr =
		SVM_INTERCEPT_CR_WRITE(4) | SVM_INTERCEPT_CR_READ(8) | SVM_INTERCEPT_CR_WRITE(8);
	c->intercept_dr = svm_dr_intercepts();
	c->intercept_exceptions = BIT(TRAP_DB) | BIT(EXCEPTION_AC);
	c->intercept_1 = SVM_INTERCEPT_INTR | SVM_INTERCEPT_NMI | SVM_INTERCEPT_SMI |
			 SVM_INTERCEPT_INIT | SVM_INTERCEPT_VINTR | SVM_INTERCEPT_CPUID |
			 SVM_INTERCEPT_INVD | SVM_INTERCEPT_HLT | SVM_INTERCEPT_INVLPGA |
			 SVM_INTERCEPT_IOIO | SVM_INTERCEPT_MSR | SVM_INTERCEPT_TASK_SWITCH |
			 SVM_INTERCEPT_SHUTDOWN | SVM_INTERCEPT_RDPMC;
	c->intercept_2 = SVM_INTERCEPT_VMRUN | SVM_INTERCEPT_VMMCALL | SVM_INTERCEPT_VMLOAD |
			 SVM_INTERCEPT_VMSAVE | SVM_INTERCEPT_STGI | SVM_INTERCEPT_CLGI |
			 SVM_INTERCEPT_SKINIT | SVM_INTERCEPT_WBINVD | SVM_INTERCEPT_MONITOR |
			 SVM_INTERCEPT_MWAIT | SVM_INTERCEPT_XSETBV;
	c->iopm_pa = paddr_x(svm_iopm);
	c->msrpm_pa = paddr_x(svm_msrpm);
	c->v_intr = SVM_V_INTR_MASKING;
	c->nested_control = SVM_NESTED_PAGING;
}

int svm_vcpu_create(struct vcpu *v)
{
	struct svm_vcpu *svm = kzalloc(sizeof(*svm));
	int rc;

	v->arch.svm = svm;
	if (!svm)
		return -ENOMEM;
	svm->asid_cpu = ~0U;
	svm->vmcb = heap_alloc_pages(0, HEAP_ZERO);
	rc = svm->vmcb ? x86_fpu_create(v) : -ENOMEM;
	if (rc) {
		svm_vcpu_destroy(v);
		return rc;
	}
	svm_lapic_timer_init(v);
	set_intercepts(svm->vmcb);
	svm->vmcb->nested_cr3 = paddr_x(mfn_to_paddr(v->domain->arch.svm.p2m.root));
	return 0;
}

void svm_vcpu_destroy(struct vcpu *v)
{
	struct svm_vcpu *svm = v->arch.svm;

	x86_fpu_destroy(v);
	if (svm && svm->vmcb) {
		svm_lapic_timer_kill(v);
		heap_free_pages(svm->vmcb, 0);
	}
	kfree(svm);
	v->arch.svm = NULL;
}

/* ---- Beginnings ---- */

static struct svm_segment segment(u16 selector, u16 attributes, u32 limit, u64 base)
{
	return (struct svm_segment){ selector, attributes, limit, base };
}

/* What both have in common; segments but CS as DATA says. */
static void reset(struct vcpu *v, struct svm_segment data)
{
	struct vmcb *c = svm_vmcb(v);

	v->arch.regs = (struct cpu_regs){ .rflags = RFLAGS_FIXED };
	c->es = c->ss = c->ds = c->fs = c->gs = data;
	c->gdtr = c->idtr = segment(0, 0, 0xffff, 0);
	c->ldtr = segment(0, ATTR_LDT, 0xffff, 0);
	c->tr = segment(0, ATTR_TSS, 0x67, 0);
	c->cpl = 0;
	c->efer = EFER_SVME;
	v->arch.svm->lme_held_back = false;
	c->cr4 = 0;
	c->cr3 = 0;
	c->cr0 = CR0_ET;
	c->cr2 = 0;
	c->dr6 = DR6_NONE;
	c->dr7 = v->arch.svm->dr7 = DR7_NONE;
	c->pat = X86_PAT_VALUE;
	c->star = c->lstar = c->cstar = c->sfmask = c->kernel_gs_base = 0;
	c->sysenter_cs = c->sysenter_esp = c->sysenter_eip = 0;
	c->shadow = 0;
	c->event_inject = 0;
}

void svm_state_start(struct vcpu *v, u64 entry, u64 start_info)
{
	struct vmcb *c = svm_vmcb(v);

	reset(v, segment(0, ATTR_DATA32, ~0U, 0));
	c->cs = segment(0, ATTR_CODE32, ~0U, 0);
	c->cr0 = CR0_ET | CR0_PE;
	v->arch.regs.rip = entry;
	v->arch.regs.rbx = start_info;
}

/* Real mode at VECTOR * 4 KiB (Intel SDM vol. 3, 8.4.3). The FPU keeps what it had: nobody relies on it. V is in this CPU. */
void svm_state_sipi(struct vcpu *v, u8 vector)
{
	static const u64 none[DR_ADDRESSES];

	reset(v, segment(0, ATTR_DATA16, 0xffff, 0));
	svm_lapic_reset(v);
	svm_nmi_reset(v);
	x86_write_dr(none);
	svm_vmcb(v)->cs = segment((u16)(vector << 8), ATTR_CODE16, 0xffff, (u64)vector << 12);
}

bool svm_in_long_mode(const struct vmcb *c)
{
	return (c->efer & EFER_LMA) && (c->cs.attributes & ATTR_LONG);
}

/* ---- Coming and going ---- */

void svm_save(struct vcpu *v)
{
	static const u64 none[DR_ADDRESSES];

	/* Where XSETBV cannot be intercepted the guest has changed the CPU's own. */
	if (x86_cpu.xsave)
		v->arch.pv.xcr0 = x86_xgetbv(0);
	x86_fpu_save(v);
	x86_read_dr(v->arch.svm->debugreg);
	x86_write_dr(none);
	this_cpu(guest_translated) = false;
}

void svm_load(struct vcpu *v)
{
	v->arch.stack_top = this_cpu(x86_stack_top);
	cpumask_set(&v->domain->arch.pv.active_cpus, smp_processor_id());
	x86_write_cr3(paddr_x(x86_master_cr3()));
	x86_write_cr4(x86_cpu.cr4);
	x86_fpu_load(v);
	x86_write_dr(v->arch.svm->debugreg);
	pv_load_tsc_aux(v);
	svm_lapic_timer_here(v);
	this_cpu(guest_translated) = true;
}

static void start_if_told(struct vcpu *v)
{
	u32 sipi = __atomic_exchange_n(&v->arch.svm->sipi, 0, __ATOMIC_ACQUIRE);

	if (sipi)
		svm_state_sipi(v, (u8)sipi);
}

static void load_block(struct vmcb *c, const struct cpu_regs *r)
{
	c->rax = r->rax;
	c->rip = r->rip;
	c->rsp = r->rsp;
	c->rflags = r->rflags;
}

static void unload_block(const struct vmcb *c, struct cpu_regs *r)
{
	r->rax = c->rax;
	r->rip = c->rip;
	r->rsp = c->rsp;
	r->rflags = c->rflags;
	r->cs = c->cs.selector;
	r->ss = c->ss.selector;
}

/*
 * What was being delivered when the exit came is delivered again, but for INTn, INT3 and INTO: RIP is still at the instruction, which
 * is executed again.
 */
static u64 interrupted_event(u64 info)
{
	u64 type = info & SVM_EVENT_TYPE;
	u8 vector = (u8)info;

	if (!(info & SVM_EVENT_VALID) || type == SVM_EVENT_SOFTWARE ||
	    (type == SVM_EVENT_EXCEPTION && (vector == EXCEPTION_BP || vector == EXCEPTION_OF)))
		return 0;
	return info;
}

/*
 * QEMU 7.2 changes the CPU's word of waiting interrupts on the way into a guest, without the lock under which devices set it: an
 * interrupt that comes at that moment is lost, though the local APIC holds it, until the next one makes it look. Setting the priority,
 * to what it is, makes it look now.
 */
static void ask_for_interrupts(void)
{
	x86_write_cr8(0);
}

/*
 * QEMU 7.2 delivers an injected interrupt within VMRUN, and leaves its vector where it keeps the exception to be delivered next. Whatever then makes it leave its
 * loop but an interrupt or exit (with one thread for all CPUs: the end of the CPU's turn) delivers it again, with interrupts off or not. An exit
 * forgets it: so there is one before the guest's next instruction, by an interrupt that waits already. With one CPU there are no turns;
 * with several no guest is on CPU 0 (svm_affinity.c).
 */
static void exit_after_injection(const struct vmcb *c)
{
	unsigned int cpu = smp_processor_id();

	if (cpu && (c->event_inject & SVM_EVENT_VALID) &&
	    (c->event_inject & SVM_EVENT_TYPE) == SVM_EVENT_INTERRUPT)
		apic_send_vector(per_cpu(apic_id_of, cpu), VECTOR_TLB_FLUSH);
}

void svm_vcpu_enter(struct vcpu *v)
{
	struct vmcb *c = svm_vmcb(v);

	if (unlikely(READ_ONCE(v->arch.svm->sipi)))
		start_if_told(v);
	svm_event_prepare(v);
	svm_settle_asid(v);
	load_block(c, &v->arch.regs);
	if (x86_cpu.qemu_tcg)
		exit_after_injection(c);
	svm_run(paddr_x(virt_to_paddr(c)), v, paddr_x(svm_host_vmcb()));
	if (x86_cpu.qemu_tcg)
		ask_for_interrupts();
	unload_block(c, &v->arch.regs);
	c->event_inject = interrupted_event(c->exit_int_info);
	local_irq_enable();
	svm_handle_exit(v);
}

bool svm_event_deliverable(const struct vcpu *v)
{
	return (v->arch.regs.rflags & RFLAGS_IF) && !svm_vmcb(v)->shadow;
}
