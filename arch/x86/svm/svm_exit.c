// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a PVH guest stopped running, and what is done about it. A table of names and handlers; each is small, runs with interrupts on, and changes only the guest
 * that exited. What is not in the table, or has no handler, is something that guests have no reason to do: it ends the domain, with the exit's name
 * and the vCPU's registers.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/cpuid_policy.h>
#include <asm/fpu.h>
#include <asm/msr.h>
#include <tine/lib.h>
#include <xen/sched.h>

static void nothing(struct vcpu *v)
{
}

/* The CPU's own interrupts were taken when they were enabled again. A window's exit is just the occasion to enter with an event. */

static void undefined(struct vcpu *v)
{
	svm_inject(v, TRAP_UD);
}

static void forbidden(struct vcpu *v)
{
	svm_inject_code(v, TRAP_GP, 0);
}

static void two_byte_no_op(struct vcpu *v)
{
	svm_advance(v, 2);
}

static void debug_exception(struct vcpu *v)
{
	svm_inject(v, svm_vmcb(v)->exit_code - SVM_EXIT_EXCEPTION);
}

static void alignment_check(struct vcpu *v)
{
	svm_inject_code(v, svm_vmcb(v)->exit_code - SVM_EXIT_EXCEPTION, 0);
}

static void cpuid_exit(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	const struct cpuid_view view = {
		.v = v,
		.translated = true,
		.apic_id = svm_lapic_id(v),
		.osxsave = svm_vmcb(v)->cr4 & CR4_OSXSAVE,
		.xcr0 = x86_cpu.xsave ? x86_xgetbv(0) : 0,
	};
	u32 out[4];

	x86_guest_cpuid(&view, (u32)r->rax, (u32)r->rcx, out);
	r->rax = out[0];
	r->rbx = out[1];
	r->rcx = out[2];
	r->rdx = out[3];
	svm_advance(v, 2);
}

static void xsetbv(struct vcpu *v)
{
	const struct cpu_regs *r = &v->arch.regs;

	if (svm_vmcb(v)->cpl ||
	    x86_fpu_set_xcr(v, (u32)r->rcx, (u64)(u32)r->rdx << 32 | (u32)r->rax))
		svm_inject_code(v, TRAP_GP, 0);
	else
		svm_advance(v, 3);
}

/* With interrupts off nothing would wake it: it is how a CPU goes off for good (ABI page 00, 14). */
static void halt(struct vcpu *v)
{
	svm_advance(v, 1);
	if (!(v->arch.regs.rflags & RFLAGS_IF)) {
		vcpu_go_down(v);
		return;
	}
	vcpu_block();
	/* Interrupts between vCPUs are no events: look after it is marked, as the sender looks after it raised. */
	if (svm_lapic_pending(v))
		vcpu_unblock(v);
}

static void triple_fault(struct vcpu *v)
{
	domain_crash(v->domain, "vCPU %u: triple fault", v->id);
}

/* APM vol. 2, 15.25.6: bits of INFO_1 are those of a page fault's error code. */
static void nested_page_fault(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);
	bool write = c->info_1 & SVM_NPF_WRITE;
	int rc = p2m_fault(&v->domain->arch.svm.p2m, _gfn(c->info_2 >> PAGE_SHIFT), write);

	if (!rc)
		return;
	domain_crash(v->domain, "vCPU %u: %s of guest-physical address %lx, %s", v->id,
		     c->info_1 & SVM_NPF_FETCH ? "execution"
		     : write                   ? "write"
					       : "read",
		     (unsigned long)c->info_2,
		     rc == -ENOENT   ? "where it has nothing"
		     : rc == -EACCES ? "which it may not write"
				     : "for which there is no memory");
}

struct exit {
	const char *name;
	void (*handle)(struct vcpu *v);
};

