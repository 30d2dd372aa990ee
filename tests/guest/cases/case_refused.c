// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What there is nothing to do for, or is for others to do: the answers must be those that a kernel
 * expects, and not just that there is no such operation.
 */
#define __XEN_TOOLS__ /* for whom the public headers have some of them */
#include "tiny_case.h"

#include <xen/memory.h>
#include <xen/physdev.h>

#define NOWHERE ((void *)0x123456789000)
#define LINE 9 /* that of ACPI */

static long memory_op(unsigned int op, const void *arg)
{
	return hypercall2(__HYPERVISOR_memory_op, op, (uint64_t)arg);
}

static long physdev_op(unsigned int op, const void *arg)
{
	return hypercall2(__HYPERVISOR_physdev_op, op, (uint64_t)arg);
}

static bool privileged(void)
{
	return tiny_start_info->flags & SIF_PRIVILEGED;
}

TINY_TEST(refused_maximum, "refused.maximum-gpfn",
	  "the last frame is the one that the guest itself says")
{
	domid_t self = DOMID_SELF, nobody = 4711;
	unsigned long before = tiny_shared->arch.max_pfn;

	tiny_shared->arch.max_pfn = 0;
	EXPECT_EQ(memory_op(XENMEM_maximum_gpfn, &self), 0);
	tiny_shared->arch.max_pfn = 1234;
	EXPECT_EQ(memory_op(XENMEM_maximum_gpfn, &self), 1233);
	EXPECT_EQ(memory_op(XENMEM_maximum_gpfn, &nobody), -XEN_ESRCH);
	EXPECT_EQ(memory_op(XENMEM_maximum_gpfn, NOWHERE), -XEN_EFAULT);
	tiny_shared->arch.max_pfn = before;
}

static long claim(domid_t id, unsigned long pages, unsigned int order)
{
	struct xen_memory_reservation op = { .nr_extents = pages,
					     .domid = id,
					     .extent_order = order };

	return memory_op(XENMEM_claim_pages, &op);
}

TINY_TEST(refused_claim, "refused.claim",
	  "memory is set aside for whom there is enough, if a toolstack asks")
{
	EXPECT_EQ(memory_op(XENMEM_claim_pages, NOWHERE), -XEN_EFAULT);
	EXPECT_EQ(claim(0, 1, 1), -XEN_EINVAL);
	EXPECT_EQ(claim(DOMID_SELF, 0, 0), -XEN_EINVAL);
	EXPECT_EQ(claim(4711, 0, 0), -XEN_EINVAL);
	if (!privileged()) /* whoever is domain 0, if there is one */
		return;
	EXPECT_EQ(claim(0, 0, 0), 0);
	EXPECT_EQ(claim(0, 1, 0), -XEN_EINVAL); /* it has more than that */
	EXPECT_EQ(claim(0, 1000000000, 0), -XEN_ENOMEM);
}

TINY_TEST(refused_physmap, "refused.physmap",
	  "a PV guest has no map of its frames to be changed for it")
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = XENMAPSPACE_shared_info,
					  .gpfn = 50 };

	struct xen_add_to_physmap_batch batch = { .domid = DOMID_SELF,
						  .space = XENMAPSPACE_shared_info };
	struct xen_remove_from_physmap away = { .domid = DOMID_SELF,
						.gpfn = pfn_to_mfn(pfn(50)).n };

	EXPECT_EQ(memory_op(XENMEM_add_to_physmap, &add), -XEN_EACCES);
	EXPECT_EQ(memory_op(XENMEM_add_to_physmap_batch, &batch), -XEN_EACCES);
	EXPECT_EQ(memory_op(XENMEM_remove_from_physmap, &away), -XEN_EACCES);
}

