/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doors of arch/x86/svm: PVH guests on AMD-V with nested paging. */
#ifndef ASM_SVM_H
#define ASM_SVM_H

#include <asm/percpu.h>
#include <tine/domain.h>
#include <tine/vcpu.h>

struct guest_image;
struct mem_region;

/* On each CPU, after pv_cpu_init(). Where the CPU cannot do it, PVH domains are refused. */
void svm_cpu_init(void);

/* As the arch_ functions of the same names, for PVH guests. */
int svm_domain_create(struct domain *d) __must_check;
int svm_domain_destroy(struct domain *d);
unsigned long svm_domain_check(struct domain *d) __must_check;
int svm_domain_build(struct domain *d, const struct guest_image *kernel,
		     const struct guest_image *ramdisk) __must_check;
int svm_vcpu_create(struct vcpu *v) __must_check;
void svm_vcpu_destroy(struct vcpu *v);
void svm_vcpu_dump(const struct vcpu *v);
void svm_vcpu_enter(struct vcpu *v);
bool svm_event_deliverable(const struct vcpu *v);
void svm_nmi_send(struct vcpu *v);
bool svm_nmi_waits(const struct vcpu *v);
long svm_hypercall_continue(struct vcpu *v, unsigned int op, const unsigned long args[5]);
unsigned int svm_memory_map(const struct domain *d, struct mem_region *map, unsigned int max);

/* Halves of arch_context_switch(): V leaves the CPU; V comes. */
void svm_save(struct vcpu *v);
void svm_load(struct vcpu *v);

/* The machine frame of GFN, if that is RAM that D may write; else INVALID_MFN. */
mfn_t svm_ram_frame(struct domain *d, gfn_t gfn);
/* Frames were taken from D's tables: no CPU has translations of them any more when this returns. */
void svm_forget(struct domain *d);

static inline bool is_pvh(const struct domain *d)
{
	return d->config.type == DOMAIN_PVH;
}

/* The guest on this CPU has its addresses translated twice: its memory is not accessible in place. */
DECLARE_PERCPU(bool, guest_translated);

#endif