static const struct exit exits[SVM_EXIT_COUNT] = {
	[SVM_EXIT_EXCEPTION + 1] = { "#DB", debug_exception },
	[SVM_EXIT_EXCEPTION + 17] = { "#AC", alignment_check },
	[SVM_EXIT_INTR] = { "INTR", nothing },
	[SVM_EXIT_NMI] = { "NMI", nothing },
	[SVM_EXIT_SMI] = { "SMI", nothing },
	[SVM_EXIT_INIT] = { "INIT", NULL },
	[SVM_EXIT_VINTR] = { "VINTR", nothing },
	/* Only RDTSCP is intercepted, and QEMU calls it RDTSC. CPUID does not offer it. */
	[SVM_EXIT_RDTSC] = { "RDTSC", undefined },
	[SVM_EXIT_RDPMC] = { "RDPMC", forbidden },
	[SVM_EXIT_CPUID] = { "CPUID", cpuid_exit },
	[SVM_EXIT_INVD] = { "INVD", two_byte_no_op },
	[SVM_EXIT_HLT] = { "HLT", halt },
	[SVM_EXIT_INVLPGA] = { "INVLPGA", undefined },
	[SVM_EXIT_IOIO] = { "IOIO", svm_exit_io },
	[SVM_EXIT_MSR] = { "MSR", svm_exit_msr },
	[SVM_EXIT_TASK_SWITCH] = { "TASK_SWITCH", NULL },
	[SVM_EXIT_SHUTDOWN] = { "SHUTDOWN", triple_fault },
	[SVM_EXIT_VMRUN] = { "VMRUN", undefined },
	[SVM_EXIT_VMMCALL] = { "VMMCALL", svm_exit_hypercall },
	[SVM_EXIT_VMLOAD] = { "VMLOAD", undefined },
	[SVM_EXIT_VMSAVE] = { "VMSAVE", undefined },
	[SVM_EXIT_STGI] = { "STGI", undefined },
	[SVM_EXIT_CLGI] = { "CLGI", undefined },
	[SVM_EXIT_SKINIT] = { "SKINIT", undefined },
	[SVM_EXIT_RDTSCP] = { "RDTSCP", undefined },
	[SVM_EXIT_WBINVD] = { "WBINVD", two_byte_no_op },
	[SVM_EXIT_MONITOR] = { "MONITOR", undefined },
	[SVM_EXIT_MWAIT] = { "MWAIT", undefined },
	[SVM_EXIT_MWAIT_ARMED] = { "MWAIT", undefined },
	[SVM_EXIT_XSETBV] = { "XSETBV", xsetbv },
};

static const struct exit npf = { "NPF", nested_page_fault };
static const struct exit unknown = { "unknown", NULL };

static const struct exit *find(u64 code)
{
	if (code == SVM_EXIT_NPF)
		return &npf;
	return code < SVM_EXIT_COUNT && exits[code].name ? &exits[code] : &unknown;
}

const char *svm_exit_name(u64 code)
{
	/* -1: VMRUN refused the state. QEMU stores 32 bits of it. */
	return (u32)code == ~0U ? "INVALID" : find(code)->name;
}

void svm_handle_exit(struct vcpu *v)
{
	u64 code = svm_vmcb(v)->exit_code;
	const struct exit *e = find(code);

	if (likely(e->handle))
		e->handle(v);
	else
		domain_crash(v->domain, "vCPU %u: exit %s (%lx), which no guest has a reason for",
			     v->id, svm_exit_name(code), (unsigned long)code);
}

static void dump_segment(const char *name, const struct svm_segment *s)
{
	printk_always("  %s %04x attributes %03x limit %08x base %016lx\n", name, s->selector,
		      s->attributes, s->limit, (unsigned long)s->base);
}

void svm_vcpu_dump(const struct vcpu *v)
{
	const struct cpu_regs *r = &v->arch.regs;
	const struct vmcb *c = svm_vmcb(v);

#define WORD(name) (unsigned long)r->name
	printk_always("vCPU %u: last exit %s (%lx), information %lx %lx\n", v->id,
		      svm_exit_name(c->exit_code), (unsigned long)c->exit_code,
		      (unsigned long)c->info_1, (unsigned long)c->info_2);
	printk_always("  rip %016lx rsp %016lx rflags %08lx cpl %u\n", WORD(rip), WORD(rsp),
		      WORD(rflags), c->cpl);
	printk_always("  rax %016lx rbx %016lx rcx %016lx rdx %016lx\n", WORD(rax), WORD(rbx),
		      WORD(rcx), WORD(rdx));
	printk_always("  rsi %016lx rdi %016lx rbp %016lx r8  %016lx\n", WORD(rsi), WORD(rdi),
		      WORD(rbp), WORD(r8));
	printk_always("  r9  %016lx r10 %016lx r11 %016lx r12 %016lx\n", WORD(r9), WORD(r10),
		      WORD(r11), WORD(r12));
	printk_always("  r13 %016lx r14 %016lx r15 %016lx cr2 %016lx\n", WORD(r13), WORD(r14),
		      WORD(r15), (unsigned long)c->cr2);
#undef WORD
	printk_always("  cr0 %08lx cr3 %016lx cr4 %08lx efer %04lx\n", (unsigned long)c->cr0,
		      (unsigned long)c->cr3, (unsigned long)c->cr4, (unsigned long)c->efer);
	dump_segment("cs", &c->cs);
	dump_segment("ss", &c->ss);
	dump_segment("fs", &c->fs);
	dump_segment("gs", &c->gs);
	printk_always("  interrupt state: shadow %lx, event %lx, upcall %s\n",
		      (unsigned long)c->shadow, (unsigned long)c->event_inject,
		      v->info->evtchn_upcall_pending ? "pending" : "none");
}
