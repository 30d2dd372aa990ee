// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attacks with frames that come and go: victims are given up, mapped or not, pinned or not, once or
 * twice, and replaced by others.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"

static long reservation(struct attacker *a, unsigned int op, uint64_t *frame, unsigned int order)
{
	xen_memory_reservation_t r = { .nr_extents = 1,
				       .extent_order = order,
				       .domid = DOMID_SELF };
	uint64_t args[5] = { op, (uint64_t)&r };

	set_xen_guest_handle(r.extent_start, (xen_pfn_t *)frame);
	return attack_call(a, __HYPERVISOR_memory_op, args);
}

/* The page has another frame from now on, or for want of one the old number of what is not its any more. */
static void replace(struct attacker *a, char *page)
{
	pfn_t pfn = virt_to_pfn(page);
	uint64_t frame = pfn.n;

	if (reservation(a, XENMEM_populate_physmap, &frame, 0) != 1)
		return;
	a->got++;
	attack_own(mfn(frame));
	((uint64_t *)tiny_start_info->mfn_list)[pfn.n] = frame;
}

static void give_up(struct attacker *a)
{
	char *page = attack_victim(a);
	uint64_t frame = virt_to_mfn(page).n;
	uint64_t args[5] = { (uint64_t)page, 0, UVMF_NONE };

	if (attack_chance(a, 2))
		attack_call(a, __HYPERVISOR_update_va_mapping, args);
	if (reservation(a, XENMEM_decrease_reservation, &frame, 0) != 1)
		return;
	a->given_up++;
	attack_forget_pin(
		mfn(frame)); /* it went with that, also if the frame stays for a mapping's sake */
	if (attack_chance(a, 4) && reservation(a, XENMEM_decrease_reservation, &frame, 0) == 1 &&
	    a->alone)
		tiny_fail("attack: frame %lx was given up twice", frame);
	replace(a, page);
}

static void give_up_wrong(struct attacker *a)
{
	uint64_t frame = attack_chance(a, 2) ? attack_forbidden_frame(a).n
					     : tiny_start_info->shared_info >> PAGE_SHIFT;

	if (reservation(a, XENMEM_decrease_reservation, &frame,
			(unsigned int)attack_random(a, 30)) > 0)
		tiny_fail("attack: frame %lx was given up", frame);
}

static void exchange(struct attacker *a)
{
	char *page = attack_victim(a);
	uint64_t in = virt_to_mfn(page).n, out = virt_to_pfn(page).n;
	uint64_t nowhere =
		0xffff820000000000; /* where a list of several would run on into the stack */
	xen_memory_exchange_t x = {
		.in = { .nr_extents = 1, .domid = DOMID_SELF },
		.out = { .nr_extents = 1, .domid = DOMID_SELF },
	};
	uint64_t args[5] = { XENMEM_exchange, (uint64_t)&x };

	set_xen_guest_handle(x.in.extent_start, (xen_pfn_t *)&in);
	set_xen_guest_handle(x.out.extent_start, (xen_pfn_t *)&out);
	switch (attack_random(a, 6)) {
	case 0:
		x.in.nr_extents = attack_value(a);
		x.out.nr_extents = attack_value(a);
		x.in.extent_order = (unsigned int)attack_random(a, 70);
		set_xen_guest_handle(x.in.extent_start, (xen_pfn_t *)nowhere);
		break;
	case 1:
		x.nr_exchanged = attack_value(a);
		break;
	case 2:
		x.out.mem_flags = (unsigned int)attack_value(a);
		break;
	}
	attack_call(a, __HYPERVISOR_memory_op, args);
	if (x.nr_exchanged != 1 || out == virt_to_pfn(page).n)
		return;
	a->exchanged++;
	attack_forget_pin(virt_to_mfn(page));
	attack_own(mfn(out));
	((uint64_t *)tiny_start_info->mfn_list)[virt_to_pfn(page).n] = out;
}

void attack_memory(struct attacker *a)
{
	switch (attack_random(a, 4)) {
	case 0:
		give_up_wrong(a);
		break;
	case 1:
		exchange(a);
		break;
	default:
		give_up(a);
		break;
	}
}
