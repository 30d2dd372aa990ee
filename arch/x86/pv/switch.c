// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changing the vCPU that a CPU runs, and the mode that a vCPU runs in. Entry and exit save only
 * general registers; all else of a guest stays in the CPU until here: segments and their bases,
 * FPU, debug registers, tables.
 *
 * Order matters for NMI and #MC, which may come at any instruction and load CS from the current
 * GDT: the CPU's own GDT is loaded while page tables change, as a vCPU's is mapped in its domain's
 * tables only.
 */
#include "entry.h"
#include "internal.h"
#include "tlb.h"
#include <asm/cpufeature.h>
#include <asm/fpu.h>
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/segment.h>
#include <asm/svm.h>
#include <asm/tss.h>
#include <tine/arch.h>

#define SFMASK_BITS 0x57700 /* TF IF DF IOPL NT RF AC */

#define CR4_GUEST (CR4_TSD | CR4_DE | CR4_FSGSBASE) /* bits that are the running guest's choice */

DEFINE_PERCPU(u64, pv_guest_rsp);

void pv_cpu_init(void)
{
	x86_wrmsr(MSR_STAR, (u64)SEL_GUEST_CS32 << 48 | (u64)SEL_HYPERVISOR_CS << 32);
	x86_wrmsr(MSR_LSTAR, (u64)pv_syscall_entry);
	x86_wrmsr(MSR_CSTAR, (u64)pv_syscall32_entry);
	x86_wrmsr(MSR_SFMASK, SFMASK_BITS);
	x86_wrmsr(MSR_SYSENTER_CS, 0);
}

/*
 * A guest with FSGSBASE writes bases itself, and QEMU lets it write what WRMSR would fault on: bits
 * above 47 are copies of it.
 */
static u64 read_base(u32 msr)
{
	return (u64)((s64)(x86_rdmsr(msr) << 16) >> 16);
}

void pv_load_tables(struct vcpu *v)
{
	const struct pv_vcpu *pv = &v->arch.pv;

	x86_write_cr3(mfn_x(pv->kernel_mode ? pv->kernel_table : pv->user_table) << PAGE_SHIFT);
}

void pv_toggle_mode(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;

	if (pv->kernel_mode) {
		pv->gs_base_kernel = read_base(MSR_KERNEL_GS_BASE);
		x86_wrmsr(MSR_KERNEL_GS_BASE, pv->gs_base_user);
	} else {
		pv->gs_base_user = read_base(MSR_KERNEL_GS_BASE);
		x86_wrmsr(MSR_KERNEL_GS_BASE, pv->gs_base_kernel);
	}
	pv->kernel_mode = !pv->kernel_mode;
	pv_load_tables(v);
}

void pv_set_ts(struct vcpu *v, bool on)
{
	u64 cr0 = x86_read_cr0();

	v->arch.pv.ts = on;
	if (on != !!(cr0 & CR0_TS))
		x86_write_cr0(cr0 ^ CR0_TS);
}

void pv_load_cr4(const struct vcpu *v)
{
	x86_write_cr4((x86_cpu.cr4 & ~CR4_GUEST) | (v->arch.pv.cr4 & CR4_GUEST));
}

static void save_selectors(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;

	__asm__ volatile("mov %%ds, %0" : "=rm"(pv->ds));
	__asm__ volatile("mov %%es, %0" : "=rm"(pv->es));
	__asm__ volatile("mov %%fs, %0" : "=rm"(pv->fs));
	__asm__ volatile("mov %%gs, %0" : "=rm"(pv->gs));
}

/* Loads SELECTOR into a segment register, or null where that faults; then the result is false. */
#define LOAD_SELECTOR(reg, selector)                                                               \
	({                                                                                         \
		u32 value_ = (selector), bad_ = 0;                                                 \
		__asm__ volatile("1: mov %0, %%" reg "\n"                                          \
				 "2:\n"                                                            \
				 ".pushsection .text.fixup, \"ax\"\n"                              \
				 "3: xor %0, %0\n"                                                 \
				 "mov %0, %%" reg "\n"                                             \
				 "inc %1\n"                                                        \
				 "jmp 2b\n"                                                        \
				 ".popsection\n" EX_TABLE("1b", "3b")                              \
				 : "+r"(value_), "+r"(bad_)                                        \
				 :                                                                 \
				 : "memory");                                                      \
		!bad_;                                                                             \
	})

