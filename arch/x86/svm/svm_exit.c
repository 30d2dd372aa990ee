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

#define OPCODE_HLT 0xf4

/* A window's exit is just the occasion to enter with an event. */
static void nothing(struct vcpu *v)
{
}

static void undefined(struct vcpu *v)
{
	svm_inject(v, TRAP_UD);
}

static void forbidden(struct vcpu *v)
{
	svm_inject_code(v, TRAP_GP, 0);
}

static void no_operation(struct vcpu *v)
{
	svm_skip(v);
}

static void debug_exception(struct vcpu *v)
{
	svm_inject(v, svm_vmcb(v)->exit_code - SVM_EXIT_EXCEPTION);
}

static void alignment_check(struct vcpu *v)
{
	svm_inject_code(v, svm_vmcb(v)->exit_code - SVM_EXIT_EXCEPTION, 0);
}

void svm_cpuid(const struct vcpu *v, u32 leaf, u32 subleaf, u32 out[4])
{
	const struct cpuid_view view = {
		.v = v,
		.translated = true,
		.apic_id = svm_lapic_id(v),
		.osxsave = svm_vmcb(v)->cr4 & CR4_OSXSAVE,
		.xcr0 = x86_cpu.xsave ? x86_xgetbv(0) : 0,
	};

	x86_guest_cpuid(&view, leaf, subleaf, out);
}

static void cpuid_exit(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	u32 out[4];

	svm_cpuid(v, (u32)r->rax, (u32)r->rcx, out);
	r->rax = out[0];
	r->rbx = out[1];
	r->rcx = out[2];
	r->rdx = out[3];
	svm_skip(v);
}

static void xsetbv(struct vcpu *v)
{
	const struct cpu_regs *r = &v->arch.regs;

	if (svm_vmcb(v)->cpl ||
	    x86_fpu_set_xcr(v, (u32)r->rcx, (u64)(u32)r->rdx << 32 | (u32)r->rax))
		svm_inject_code(v, TRAP_GP, 0);
	else
		svm_skip(v);
}

/* With interrupts off nothing would wake it: it is how a CPU goes off for good (ABI page 00, 14). */
static void halt(struct vcpu *v)
{
	svm_skip(v);
	if (!(v->arch.regs.rflags & RFLAGS_IF)) {
		vcpu_go_down(v);
		return;
	}
	vcpu_block();
	/* Interrupts between vCPUs are no events: look after it is marked, as the sender looks after it raised. */
	if (svm_lapic_pending(v))
		vcpu_unblock(v);
}

/*
 * The CPU's own interrupts were taken when they were enabled again. QEMU 7.2 forgets at VMRUN that it was in the shadow of an STI: if HLT is
 * next, an event would be delivered in between, and its handler return to sleep. So that HLT is made here.
 */
static void interrupted(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);

	if (x86_cpu.qemu_tcg && c->shadow && !c->cpl && svm_insn_find(v, OPCODE_HLT))
		halt(v);
}

/* A guest whose tables map that address was not the one to fault (docs/architecture.md, PVH guests). */
static void triple_fault(struct vcpu *v)
{
	u64 va = svm_vmcb(v)->cr2, at;
	bool mapped = arch_translate(v, va, false, &at);

	domain_crash(v->domain, "vCPU %u: triple fault (last page fault: %lx, which its tables %s)",
		     v->id, (unsigned long)va, mapped ? "map" : "do not map");
}

/* APM vol. 2, 15.25.6: bits of INFO_1 are those of a page fault's error code. */
static void nested_page_fault(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);
	bool write = c->info_1 & SVM_NPF_WRITE;
	int rc = p2m_fault(&v->domain->arch.svm.p2m, _gfn(c->info_2 >> PAGE_SHIFT), write);

	if (!rc)
		return;
	if ((c->info_2 & PAGE_MASK) == (svm_lapic_base(v) & PAGE_MASK)) {
		domain_crash(v->domain,
			     "vCPU %u: access to the local APIC's page at %lx: there is an x2APIC "
			     "only (is the kernel told \"nox2apic\"?)",
			     v->id, (unsigned long)c->info_2);
		return;
	}
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
	u32 opcode; /* of the instruction that HANDLE passes over */
};

