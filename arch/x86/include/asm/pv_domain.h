/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PV domain needs beyond struct domain. Owned by arch/x86/pv. */
#ifndef ASM_PV_DOMAIN_H
#define ASM_PV_DOMAIN_H

#include <tine/cpu.h>
#include <tine/types.h>

struct page;

#define PV_PERDOMAIN_L1S 2 /* page tables of 512 entries: 16 vCPUs of 32 pages each */

struct pv_domain {
	u64 *perdomain_l3; /* what slot 258 of each of its top-level tables points to */
	u64 *perdomain_l2;
	u64 *perdomain_l1[PV_PERDOMAIN_L1S];
	/* The initial domain: what it gets where there is no RAM; pv/empty_bus.c */
	void *empty_bus;
	void *acpi_tables;
	u64 dying; /* page tables on their way out: frame number, and a tag; dying_tables.c */
	struct page *destroying; /* how far the domain's end has come in its list of frames */
	struct page *eoi_page; /* where it reads which interrupt lines want an EOI; pv/physdev.c */
	bool eoi_unmasks;      /* an EOI also unmasks the line's port */
	bool maps_others;      /* its page tables may name frames of other domains; never reset */
	cpumask_t active_cpus; /* whose MMUs may hold translations of this domain; atomic bits */
};

#endif
