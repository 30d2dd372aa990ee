// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory_op: questions about memory, and on to reservations. A guest asks early for the extent of
 * the machine-to-physical table, for its own size, and for a memory map.
 */
#define __XEN_TOOLS__ /* for the public headers: XENMEM_sharing_op */
#include <tine/arch.h>
#include <tine/bootmem.h>
#include <tine/hypercall.h>
#include <tine/vcpu.h>
#include <asm/abi.h>
#include <xen/memory.h>
#include "internal.h"
#include "reservation.h"

#define E820_RAM 1
#define DOMAIN_REGIONS 4

/* As public headers describe an entry: packed. */
struct e820_entry {
	u64 addr, size;
	u32 type;
} __packed;

static long machphys_mapping(gva_t arg)
{
	unsigned long end = mfn_x(bootmem_end_of_ram());
	struct xen_machphys_mapping map = {
		.v_start = ABI_MACHPHYS_START,
		.v_end = ABI_MACHPHYS_START + end * sizeof(u64),
		.max_mfn = end - 1,
	};

	if (!ABI_MACHPHYS_START)
		return -ENOSYS;
	return copy_to_guest(arg, &map, sizeof(map));
}

/* Of which domain? Only of itself, unless the caller is the initial domain. */
static long reservation(gva_t arg, bool maximum)
{
	struct domain *self = current->domain, *d;
	domid_t id;
	long pages;

	if (copy_from_guest(&id, arg, sizeof(id)))
		return -EFAULT;
	d = domain_get(id);
	if (!d)
		return -ESRCH;
	pages = (long)(maximum ? d->max_pages : d->nr_pages);
	if (d != self && !self->config.initial)
		pages = -EPERM;
	domain_put(d);
	return pages;
}

static u32 e820_type(enum mem_type type)
{
	static const u8 types[] = {
		[MEM_RAM] = E820_RAM, [MEM_RESERVED] = 2, [MEM_ACPI] = 3,
		[MEM_NVS] = 4,        [MEM_UNUSABLE] = 5, [MEM_PERSISTENT] = 7,
	};

	return types[type];
}

/* Entries that do not fit are left out, as on Xen. */
static long give_map(gva_t arg, const struct mem_region *regions, unsigned int count)
{
	struct xen_memory_map map;
	unsigned int i, n;

	if (copy_from_guest(&map, arg, sizeof(map)))
		return -EFAULT;
	n = min(map.nr_entries, count);
	for (i = 0; i < n; i++) {
		const struct mem_region *r = &regions[i];
		struct e820_entry entry = { paddr_x(r->start), paddr_x(r->end) - paddr_x(r->start),
					    e820_type(r->type) };

		if (copy_to_guest(_gva((unsigned long)map.buffer.p + i * sizeof(entry)), &entry,
				  sizeof(entry)))
			return -EFAULT;
	}
	map.nr_entries = n;
	return copy_to_guest(arg, &map, sizeof(map));
}

static long memory_map(gva_t arg)
{
	struct mem_region regions[DOMAIN_REGIONS];
	struct xen_memory_map map;

	if (copy_from_guest(&map, arg, sizeof(map)))
		return -EFAULT;
	if (!map.nr_entries)
		return -EINVAL;
	return give_map(arg, regions, arch_memory_map(current->domain, regions, DOMAIN_REGIONS));
}

/* The machine's own map, for who drives its devices. */
static long machine_memory_map(gva_t arg)
{
	if (!current->domain->config.initial)
		return -EPERM;
	return give_map(arg, boot_info.regions, boot_info.nr_regions);
}

/* Where RAM ends in the map of a guest whose memory is translated. */
static unsigned long frames_of_map(const struct domain *d)
{
	struct mem_region regions[DOMAIN_REGIONS];
	unsigned int n = arch_memory_map(d, regions, DOMAIN_REGIONS);
	unsigned long end = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (regions[i].type == MEM_RAM)
			end = max(end, paddr_x(regions[i].end));
	}
	return end >> PAGE_SHIFT;
}