static const struct exit exits[SVM_EXIT_COUNT] = {
	[SVM_EXIT_CR_READ + 8] = { "reading of CR8", svm_exit_cr, 0 },
	[SVM_EXIT_CR_WRITE + 4] = { "writing of CR4", svm_exit_cr, 0 },
	[SVM_EXIT_CR_WRITE + 8] = { "writing of CR8", svm_exit_cr, 0 },
	[SVM_EXIT_DR_READ + 5] = { "reading of DR5", svm_exit_dr, 0 },
	[SVM_EXIT_DR_READ + 7] = { "reading of DR7", svm_exit_dr, 0 },
	[SVM_EXIT_DR_WRITE + 5] = { "writing of DR5", svm_exit_dr, 0 },
	[SVM_EXIT_DR_WRITE + 7] = { "writing of DR7", svm_exit_dr, 0 },
	[SVM_EXIT_EXCEPTION + 1] = { "#DB", debug_exception, 0 },
	[SVM_EXIT_EXCEPTION + 17] = { "#AC", alignment_check, 0 },
	[SVM_EXIT_INTR] = { "INTR", interrupted, 0 },
	[SVM_EXIT_NMI] = { "NMI", interrupted, 0 },
	[SVM_EXIT_SMI] = { "SMI", interrupted, 0 },
	[SVM_EXIT_INIT] = { "INIT", NULL, 0 },
	[SVM_EXIT_VINTR] = { "VINTR", nothing, 0 },
	[SVM_EXIT_RDPMC] = { "RDPMC", forbidden, 0 },
	[SVM_EXIT_IRET] = { "IRET", svm_exit_iret, 0 },
	[SVM_EXIT_CPUID] = { "CPUID", cpuid_exit, 0x0fa2 },
	[SVM_EXIT_INVD] = { "INVD", no_operation, 0x0f08 },
	[SVM_EXIT_HLT] = { "HLT", halt, OPCODE_HLT },
	[SVM_EXIT_INVLPGA] = { "INVLPGA", undefined, 0 },
	[SVM_EXIT_IOIO] = { "IOIO", svm_exit_io, 0 },
	[SVM_EXIT_MSR] = { "MSR", svm_exit_msr, 0x0f30 },
	[SVM_EXIT_TASK_SWITCH] = { "TASK_SWITCH", NULL, 0 },
	[SVM_EXIT_SHUTDOWN] = { "SHUTDOWN", triple_fault, 0 },
	[SVM_EXIT_VMRUN] = { "VMRUN", undefined, 0 },
	[SVM_EXIT_VMMCALL] = { "VMMCALL", svm_exit_hypercall, 0x0f01d9 },
	[SVM_EXIT_VMLOAD] = { "VMLOAD", undefined, 0 },
	[SVM_EXIT_VMSAVE] = { "VMSAVE", undefined, 0 },
	[SVM_EXIT_STGI] = { "STGI", undefined, 0 },
	[SVM_EXIT_CLGI] = { "CLGI", undefined, 0 },
	[SVM_EXIT_SKINIT] = { "SKINIT", undefined, 0 },
	[SVM_EXIT_WBINVD] = { "WBINVD", no_operation, 0x0f09 },
	[SVM_EXIT_MONITOR] = { "MONITOR", undefined, 0 },
	[SVM_EXIT_MWAIT] = { "MWAIT", undefined, 0 },
	[SVM_EXIT_MWAIT_ARMED] = { "MWAIT", undefined, 0 },
	[SVM_EXIT_XSETBV] = { "XSETBV", xsetbv, 0x0f01d1 },
};

static const struct exit npf = { "NPF", nested_page_fault, 0 };
static const struct exit unknown = { "unknown", NULL, 0 };

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

/* Two instructions share the MSR exit: 0f 30 and 0f 32. */
static u32 opcode_of(const struct vcpu *v, const struct exit *e)
{
	const struct vmcb *c = svm_vmcb(v);

	return e->opcode + (c->exit_code == SVM_EXIT_MSR && !(c->info_1 & 1) ? 2 : 0);
}

void svm_handle_exit(struct vcpu *v)
{
	u64 code = svm_vmcb(v)->exit_code;
	const struct exit *e = find(code);

	if (unlikely(e->opcode && !svm_insn_find(v, opcode_of(v, e))))
		forbidden(v); /* the code was changed under the exit: it gets what it deserves */
	else if (likely(e->handle))
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
	dump_segment("tr", &c->tr);
	dump_segment("gdt", &c->gdtr);
	dump_segment("idt", &c->idtr);
	printk_always("  interrupt state: shadow %lx, event %lx, upcall %s\n",
		      (unsigned long)c->shadow, (unsigned long)c->event_inject,
		      v->info->evtchn_upcall_pending ? "pending" : "none");
}