/*
 * GS: the load replaces the hypervisor's own base, which is put back. (Not between two SWAPGS: a
 * fault must find its per-CPU data.) Interrupts off. A null selector leaves the old base on AMD, so
 * its base is said to be 0 here.
 */
bool pv_load_gs(u16 selector, u64 *base)
{
	u64 own = x86_rdmsr(MSR_GS_BASE);
	bool ok = LOAD_SELECTOR("gs", selector);

	*base = ok && (selector & ~3U) ? x86_rdmsr(MSR_GS_BASE) : 0;
	x86_wrmsr(MSR_GS_BASE, own);
	return ok;
}

/* Selectors first: loading one replaces the base. */
static bool load_segments(const struct pv_vcpu *pv)
{
	bool ok = LOAD_SELECTOR("ds", pv->ds);
	u64 base;

	ok &= LOAD_SELECTOR("es", pv->es);
	ok &= LOAD_SELECTOR("fs", pv->fs);
	ok &= pv_load_gs(pv->gs, &base);
	x86_wrmsr(MSR_FS_BASE, pv->fs_base);
	x86_wrmsr(MSR_KERNEL_GS_BASE, pv->kernel_mode ? pv->gs_base_kernel : pv->gs_base_user);
	return ok;
}

static void load_gdt(const struct vcpu *v)
{
	struct {
		u16 limit;
		u64 base;
	} __packed pointer = { GDT_LIMIT, pv_gdt_address(v) };

	__asm__ volatile("lgdt %0" : : "m"(pointer));
}

static void save(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;
	u64 active;

	save_selectors(v);
	pv->fs_base = read_base(MSR_FS_BASE);
	active = read_base(MSR_KERNEL_GS_BASE);
	if (pv->kernel_mode)
		pv->gs_base_kernel = active;
	else
		pv->gs_base_user = active;
	x86_fpu_save(v);
	pv_debugreg_off(v);
}

static void load(struct vcpu *v)
{
	u32 now;

	v->arch.stack_top = this_cpu(x86_stack_top);
	this_cpu(x86_tss).rsp0 = (u64)v + X86_VCPU_FRAME_END;
	cpumask_set(&v->domain->arch.pv.active_cpus, smp_processor_id());
	now = pv_tlb_now(); /* a flush that others ask for between the two is not noted */
	pv_load_tables(v);
	pv_tlb_note(now);
	load_gdt(v);
	pv_load_ldt(v);
	pv_load_cr4(v);
	x86_fpu_load(v);
	pv_debugreg_load(v);
	pv_load_tsc_aux(v);
	/* The frame has the selectors that were to be loaded; those that could not are null now. */
	if (!load_segments(&v->arch.pv))
		pv_bounce_failsafe(v);
}

void arch_context_switch(struct vcpu *prev, struct vcpu *next)
{
	const struct domain *left = prev->domain;

	if (!vcpu_is_idle(prev))
		(is_pvh(left) ? svm_save : save)(prev);
	x86_load_own_gdt();
	if (vcpu_is_idle(next)) {
		next->arch.stack_top = this_cpu(x86_stack_top);
		x86_write_cr3(paddr_x(x86_master_cr3()));
	} else if (is_pvh(next->domain)) {
		svm_load(next);
	} else {
		load(next);
	}
	if (left && left != next->domain)
		cpumask_clear(&prev->domain->arch.pv.active_cpus, smp_processor_id());
}

void arch_vcpu_enter(struct vcpu *v)
{
	if (unlikely(is_pvh(v->domain))) {
		svm_vcpu_enter(v);
		return;
	}
	if (unlikely(READ_ONCE(v->arch.pv.nmi_pending)))
		pv_nmi_deliver(v);
	x86_return_to_guest();
}
