// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * physdev_op: physical devices, of which guests have none. What a kernel cannot live without is who
 * may use ports, itself and its processes: with that, port accesses (and by IOPL CLI and STI) are
 * emulated instead of faulting (port_io.c); it opens nothing. The initial domain may also map the
 * interrupt lines of the IO-APIC in its tables (empty_bus.c), as its kernel does for ACPI: by their
 * own numbers.
 *
 * A guest may register a page in which it reads, a bit a line, which of them it must answer by PHYSDEVOP_eoi: none ever, since none ever
 * fires. The page is held until the domain ends, set once by compare and exchange.
 */
#include "port_io.h"
#include <asm/hypercalls.h>
#include <tine/evtchn.h>
#include <tine/string.h>
#include <xen/physdev.h>

static long set_iopl(gva_t arg)
{
	struct physdev_set_iopl set;

	if (copy_from_guest(&set, arg, sizeof(set)))
		return -EFAULT;
	if (set.iopl > 3)
		return -EINVAL;
	current->arch.pv.iopl = (u8)set.iopl;
	return 0;
}

static long map_pirq(gva_t arg)
{
	struct physdev_map_pirq map;

	if (copy_from_guest(&map, arg, sizeof(map)))
		return -EFAULT;
	if (!current->domain->config.initial || map.domid != DOMID_SELF)
		return -EPERM;
	if (map.type != MAP_PIRQ_TYPE_GSI || (u32)map.index >= NR_PIRQS)
		return -EINVAL;
	map.pirq = map.index;
	return copy_to_guest(arg, &map, sizeof(map)) ? -EFAULT : 0;
}

/* Its answer is a vector of the machine's, which the caller can do nothing with: 0, there is none. */
static long alloc_irq_vector(gva_t arg)
{
	struct physdev_irq line;

	if (copy_from_guest(&line, arg, sizeof(line)))
		return -EFAULT;
	if (!current->domain->config.initial)
		return -EPERM;
	if (line.irq >= NR_PIRQS)
		return -EINVAL;
	line.vector = 0;
	return copy_to_guest(arg, &line, sizeof(line)) ? -EFAULT : 0;
}

static long setup_gsi(gva_t arg)
{
	struct physdev_setup_gsi setup;

	if (copy_from_guest(&setup, arg, sizeof(setup)))
		return -EFAULT;
	if (!current->domain->config.initial)
		return -EPERM;
	return (u32)setup.gsi < NR_PIRQS ? 0 : -EINVAL;
}

/* Nothing remembers what was mapped: a line is known by its own number. */
static long unmap_pirq(gva_t arg)
{
	struct physdev_unmap_pirq unmap;

	if (copy_from_guest(&unmap, arg, sizeof(unmap)))
		return -EFAULT;
	if (!current->domain->config.initial || unmap.domid != DOMID_SELF)
		return -EPERM;
	return (u32)unmap.pirq < NR_PIRQS ? 0 : -EINVAL;
}

/* ---- That a guest has dealt with an interrupt; there never was one ---- */

static long eoi(gva_t arg)
{
	struct domain *d = current->domain;
	struct physdev_eoi done;
	u32 port;

	if (copy_from_guest(&done, arg, sizeof(done)))
		return -EFAULT;
	port = evtchn_of_pirq(d, done.irq);
	if (!port)
		return -EINVAL;
	return READ_ONCE(d->arch.pv.eoi_unmasks) ? evtchn_unmask(d, port) : 0;
}

/* Version 1 also changes what PHYSDEVOP_eoi does. Of either there is one a domain. */
static long register_eoi_page(gva_t arg, bool unmasks)
{
	struct domain *d = current->domain;
	struct physdev_pirq_eoi_gmfn reg;
	struct page *pg, *none = NULL;
	int ret;

	if (copy_from_guest(&reg, arg, sizeof(reg)))
		return -EFAULT;
	ret = pv_get_writable(d, reg.gmfn, &pg);
	if (ret)
		return ret;
	if (!__atomic_compare_exchange_n(&d->arch.pv.eoi_page, &none, pg, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST)) {
		pv_put_writable(pg);
		return -EBUSY;
	}
	memset(mfn_to_virt(page_to_mfn(pg)), 0, PAGE_SIZE);
	if (unmasks)
		WRITE_ONCE(d->arch.pv.eoi_unmasks, true);
	return 0;
}

void pv_drop_eoi_page(struct domain *d)
{
	if (d->arch.pv.eoi_page)
		pv_put_writable(d->arch.pv.eoi_page);
	d->arch.pv.eoi_page = NULL;
}

static long irq_status_query(gva_t arg)
{
	struct physdev_irq_status_query query;

	if (copy_from_guest(&query, arg, sizeof(query)))
		return -EFAULT;
	if (query.irq >= NR_PIRQS)
		return -EINVAL;
	query.flags = XENIRQSTAT_needs_eoi;
	return copy_to_guest(arg, &query, sizeof(query)) ? -EFAULT : 0;
}

/* Virtual I/O privilege and permission of ports; the initial domain's interrupt lines, with nothing on them; no device. */
long do_physdev_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
		   unsigned long a5)
{
	long ret;

	switch (cmd) {
	case PHYSDEVOP_set_iopl:
		return set_iopl(_gva(arg));
	case PHYSDEVOP_set_iobitmap:
		return pv_set_io_bitmap(current, _gva(arg));
	case PHYSDEVOP_alloc_irq_vector:
		return alloc_irq_vector(_gva(arg));
	case PHYSDEVOP_map_pirq:
		return map_pirq(_gva(arg));
	case PHYSDEVOP_setup_gsi:
		return setup_gsi(_gva(arg));
	case PHYSDEVOP_unmap_pirq:
		return unmap_pirq(_gva(arg));
	case PHYSDEVOP_eoi:
		return eoi(_gva(arg));
	case PHYSDEVOP_pirq_eoi_gmfn_v1:
	case PHYSDEVOP_pirq_eoi_gmfn_v2:
		ret = register_eoi_page(_gva(arg), cmd == PHYSDEVOP_pirq_eoi_gmfn_v1);
		return ret == -ERESTART
			       ? hypercall_continue(__HYPERVISOR_physdev_op, cmd, arg, 0, 0, 0)
			       : ret;
	case PHYSDEVOP_irq_status_query:
		return irq_status_query(_gva(arg));
	case PHYSDEVOP_apic_read: /* no IO-APIC's registers are at any address */
	case PHYSDEVOP_apic_write:
		return current->domain->config.initial ? -EINVAL : -EPERM;
	case PHYSDEVOP_get_free_pirq: /* the lines have their numbers, and there are no others */
		return -ENOSPC;
	case PHYSDEVOP_manage_pci_add: /* there is no PCI */
	case PHYSDEVOP_manage_pci_remove:
	case PHYSDEVOP_manage_pci_add_ext:
	case PHYSDEVOP_pci_mmcfg_reserved:
	case PHYSDEVOP_pci_device_add:
	case PHYSDEVOP_pci_device_remove:
	case PHYSDEVOP_restore_msi:
	case PHYSDEVOP_restore_msi_ext:
	case PHYSDEVOP_prepare_msix:
	case PHYSDEVOP_release_msix:
	case PHYSDEVOP_dbgp_op:
		return current->domain->config.initial ? -ENODEV : -EPERM;
	default:
		return hypercall_unknown();
	}
}