/* The last frame in a guest's own counting. */
static long maximum_gpfn(gva_t arg)
{
	struct domain *d;
	unsigned long pfns;
	domid_t id;

	if (copy_from_guest(&id, arg, sizeof(id)))
		return -EFAULT;
	d = domain_get(id);
	if (!d)
		return -ESRCH;
	if (d != current->domain && !current->domain->config.initial) {
		domain_put(d);
		return -EPERM;
	}
	pfns = d->config.type == DOMAIN_PV ? shared_info_pfns(d->shared_info) : frames_of_map(d);
	domain_put(d);
	return pfns ? (long)pfns - 1 : 0;
}

/*
 * Memory set aside for a domain that a toolstack is about to fill. There is none to do it, so
 * nothing is set aside: the caller is told so, or that it holds no claim.
 */
static long claim_pages(unsigned long cmd, gva_t arg)
{
	xen_memory_reservation_t claim;
	struct domain *d;
	long ret = -EPERM;

	if (cmd & ~MEMORY_OP_MASK)
		return -EINVAL;
	if (copy_from_guest(&claim, arg, sizeof(claim)))
		return -EFAULT;
	if (claim.extent_start.p || claim.extent_order || claim.mem_flags)
		return -EINVAL;
	d = claim.domid == DOMID_SELF ? NULL : domain_get(claim.domid);
	if (!d)
		return -EINVAL;
	if (current->domain->config.initial) {
		ret = claim.nr_extents ? -ENOMEM : 0;
		if (claim.nr_extents && claim.nr_extents <= READ_ONCE(d->nr_pages))
			ret = -EINVAL;
	}
	domain_put(d);
	return ret;
}

/* Frames that devices need where they are: there is no translation of devices' addresses, and so none. */
static long device_memory_map(gva_t arg)
{
	struct xen_reserved_device_memory_map map;

	if (copy_from_guest(&map, arg, sizeof(map)))
		return -EFAULT;
	if (map.flags & ~(u32)XENMEM_RDM_ALL)
		return -EINVAL;
	map.nr_entries = 0;
	return copy_to_guest(arg, &map, sizeof(map)) ? -EFAULT : 0;
}

static long change_reservation(unsigned long cmd, gva_t at)
{
	bool exchange = (cmd & MEMORY_OP_MASK) == XENMEM_exchange;

	if (current->domain->config.type == DOMAIN_PV)
		return exchange ? reservation_exchange(at) : reservation_change(cmd, at);
	/* Machine numbers, which exchange is about, mean nothing to the others. */
	return exchange ? -EOPNOTSUPP : physmap_reservation(cmd, at);
}

long do_memory_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
		  unsigned long a5)
{
	gva_t at = _gva(arg);

	switch (cmd & MEMORY_OP_MASK) {
	case XENMEM_increase_reservation:
	case XENMEM_decrease_reservation:
	case XENMEM_populate_physmap:
	case XENMEM_exchange:
		return change_reservation(cmd, at);
	case XENMEM_add_to_physmap:
		return physmap_add(at);
	case XENMEM_add_to_physmap_batch:
		return physmap_add_batch(cmd, at);
	case XENMEM_remove_from_physmap:
		return physmap_remove(at);
	case XENMEM_maximum_ram_page:
		return (long)mfn_x(bootmem_end_of_ram()) - 1;
	case XENMEM_current_reservation:
		return reservation(at, false);
	case XENMEM_maximum_reservation:
		return reservation(at, true);
	case XENMEM_memory_map:
		return memory_map(at);
	case XENMEM_machine_memory_map:
		return machine_memory_map(at);
	case XENMEM_machphys_mapping:
		return machphys_mapping(at);
	case XENMEM_maximum_gpfn:
		return maximum_gpfn(at);
	case XENMEM_claim_pages:
		return claim_pages(cmd, at);
	case XENMEM_reserved_device_memory_map:
		return device_memory_map(at);
	case XENMEM_acquire_resource: /* of other domains, for who emulates their devices */
	case XENMEM_access_op:
		return -EPERM;
	case XENMEM_set_pod_target: /* no domain is populated on demand */
	case XENMEM_get_pod_target:
		return current->domain->config.initial ? -EINVAL : -EPERM;
	case XENMEM_machphys_compat_mfn_list: /* no 32-bit guests */
	case XENMEM_get_vnumainfo:            /* guests have one node */
		return -EOPNOTSUPP;
	case XENMEM_sharing_op:
		return sharing_op(at);
	default:
		return hypercall_unknown();
	}
}
