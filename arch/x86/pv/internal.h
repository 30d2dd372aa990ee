/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of arch/x86/pv share: types and references of a PV domain's frames, and the
 * helpers for entries.
 *
 * A frame has at any time one type: none, a page table of one level, a descriptor page, or
 * writable. type_info holds it with a count of references that rely on it; only at count 0 may it
 * change, and becoming a page table or descriptor page then means that every entry is validated
 * first. Whoever holds a typed reference holds a general one (count_info) too, so a frame in use is
 * never freed. Nothing here takes a lock: counts and live entries change by compare-and-exchange.
 * See page_type.c for the protocol.
 */
#ifndef PV_INTERNAL_H
#define PV_INTERNAL_H

#include <asm/extable.h>
#include <asm/pte.h>
#include <asm/pv.h>
#include <tine/errno.h>
#include <tine/guest_access.h>
#include <tine/page.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>

enum pv_type {
	PV_TYPE_NONE,
	PV_TYPE_L1,
	PV_TYPE_L2,
	PV_TYPE_L3,
	PV_TYPE_L4,
	PV_TYPE_DESC,
	PV_TYPE_WRITABLE = 7,
};

#define PGT_TYPE_SHIFT 61
#define PGT_TYPE(t) ((u64)(t) << PGT_TYPE_SHIFT)
#define PGT_TYPE_MASK PGT_TYPE(7)
#define PGT_VALIDATED BIT(60) /* the contents are as the type promises; never set at count 0 */
#define PGT_PINNED BIT(59)    /* a reference that the guest asked for and may give back */
#define PGT_COUNT_MASK 0xffffffffUL
#define PGT_IN_USE_SHIFT 60 /* type and PGT_VALIDATED */

static inline enum pv_type pgt_type(u64 type_info)
{
	return (enum pv_type)(type_info >> PGT_TYPE_SHIFT);
}

/* ---- page_type.c ---- */

/*
 * Adds a typed reference to PG, on which the caller holds a general one. -EBUSY: is in use as
 * something else. -EINVAL: its contents are invalid.
 */
int pv_type_get_slow(struct page *pg, const struct domain *d, enum pv_type type) __must_check;
void pv_type_put_slow(struct page *pg);

/* General and typed reference at once, by number. */
int pv_page_get_type(struct domain *d, mfn_t mfn, enum pv_type type) __must_check;
void pv_page_put_type(struct page *pg);

/* The pin of a page table: a typed reference that type_info itself records. */
int pv_pin(struct domain *d, mfn_t mfn, enum pv_type type) __must_check;
int pv_unpin(struct domain *d, mfn_t mfn) __must_check;

