// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the initial domain finds where its machine's memory map has no RAM. It owns no hardware, but
 * its kernel looks for some all the same: firmware tables below 1 MiB, register windows. Such a
 * mapping gets one page of the domain's own instead, which reads as all ones at first, as a bus
 * does where nothing answers. So it goes on without devices, and no device or firmware memory is
 * ever within reach.
 *
 * At one place below 1 MiB, where kernels look for ACPI's root pointer, it finds a page of tables
 * that say just this: which local APICs its vCPUs have, and no hardware. Without them its log
 * complains, and Linux does not choose the APIC driver for Xen.
 *
 * Both are ordinary shared pages, so an entry that names one is counted like any other. Other
 * domains get none.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/guest_acpi.h>
#include <tine/boot_info.h>
#include <tine/string.h>

#define TABLES_AT 0xf0000UL /* the BIOS' segment, where the root pointer may be */

/* What the tables name. The ports are as empty as all others (emulate_priv.c), and so is the line. */
#define PM1_PORT 0x600
#define SCI 9
#define IOAPIC_ADDRESS 0xfec00000U

/* Wholly: what is RAM only in part is nobody's. */
static bool frame_is_ram(u64 mfn)
{
	u64 at = mfn << PAGE_SHIFT;
	unsigned int i;

	for (i = 0; i < boot_info.nr_regions; i++) {
		const struct mem_region *r = &boot_info.regions[i];

		if (r->type == MEM_RAM && at >= paddr_x(r->start) &&
		    at + PAGE_SIZE <= paddr_x(r->end))
			return true;
	}
	return false;
}

int pv_empty_bus_create(struct domain *d)
{
	const struct guest_acpi guest = {
		.nr_vcpus = d->config.vcpus,
		.apic_id_step = 1,
		.pm1_port = PM1_PORT,
		.sci = SCI,
		.ioapic = IOAPIC_ADDRESS,
	};
	struct pv_domain *pv = &d->arch.pv;

	if (!d->config.initial)
		return 0;
	pv->empty_bus = domain_alloc_shared(d);
	pv->acpi_tables = domain_alloc_shared(d);
	if (!pv->empty_bus || !pv->acpi_tables) {
		pv_empty_bus_destroy(d);
		return -ENOMEM;
	}
	memset(pv->empty_bus, 0xff, PAGE_SIZE);
	(void)guest_acpi_write(&guest, pv->acpi_tables, TABLES_AT);
	return 0;
}

static void put(void **page)
{
	if (*page)
		page_put(mfn_to_page(virt_to_mfn(*page)));
	*page = NULL;
}

void pv_empty_bus_destroy(struct domain *d)
{
	put(&d->arch.pv.empty_bus);
	put(&d->arch.pv.acpi_tables);
}

u64 pv_entry_redirect(const struct domain *d, u64 entry)
{
	u64 mfn = mfn_x(pte_mfn(entry));
	void *page = mfn == TABLES_AT >> PAGE_SHIFT ? d->arch.pv.acpi_tables : d->arch.pv.empty_bus;

	if (!page || !(entry & PTE_P) || frame_is_ram(mfn) ||
	    mfn >> (x86_cpu.phys_bits - PAGE_SHIFT)) /* no such address at all */
		return entry;
	return (entry & ~(PTE_ADDR_MASK | PTE_PWT | PTE_PCD | PTE_PAT)) |
	       pte_make(virt_to_mfn(page), 0);
}