TINY_TEST(refused_memory, "refused.memory",
	  "populate on demand, NUMA nodes, 32-bit tables: none of these here")
{
	struct xen_vnuma_topology_info nodes = { .domid = DOMID_SELF };
	struct xen_pod_target pod = { .domid = DOMID_SELF };
	struct xen_reserved_device_memory_map map = { .nr_entries = 0 };
	struct xen_mem_acquire_resource resource = { .domid = 0 };

	EXPECT_EQ(memory_op(XENMEM_get_vnumainfo, &nodes), -XEN_EOPNOTSUPP);
	EXPECT_EQ(memory_op(XENMEM_machphys_compat_mfn_list, NOWHERE), -XEN_EOPNOTSUPP);
	EXPECT_EQ(memory_op(XENMEM_get_pod_target, &pod), privileged() ? -XEN_EINVAL : -XEN_EPERM);
	EXPECT_EQ(memory_op(XENMEM_set_pod_target, &pod), privileged() ? -XEN_EINVAL : -XEN_EPERM);
	EXPECT_EQ(memory_op(XENMEM_reserved_device_memory_map, &map), 0);
	EXPECT_EQ(map.nr_entries, 0);
	map.flags = 0x80;
	EXPECT_EQ(memory_op(XENMEM_reserved_device_memory_map, &map), -XEN_EINVAL);
	EXPECT_EQ(memory_op(XENMEM_reserved_device_memory_map, NOWHERE), -XEN_EFAULT);
	EXPECT_EQ(memory_op(XENMEM_acquire_resource, &resource), -XEN_EPERM);
}

TINY_TEST(refused_fifo, "refused.fifo",
	  "without the third kind of event channels its operations do nothing")
{
	evtchn_expand_array_t expand = { .array_gfn = 0 };
	evtchn_set_priority_t priority = { .port = 1 };

	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_expand_array, &expand), -XEN_EOPNOTSUPP);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_set_priority, &priority), -XEN_ENOSYS);
}

static long bind_line(unsigned int line, unsigned int *port)
{
	evtchn_bind_pirq_t bind = { .pirq = line };
	long rc = hv_event_channel_op(EVTCHNOP_bind_pirq, &bind);

	*port = bind.port;
	return rc;
}

static long map_line(unsigned int line)
{
	physdev_map_pirq_t map = { .domid = DOMID_SELF,
				   .type = MAP_PIRQ_TYPE_GSI,
				   .index = (int)line,
				   .pirq = (int)line };

	return physdev_op(PHYSDEVOP_map_pirq, &map);
}

static long eoi(unsigned int line)
{
	physdev_eoi_t op = { .irq = line };

	return physdev_op(PHYSDEVOP_eoi, &op);
}

TINY_TEST(refused_line, "refused.line",
	  "an interrupt line has one port, and is answered while it has")
{
	physdev_irq_status_query_t query = { .irq = LINE };
	evtchn_close_t close = { .port = 0 };
	unsigned int port;

	EXPECT_EQ(bind_line(12345, &port), -XEN_EINVAL);
	EXPECT_EQ(eoi(LINE), -XEN_EINVAL);
	EXPECT_EQ(eoi(12345), -XEN_EINVAL);
	EXPECT_EQ(physdev_op(PHYSDEVOP_eoi, NOWHERE), -XEN_EFAULT);
	SKIP_IF(!privileged(), "only the initial domain has lines");
	REQUIRE_EQ(map_line(LINE), 0);
	REQUIRE_EQ(bind_line(LINE, &close.port), 0);
	EXPECT_EQ(bind_line(LINE, &port), -XEN_EEXIST);
	EXPECT_EQ(physdev_op(PHYSDEVOP_irq_status_query, &query), 0);
	EXPECT_EQ(query.flags, XENIRQSTAT_needs_eoi);
	EXPECT_EQ(eoi(LINE), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_close, &close), 0);
	REQUIRE_EQ(bind_line(LINE, &close.port), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_close, &close), 0);
	query.irq = 12345;
	EXPECT_EQ(physdev_op(PHYSDEVOP_irq_status_query, &query), -XEN_EINVAL);
}

