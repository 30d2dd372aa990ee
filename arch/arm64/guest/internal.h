/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of arch/arm64/guest share. */
#ifndef ARM64_GUEST_INTERNAL_H
#define ARM64_GUEST_INTERNAL_H

#include <tine/compiler.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/vcpu.h>

/* ---- The guest's physical space (as Xen's: ABI page 8.3) ---- */

#define GUEST_GICD 0x03001000UL
#define GUEST_GICD_SIZE(v3) ((v3) ? 0x10000UL : 0x1000UL)
#define GUEST_GICC 0x03002000UL /* GICv2 */
#define GUEST_GICC_SIZE 0x2000UL
#define GUEST_GICR 0x03020000UL /* GICv3 */
#define GUEST_GICR_STRIDE 0x20000UL
#define GUEST_GRANTS 0x38000000UL
#define GUEST_GRANTS_SIZE 0x01000000UL
#define GUEST_PAGES 0x39000000UL /* the builder's own */
enum guest_page { GUEST_PAGE_CONSOLE, GUEST_PAGE_STORE, GUEST_PAGE_COUNT };
#define GUEST_RAM 0x40000000UL
#define GUEST_SPACE_BITS 39

#define GUEST_PPI_TIMER 27
#define GUEST_PPI_EVENTS 31

/* PSTATE: EL1 with its own stack pointer, everything masked. */
#define PSTATE_EL1H_MASKED 0x3c5UL
#define PSTATE_MODE 0xfUL
#define PSTATE_EL0 0x0UL
#define PSTATE_EL1T 0x4UL
#define PSTATE_AARCH32 0x10UL

/* ---- guest_entry.S; each in the order of vectors.S ---- */
enum exit_kind { EXIT_SYNC, EXIT_IRQ, EXIT_SERROR };
void arm64_guest_enter(struct vcpu *v) __noreturn;                     /* interrupts off */
void arm64_guest_exit(enum exit_kind kind, struct vcpu *v) __noreturn; /* guest_exit.c */

/* ---- guest_context.c ---- */
/* As after a reset: enters at ENTRY with CONTEXT in x0, MMU off. V does not run. */
void arm64_vcpu_reset(struct vcpu *v, u64 entry, u64 context);
u64 arm64_vcpu_mpidr(const struct vcpu *v);

/* ---- stage2.c ---- */
void stage2_cpu_init(void);
int stage2_create(struct domain *d) __must_check;
void stage2_forget(struct domain *d); /* all its translations, on all CPUs */
void stage2_load(struct vcpu *v);     /* on this CPU */
void stage2_release(struct domain *d);

/* ---- vmid.c ---- */
void vmid_cpu_init(bool is_16bit);
u32 vmid_load(struct domain *d); /* D's translations are used on this CPU now, under this one */
u32 vmid_in_use(const struct domain *d); /* 0: no CPU has a translation of D's */
void vmid_release(
	struct domain *d); /* for good: D is loaded nowhere, its translations are forgotten */

/* ---- guest_exit.c ---- */
void arm64_guest_advance(struct vcpu *v);   /* over the instruction that trapped */
void arm64_guest_undefined(struct vcpu *v); /* which is not one: its exception for EL1 */

/* ---- guest_abort.c: ESR of EC 0x20 or 0x24 ---- */
void arm64_guest_abort(struct vcpu *v, u64 esr, u64 far, u64 hpfar);

/* ---- guest_sysreg.c ---- */
void arm64_guest_sysreg(struct vcpu *v, u64 esr);

/* ---- guest_psci.c: the call in v's registers ---- */
void arm64_guest_psci(struct vcpu *v);

/* ---- guest_hypercall.c ---- */
void arm64_guest_hypercall(struct vcpu *v);

/* ---- guest_copy.c ---- */
/* Guest-physical memory that the guest may look at with caches off. -EFAULT: it is no RAM. */
int arm64_guest_write(struct domain *d, u64 at, const void *from, size_t n) __must_check;

/* ---- guest_build.c ---- */
/* GICv2's CPU interface is the guest's to use; it has nothing of a domain's in it but what vgic_load() puts there. Does nothing where there is one. */
int arm64_guest_map_interface(struct domain *d) __must_check;

/* ---- guest_tree.c: the device tree at TREE, of at most SIZE bytes ---- */
int arm64_guest_tree(const struct domain *d, void *tree, size_t size, u64 ramdisk,
		     u64 ramdisk_size) __must_check;

/* ---- vgic.c ---- */
void vgic_cpu_init(void);
void vgic_vcpu_reset(struct vcpu *v);
void vgic_enter(struct vcpu *v); /* interrupts off, about to enter */
void vgic_exit(struct vcpu *v);  /* just left */
void vgic_save(struct vcpu *v);  /* context switch */
void vgic_load(struct vcpu *v);
void vgic_raise(struct vcpu *v,
		unsigned int intid);   /* any context; whoever may be asleep is notified */
bool vgic_waits(const struct vcpu *v); /* something that would wake V from WFI */
u32 vgic_lines(const struct vcpu *v);  /* level-triggered ones that are asked for */

/* ---- vgic_mmio.c; SIZE 1, 2, 4 or 8 bytes. False: no register of the controller's is at IPA ---- */
bool vgic_mmio(struct vcpu *v, u64 ipa, bool write, unsigned int size, u64 *value);
void vgic_sgi1r(struct vcpu *v, u64 value); /* GICv3: ICC_SGI1R_EL1 */

/* ---- vgic_list3.c, vgic_list2.c: list registers ---- */
struct vgic_list_ops {
	unsigned int (*init)(void); /* this CPU; how many there are */
	void (*write)(unsigned int n, const struct vgic_lr *lr);
	void (*read)(unsigned int n, struct vgic_lr *lr); /* its state */
	void (*control)(bool on, bool underflow);
	void (*save)(struct vgic_cpu *g);
	void (*load)(const struct vgic_cpu *g);
};
extern const struct vgic_list_ops vgic_list3, vgic_list2;

/* ---- vtimer.c ---- */
void vtimer_init(void);
void vtimer_cpu_init(void);
void vtimer_vcpu_create(struct vcpu *v);
void vtimer_save(struct vcpu *v);
void vtimer_load(struct vcpu *v);
void vtimer_enter(struct vcpu *v); /* before list registers are filled */
void vtimer_ended(struct vcpu *v); /* the guest has ended its interrupt */
void vtimer_rearm(struct vcpu *v); /* V, which does not run, has another state now */
bool vtimer_due(const struct vcpu *v);

#endif
