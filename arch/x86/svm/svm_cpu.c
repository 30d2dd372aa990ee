// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SVM on each CPU: switched on, with the two pages that it needs, and the CPU's address-space identifiers. Everything here is
 * the CPU's own; svm_usable becomes false at start of day on the first CPU that cannot do it, and stays so.
 *
 * An ASID names a guest's translations in the TLB. Each CPU gives them out in rounds; when they are used up it flushes everything
 * and begins again, so a vCPU's ASID is good while its round lasts, on that CPU, and until its domain's translations are flushed.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <tine/heap.h>

#define MSR_VM_CR 0xc0010114
#define MSR_VM_HSAVE_PA 0xc0010117
#define VM_CR_SVMDIS (1UL << 4)
#define LEAF_SVM 0x8000000au
#define SVM_FEATURE_NP (1U << 0)

bool svm_usable = true;

static DEFINE_PERCPU(u64, host_vmcb);
static DEFINE_PERCPU(u32, asid_max);
static DEFINE_PERCPU(u32, asid_next);
static DEFINE_PERCPU(u64, asid_round);

static const char *missing(void)
{
	if (x86_cpu.vendor != VENDOR_AMD || cpuid(0x80000000, 0).eax < LEAF_SVM ||
	    !(cpuid(0x80000001, 0).ecx & (1U << 2)))
		return "the CPU has no AMD-V";
	if (x86_rdmsr(MSR_VM_CR) & VM_CR_SVMDIS)
		return "firmware has switched AMD-V off";
	if (!(cpuid(LEAF_SVM, 0).edx & SVM_FEATURE_NP))
		return "the CPU has no nested paging";
	return NULL;
}

void svm_cpu_init(void)
{
	const char *why = svm_usable ? missing() : NULL;
	void *hsave, *host;

	if (!svm_usable || why) {
		if (why)
			pr_info("PVH guests: none (%s)\n", why);
		svm_usable = false;
		return;
	}
	hsave = heap_alloc_pages(0, HEAP_ZERO);
	host = heap_alloc_pages(0, HEAP_ZERO);
	if (!hsave || !host) {
		pr_err("PVH guests: none (no memory on CPU %u)\n", smp_processor_id());
		svm_usable = false;
		return;
	}
	x86_wrmsr(MSR_EFER, x86_rdmsr(MSR_EFER) | EFER_SVME);
	x86_wrmsr(MSR_VM_HSAVE_PA, paddr_x(virt_to_paddr(hsave)));
	this_cpu(host_vmcb) = paddr_x(virt_to_paddr(host));
	/* What is in these registers now is what the hypervisor has in them whenever no guest is. */
	__asm__ volatile("vmsave %%rax" : : "a"(this_cpu(host_vmcb)) : "memory");
	this_cpu(asid_max) = cpuid(LEAF_SVM, 0).ebx - 1;
	this_cpu(asid_next) = 1;
	this_cpu(asid_round) = 1;
}

paddr_t svm_host_vmcb(void)
{
	return _paddr(this_cpu(host_vmcb));
}

void svm_settle_asid(struct vcpu *v)
{
	struct svm_vcpu *svm = v->arch.svm;
	u64 flushes = __atomic_load_n(&v->domain->arch.svm.flushes, __ATOMIC_SEQ_CST);
	unsigned int cpu = smp_processor_id();

	svm->vmcb->tlb_control = 0;
	if (svm->asid_cpu == cpu && svm->asid_round == this_cpu(asid_round) &&
	    svm->flushes_seen == flushes)
		return;
	if (this_cpu(asid_next) > this_cpu(asid_max)) {
		this_cpu(asid_next) = 1;
		this_cpu(asid_round)++;
		svm->vmcb->tlb_control = SVM_TLB_FLUSH_ALL;
	}
	svm->vmcb->asid = this_cpu(asid_next)++;
	svm->asid_cpu = cpu;
	svm->asid_round = this_cpu(asid_round);
	svm->flushes_seen = flushes;
}
