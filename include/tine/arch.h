/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole contract between generic code and an architecture: what generic code calls (arch_*), and the few doors
 * through which arch code enters generic code. Types that differ by architecture are in <asm/...>:
 *   asm/memory.h  frame_table, direct map, address limits       asm/percpu.h  per-CPU variables
 *   asm/time.h    system_time()                                 asm/barrier.h cpu_relax() and memory barriers
 *   asm/domain.h  struct arch_domain                            asm/vcpu.h    struct arch_vcpu
 *   asm/irqflags.h local_irq_save/restore/enable/disable
 *   asm/guest.h   guest memory a word at a time             asm/hypercalls.h the calls that only this architecture has
 *   asm/abi.h     where the public ABI differs
 */
#ifndef TINE_ARCH_H
#define TINE_ARCH_H

#include <asm/barrier.h>
#include <asm/irqflags.h>
#include <tine/cpu.h>

struct boot_info;
struct domain;
struct mem_region;
struct page;
struct vcpu;
struct vcpu_time_info; /* xen/xen.h */

/* ---- Start of day, called in this order by boot/main.c on CPU 0, interrupts off ---- */

/* Consoles that boot_info.cmdline names (console=, com1=) begin to print what the log ring holds. */
void arch_console_init(void);
/* ACPI or device tree into BI: CPUs, NUMA ranges, distances. Bad tables are reported and left out. */
void arch_firmware_tables(struct boot_info *bi);
/* Own page tables: image W^X, direct map of all RAM, frame table backed where RAM is. bootmem is up; takes from it. */
void arch_paging_init(const struct boot_info *bi);
/* For mm/frame_backing.c: part of the frame table lies in LEN bytes from PA. Panics without memory for tables. */
void arch_map_frame_table(void *va, paddr_t pa, unsigned long len);
unsigned long arch_largest_page(void); /* 1 GiB or 2 MiB */
/* First frame number beyond the direct map's reach. */
mfn_t arch_direct_map_limit(void);
/* Traps, interrupt controller, clocks: after this interrupts may be enabled and system_time() counts. The heap is up. */
void arch_traps_init(void);
void arch_time_init(void);
/* Bytes from the console reach console_input() from now on. The scheduler and timers are up. */
void arch_console_start_input(void);
/* Starts the other CPUs one by one (each ends in sched_run()); those that do not answer are reported and left out. */
void arch_start_cpus(const struct boot_info *bi);
/* Memory that only start of day needed (init sections, loader data) goes to the heap. May be empty. */
void arch_free_init(void);

/* ---- CPUs ---- */

enum ipi { IPI_RESCHEDULE, IPI_CALL, IPI_COUNT };
/* Interrupts CPU. RESCHEDULE only makes it look at its softirqs; CALL makes it run smp_call_handle(). */
void arch_send_ipi(unsigned int cpu, enum ipi kind);
/* Waits for an interrupt; called with interrupts off and nothing pending, returns with them on. No wake-up is lost. */
void arch_idle(void);
/* The one-shot timer of this CPU; timer_interrupt() is called at or shortly after WHEN (STIME_MAX: never). */
void arch_timer_program(stime_t when);
/* Forgets translations of CPUS' MMUs (own and guests'), all or of one page of the hypervisor's; returns when done. */
void arch_tlb_flush(const cpumask_t *cpus);
void arch_tlb_flush_page(const cpumask_t *cpus, const void *va);
/* What a guest needs to compute system_time() itself: all of REC but its version. */
void arch_time_record(struct vcpu_time_info *rec);
/* A counter of cycles for measurements: the TSC, CNTVCT. */
u64 arch_cycles(void);
u64 arch_boot_cycles(void); /* the counter at the image's first instruction */

/* ---- Ends ---- */

void arch_poweroff(bool success)
	__noreturn; /* QEMU's exit device with the verdict, ACPI S5, else halt with a line */
void arch_reboot(void) __noreturn;
/* After a panic's message: under QEMU ends it with the verdict "failure", elsewhere reboots. */
void arch_panic_end(void) __noreturn;
/* First byte beyond the stack of the hypervisor's that holds SP; 0: in none. */
unsigned long arch_stack_end(unsigned long sp);
void backtrace(void);        /* lib/backtrace.c: of the caller, with symbol names */
void arch_stop_others(void); /* panic: other CPUs halt, as far as they still listen */
void arch_halt(void) __noreturn;

/* ---- Domains and vCPUs ---- */

int arch_domain_create(struct domain *d) __must_check; /* D zeroed but for config and id */
/*
 * Releases page tables, then everything that arch holds; vCPUs are stopped. -ERESTART: other work waits,
 * call again.
 */
int arch_domain_destroy(struct domain *d) __must_check;
/*
 * Compares the references of D's frames with what they are for; D does not run. The number of
 * differences, each reported in a line. CPU 0, softirq context.
 */
unsigned long arch_domain_check(struct domain *d) __must_check;
int arch_vcpu_create(struct vcpu *v) __must_check; /* also for idle vCPUs (V->domain NULL) */
void arch_vcpu_destroy(struct vcpu *v);

/*
 * Builds the guest from images in memory: allocates its frames, loads KERNEL (ELF), sets up vCPU 0. 0, or -errno after a line that says
 * what is wrong with the image.
 */
struct guest_image {
	const void *data;
	size_t size;
};
int arch_domain_build(struct domain *d, const struct guest_image *kernel,
		      const struct guest_image *ramdisk) __must_check;

/*
 * Between these two, libraries that were compiled for user space may be called (boot/unpack*.c): the state of a guest is put aside, interrupts
 * are off. On CPU 0; END takes what BEGIN returned.
 */