static long register_eoi_page(unsigned int op, uint64_t gmfn)
{
	physdev_pirq_eoi_gmfn_t reg = { .gmfn = gmfn };

	return physdev_op(op, &reg);
}

static long extended(unsigned int command, const void *page)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = virt_to_mfn(page).n };

	return hv_mmuext_op(&op, 1, NULL);
}

TINY_TEST(refused_eoi_page, "refused.eoi-page",
	  "the page that says which lines want an answer is the guest's, and there is one")
{
	static uint64_t first[PAGE_SIZE / 8] __page_aligned, second[PAGE_SIZE / 8] __page_aligned;
	uint64_t *table = page_alloc();
	unsigned int word;

	EXPECT_EQ(physdev_op(PHYSDEVOP_pirq_eoi_gmfn_v2, NOWHERE), -XEN_EFAULT);
	EXPECT_EQ(register_eoi_page(PHYSDEVOP_pirq_eoi_gmfn_v2, 1UL << 40), -XEN_EINVAL);
	REQUIRE_EQ(page_set_readonly(table), 0);
	REQUIRE_EQ(extended(MMUEXT_PIN_L1_TABLE, table), 0);
	EXPECT_EQ(register_eoi_page(PHYSDEVOP_pirq_eoi_gmfn_v1, virt_to_mfn(table).n), -XEN_EINVAL);
	EXPECT_EQ(extended(MMUEXT_UNPIN_TABLE, table), 0);
	REQUIRE_EQ(register_eoi_page(PHYSDEVOP_pirq_eoi_gmfn_v2, virt_to_mfn(first).n), 0);
	EXPECT_EQ(register_eoi_page(PHYSDEVOP_pirq_eoi_gmfn_v2, virt_to_mfn(second).n), -XEN_EBUSY);
	EXPECT_EQ(register_eoi_page(PHYSDEVOP_pirq_eoi_gmfn_v1, virt_to_mfn(first).n), -XEN_EBUSY);
	for (word = 0; word < ARRAY_SIZE(first); word++)
		EXPECT_EQ(first[word], 0);
	/* The hypervisor may write there from now on: it is no page table any more. */
	REQUIRE_EQ(page_set_readonly(first), 0);
	EXPECT(extended(MMUEXT_PIN_L1_TABLE, first) != 0);
	EXPECT_EQ(page_set_writable(first), 0);
	EXPECT_EQ(page_set_writable(table), 0);
	page_free(table);
}

TINY_TEST(refused_devices, "refused.devices",
	  "devices there are none of are not added or removed, whoever asks")
{
	static uint8_t zeros[64];

	if (!privileged()) {
		EXPECT_EQ(physdev_op(PHYSDEVOP_pci_device_add, zeros), -XEN_EPERM);
		EXPECT_EQ(physdev_op(PHYSDEVOP_apic_read, zeros), -XEN_EPERM);
		EXPECT_EQ(physdev_op(PHYSDEVOP_restore_msi, zeros), -XEN_EPERM);
		return;
	}
	EXPECT_EQ(physdev_op(PHYSDEVOP_apic_read, zeros), -XEN_EINVAL);
	EXPECT_EQ(physdev_op(PHYSDEVOP_apic_write, zeros), -XEN_EINVAL);
	zeros[0] = 0xff; /* a bus that is not there on Xen's machine either */
	EXPECT_EQ(physdev_op(PHYSDEVOP_restore_msi, zeros), -XEN_ENODEV);
	EXPECT_EQ(physdev_op(PHYSDEVOP_pci_mmcfg_reserved, zeros), -XEN_ENODEV);
	EXPECT_EQ(physdev_op(PHYSDEVOP_restore_msi_ext, zeros), -XEN_ENODEV);
	EXPECT_EQ(physdev_op(PHYSDEVOP_prepare_msix, zeros), -XEN_ENODEV);
}