/* Adds a reference only where TYPE is in use already: never promotes. */
static __always_inline bool pv_type_hold(struct page *pg, enum pv_type type)
{
	u64 old = READ_ONCE(pg->type_info);

	while (likely(old >> PGT_IN_USE_SHIFT == ((u64)type << 1 | 1))) {
		if (likely(__atomic_compare_exchange_n(&pg->type_info, &old, old + 1, false,
						       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
			return true;
	}
	return false;
}

static __always_inline int pv_type_get(struct page *pg, const struct domain *d, enum pv_type type)
{
	return likely(pv_type_hold(pg, type)) ? 0 : pv_type_get_slow(pg, d, type);
}

static __always_inline void pv_type_put(struct page *pg)
{
	u64 old = READ_ONCE(pg->type_info);

	while (likely((u32)old > 1)) {
		if (likely(__atomic_compare_exchange_n(&pg->type_info, &old, old - 1, false,
						       __ATOMIC_RELEASE, __ATOMIC_RELAXED)))
			return;
	}
	pv_type_put_slow(pg);
}

/* ---- page_table.c ---- */

/*
 * All entries of a table of LEVEL, on promotion: validates, or undoes what it did and returns
 * -EINVAL. And the reverse.
 */
int pv_table_validate(struct page *pg, const struct domain *d, unsigned int level) __must_check;
void pv_table_devalidate(struct page *pg, unsigned int level);

/* What a guest may set in a present entry of any level as it likes. */
#define PV_FLAGS_FREE (PTE_P | PTE_RW | PTE_US | PTE_A | PTE_D | PTE_AVAIL | PTE_NX)

/* A present entry as it goes in. */
static __always_inline u64 pv_entry_adjust(u64 entry, unsigned int level)
{
	if (level > 1)
		return entry | PTE_US | (level == 4 ? PTE_A : 0);
	if (!(entry & PTE_US))
		entry |= PTE_US | PTE_GUEST_KERNEL;
	return entry & ~PTE_G;
}

/* Bits on which the references of an entry depend. */
static __always_inline u64 pv_entry_deciding(unsigned int level)
{
	return PTE_P | PTE_ADDR_MASK | (level == 1 ? PTE_RW : 0);
}

/*
 * Replaces the entry at SLOT of a validated table of LEVEL with ENTRY, adjusted; references move.
 * KEEP_AD: accessed and dirty bits that the CPU set meanwhile survive. -EINVAL: not allowed,
 * nothing changed. The slow form is the general one; often only flags change.
 */
int pv_entry_update_slow(struct domain *d, u64 *slot, u64 entry, unsigned int level,
			 bool keep_ad) __must_check;

static __always_inline int __must_check pv_entry_update(struct domain *d, u64 *slot, u64 entry,
							unsigned int level, bool keep_ad)
{
	u64 old = READ_ONCE(*slot), want = pv_entry_adjust(entry, level);

	if (unlikely(((old ^ want) & pv_entry_deciding(level)) || !(entry & PTE_P) ||
		     (entry & ~(PV_FLAGS_FREE | PTE_ADDR_MASK))))
		return pv_entry_update_slow(d, slot, entry, level, keep_ad);
	if (keep_ad)
		want |= old & (PTE_A | PTE_D);
	if (likely(__atomic_compare_exchange_n(slot, &old, want, false, __ATOMIC_ACQ_REL,
					       __ATOMIC_RELAXED)))
		return 0;
	return pv_entry_update_slow(d, slot, entry, level, keep_ad);
}

/* The same, if SLOT holds OLD; -EAGAIN: it does not. */
int pv_entry_exchange(struct domain *d, u64 *slot, u64 old, u64 new,
		      unsigned int level) __must_check;

/* May a guest write entry I of a table of LEVEL? Not the hypervisor's slots of the top level. */
static inline bool pv_slot_is_guests(unsigned int level, unsigned long i)
{
	return level < 4 || i < 256 || i > 271;
}

/* ---- table_write.c ---- */

/*
 * A write fault of the guest's kernel at ADDRESS: true when it was a change of a page table and is
 * done.
 */
bool pv_emulate_table_write(struct vcpu *v, struct cpu_regs *regs, unsigned long address);

/* ---- empty_bus.c ---- */
int pv_empty_bus_create(struct domain *d) __must_check;
void pv_empty_bus_destroy(struct domain *d);
/*
 * ENTRY of level 1, or what D gets in its place: the initial domain's own page where it names no
 * RAM.
 */
u64 pv_entry_redirect(const struct domain *d, u64 entry);

/* ---- mmuext.c ---- */

/* The CPUs of those of D's vCPUs that the guest's BITMAP names. */
int pv_cpus_of_vcpus(const struct domain *d, gva_t bitmap, cpumask_t *cpus) __must_check;

/* ---- gdt.c ---- */
int pv_perdomain_create(struct domain *d) __must_check;
void pv_perdomain_destroy(struct domain *d);
/* Slots 256 .. 271 of a top-level table of D's. */
void pv_fill_hypervisor_slots(const struct domain *d, u64 *table);
int pv_vcpu_map_gdt(struct vcpu *v) __must_check; /* reserved page, no frames of the guest's yet */
int pv_set_gdt(struct vcpu *v, const u64 *frames, unsigned int entries) __must_check;
void pv_drop_gdt(struct vcpu *v);
void pv_drop_ldt(struct vcpu *v);
int pv_set_ldt(struct vcpu *v, unsigned long base, unsigned long entries) __must_check;
unsigned long pv_gdt_address(const struct vcpu *v);
/* The entry for page PAGE of V's descriptor tables: the GDT's from 0 on, the LDT's from PV_LDT_PAGE. */
#define PV_LDT_PAGE 16
u64 *pv_descriptor_slot(const struct vcpu *v, unsigned int page);
void pv_load_ldt(struct vcpu *v);
bool pv_ldt_fault(struct vcpu *v, u64 *address) __must_check;

/* ---- switch.c, fpu.c ---- */
void pv_load_tables(struct vcpu *v); /* CR3 of the mode that V is in */
void pv_toggle_mode(struct vcpu *v); /* kernel <-> user: page tables and GS base */
bool pv_load_gs(u16 selector, u64 *base);
void pv_save_selectors(struct vcpu *v); /* DS ES FS GS from the CPU */
int pv_fpu_create(struct vcpu *v) __must_check;
void pv_fpu_destroy(struct vcpu *v);
void pv_fpu_save(struct vcpu *v);
void pv_fpu_load(struct vcpu *v);

/* ---- debugreg.c ---- */
void pv_debugreg_load(const struct vcpu *v);
void pv_debugreg_off(const struct vcpu *v);

/* ---- build.c ---- */
struct guest_image;
int pv_domain_build(struct domain *d, const struct guest_image *kernel,
		    const struct guest_image *ramdisk) __must_check;

/* ---- traps.c ---- */
#define PV_BOUNCE_MASK_EVENTS 1U
#define PV_BOUNCE_ERROR_CODE 2U
#define PV_BOUNCE_CLEAR_DF 4U
void pv_bounce(struct vcpu *v, u64 handler, unsigned int flags, u32 error_code);
void pv_bounce_failsafe(struct vcpu *v);

#endif
