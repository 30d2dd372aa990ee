// SPDX-License-Identifier: GPL-2.0-or-later
/* The arm64 guest's answers to tiny_guest.h: parameters say where its rings are, and its page tables are its own. */
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinyarm.h"
#include <xen/features.h>
#include <xen/hvm/hvm_op.h>
#include <xen/hvm/params.h>
#include <xen/memory.h>

#define WINDOWS 4
#define WINDOW_PAGE 52 /* of the free addresses */

static const uint64_t bad_addresses[] = {
	0x123456789000, /* not mapped */
	0x8000000000,   /* behind all that its tables map */
	0x8,            /* mapped, but no memory */
	0xffff000000000000,
	0xffff820000000000,
	0xfffffffffffffff8, /* wraps */
	0,
};

const struct guest_kind guest_kind = { .capability = "xen-3.0-aarch64",
				       .bad_addresses = bad_addresses };
struct tiny_rings tiny_rings;

static bool taken[WINDOWS];

bool guest_is_initial(void)
{
	struct xen_feature_info info = { .submap_idx = 0 };

	return !hv_xen_version(XENVER_get_features, &info) && info.submap & 1u << XENFEAT_dom0;
}

/* With the pages of its rings, which the device tree does not count as memory. */
uint64_t guest_memory(void)
{
	domid_t self = DOMID_SELF;

	return (uint64_t)hypercall2(__HYPERVISOR_memory_op, XENMEM_maximum_reservation,
				    (uint64_t)&self) *
	       PAGE_SIZE;
}

static uint64_t parameter(unsigned int index)
{
	struct xen_hvm_param param = { .domid = DOMID_SELF, .index = index };

	return hypercall2(__HYPERVISOR_hvm_op, HVMOP_get_param, (uint64_t)&param) ? 0 : param.value;
}

void rings_init(void)
{
	if (guest_is_initial())
		return;
	tiny_rings.console = (void *)(parameter(HVM_PARAM_CONSOLE_PFN) * PAGE_SIZE);
	tiny_rings.console_port = (unsigned int)parameter(HVM_PARAM_CONSOLE_EVTCHN);
	tiny_rings.store = (void *)(parameter(HVM_PARAM_STORE_PFN) * PAGE_SIZE);
	tiny_rings.store_port = (unsigned int)parameter(HVM_PARAM_STORE_EVTCHN);
}

int page_hide(const void *page)
{
	tinyarm_protect(page, ACCESS_NONE);
	return 0;
}

int page_set_readonly(const void *page)
{
	tinyarm_protect(page, ACCESS_READ);
	return 0;
}

int page_set_writable(const void *page)
{
	tinyarm_protect(page, ACCESS_WRITE);
	return 0;
}

void *window_take(void)
{
	unsigned int i = 0;

	while (i < WINDOWS && taken[i])
		i++;
	if (i == WINDOWS)
		tiny_fail("more than %u windows", WINDOWS);
	taken[i] = true;
	return (void *)(tinyarm_machine.free + (WINDOW_PAGE + i) * PAGE_SIZE);
}

void window_give(void *window)
{
	taken[((uint64_t)window - tinyarm_machine.free) / PAGE_SIZE - WINDOW_PAGE] = false;
}

/* To look where there is nothing would be the end. Hypercalls look first: at what to send, and where to put a text. */
bool window_can_read(const void *window)
{
	return hv_event_channel_op(EVTCHNOP_send, (void *)(uint64_t)window) != -XEN_EFAULT;
}

bool window_can_write(const void *window)
{
	return hv_xen_version(XENVER_extraversion, (void *)(uint64_t)window) == 0;
}