unsigned long arch_library_begin(void) __must_check;
void arch_library_end(unsigned long flags);
/* As crc32_update() in tine/crc32.h, and perhaps quicker; only between those two. */
u32 arch_crc32(u32 state, const void *data, size_t n);
/* How many of the first of N bytes are for sure neither 0xe8 nor 0xe9. Between the two as well. */
size_t arch_no_branch(const u8 *data, size_t n);

/* PREV stops and NEXT runs on this CPU: registers that are not saved at guest exit change hands. Interrupts off, `current` is NEXT. */
void arch_context_switch(struct vcpu *prev, struct vcpu *next);
/*
 * Runs `current`, from sched_run(). Interrupts off, no softirq pending. Either does not return (the way out of the guest ends in a fresh
 * sched_run()) or returns after an exit was handled.
 */
void arch_vcpu_enter(struct vcpu *v);
/* Would V take an event upcall if one were pending? (PV: its upcall mask; HVM: interrupt flag and shadow.) */
bool arch_event_deliverable(const struct vcpu *v);
/*
 * VCPUOP_send_nmi: V, which may be blocked or run elsewhere, enters its handler when it next runs; one that is pending already is the same one.
 */
void arch_vcpu_send_nmi(struct vcpu *v);
bool arch_nmi_waits(const struct vcpu *v); /* a reason not to block */
/* VCPUOP_initialise: the context at CTX, a guest address of the caller's, is checked and becomes V's. 0, -EFAULT, -EINVAL. */
int arch_vcpu_set_context(struct vcpu *v, gva_t ctx) __must_check;
/*
 * A frame that D names (PV: machine, writable type reference taken; PVH: its gfn) stays mapped for the hypervisor until it is unmapped. 0, or
 * -EINVAL when it is not D's RAM or may not be written. -ERESTART: the same again, later.
 */
int arch_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg,
			 void **va) __must_check;
void arch_unmap_guest_frame(struct page *pg, void *va);
/*
 * A frame of D's own RAM that D names stays where it is until it is released; when WRITE, it also stays writable. 0, or -EINVAL when it
 * is not D's RAM, or may not be written. -ERESTART: the same again, later.
 */
int arch_hold_frame(struct domain *d, unsigned long frame, bool write,
		    struct page **pg) __must_check;
void arch_release_frame(struct page *pg, bool write);
/*
 * For the running vCPU: maps PG of OWNER, which the caller holds, at HOST as the GNTMAP_* FLAGS say (PV: a virtual address, or the machine
 * address of the page-table entry; PVH: a guest-physical one). The mapping has references of its own. -EINVAL: cannot be there. -EBUSY: it changed meanwhile.
 */
int arch_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner) __must_check;
/* Withdraws that mapping, which must be there and be as FLAGS say, else -EINVAL. Translations may linger until the flush. */
int arch_grant_unmap(u64 host, u32 flags, struct page *pg) __must_check;
/* The same, and the entry that is at the address FRESH moves there, if that can be. */
int arch_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh) __must_check;
void arch_grant_flush(void); /* of the running domain's CPUs */
/*
 * Reservations (abi/reservation.c): where frames are that D got (a block at PFN, or each of COUNT frames of a block below 2 MiB at a place of
 * its own), and that D gave some up. Forget: no CPU of D has translations any more of frames that are mapped nowhere now.
 */
int arch_frames_given(struct domain *d, mfn_t mfn, unsigned int order,
		      unsigned long pfn) __must_check;
int arch_frames_given_to(struct domain *d, mfn_t mfn, const unsigned long *pfns,
			 unsigned int count) __must_check;
void arch_frames_taken(struct domain *d, struct page *const *pages, unsigned int count);
void arch_forget_frames(struct domain *d);
/*
 * The memory map that D is told, at most MAX regions; how many. And XENMEM_add_to_physmap: page INDEX of SPACE (XENMAPSPACE_*) appears at GFN. -ENOSYS:
 * D has no translated memory, or there is no such space. -EINVAL, -ENOMEM.
 */
unsigned int arch_memory_map(const struct domain *d, struct mem_region *map, unsigned int max);
struct p2m;
struct p2m *arch_domain_p2m(struct domain *d); /* NULL: its memory is not translated */
int arch_add_to_physmap(struct domain *d, unsigned int space, unsigned long index,
			gfn_t gfn) __must_check;
/*
 * The same memory changes (abi/physmap.c): what is at GFN is not there any more; a block of RAM of ORDER comes there, where nothing is, or goes for good.
 * On failure a first part of the block may be done. -ENOENT, -EEXIST, -EINVAL: not such a place; -E2BIG, -ENOMEM.
 */
int arch_remove_from_physmap(struct domain *d, gfn_t gfn) __must_check;
int arch_physmap_populate(struct domain *d, gfn_t gfn, unsigned int order) __must_check;
int arch_physmap_remove(struct domain *d, gfn_t gfn, unsigned int order) __must_check;
/* The vCPU's registers and where it is, for domain_crash and debug keys. */
void arch_vcpu_dump(const struct vcpu *v);

/* ---- Doors from arch code into generic code: hypercall_table, timer_interrupt(), softirq_raise(), console_input(), ---- */
/* sched_run(), domain_crash(), evtchn_send_virq(), start_of_day() and: */

/* boot/main.c: boot_info holds what the loader said; on CPU 0's stack, interrupts off. */
void start_of_day(void) __noreturn;
/* sched/smp.c: runs what smp_call() left for this CPU. Interrupt context. */
void smp_call_handle(void);
/* Runs FN on CPUS (this one included if in it), waits until all have. Interrupts on, or only this CPU in CPUS. */
void smp_call(const cpumask_t *cpus, void (*fn)(void *arg), void *arg);

#endif
