// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attacks with frames that come and go: victims are given up, mapped or not, pinned or not, and
 * replaced by others; they are granted, to this domain itself and to others, by entries of all
 * kinds, mapped by grant, copied, and withdrawn by handles that are right, wrong or long gone.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"

#include <xen/grant_table.h>

#define ENTRIES 64
#define HANDLES 64

static grant_entry_v1_t table[PAGE_SIZE / sizeof(grant_entry_v1_t)] __page_aligned;
static bool table_mapped;
static gnttab_unmap_grant_ref_t recent[16]; /* how what was mapped last is unmapped */

/* ---- Reservations ---- */

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
	attack_forget_pin(page);
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
	attack_own(mfn(out));
	((uint64_t *)tiny_start_info->mfn_list)[virt_to_pfn(page).n] = out;
	attack_forget_pin(page);
}

/* ---- Grants ---- */

/* This one mostly: the initial domain, or else the first that was configured. */
static domid_t domain(struct attacker *a)
{
	if (attack_chance(a, 6))
		return (domid_t)attack_random(a, 4);
	return tiny_start_info->flags & SIF_INITDOMAIN ? 0 : 1;
}

/* The first frame of the table, at a page of our own. */
static void map_table(struct attacker *a)
{
	uint64_t frame = 0;
	gnttab_setup_table_t setup = { .dom = DOMID_SELF, .nr_frames = 1 };
	uint64_t args[5] = { GNTTABOP_setup_table, (uint64_t)&setup, 1 };

	set_xen_guest_handle(setup.frame_list, &frame);
	if (attack_call(a, __HYPERVISOR_grant_table_op, args) || setup.status)
		return;
	table_mapped = !page_map(table, make_pte(mfn(frame), PTE_KERNEL_RW));
}

static void write_entries(struct attacker *a)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		grant_entry_v1_t *e = &table[attack_random(a, ENTRIES)];

		e->frame = (uint32_t)attack_frame(a, false).n;
		e->domid = domain(a);
		e->flags = attack_chance(a, 4)
				   ? (uint16_t)attack_random(a, 65536)
				   : (uint16_t)(GTF_permit_access |
						(attack_chance(a, 2) ? GTF_readonly : 0));
	}
}

static uint64_t host_address(struct attacker *a, uint32_t flags)
{
	if (attack_chance(a, 16))
		return 0xffff800000000000 + attack_random(a, 1ul << 43);
	if (attack_chance(a, 16))
		return (attack_forbidden_frame(a).n << PAGE_SHIFT) + attack_random(a, 512) * 8;
	if (flags & GNTMAP_contains_pte)
		return virt_to_machine(attack_victim(a)) + attack_random(a, 6) * 101 % 512 * 8;
	return (uint64_t)attack_victim(a);
}

static void map_grant(struct attacker *a)
{
	gnttab_map_grant_ref_t op = {
		.flags = GNTMAP_host_map | (attack_chance(a, 2) ? GNTMAP_readonly : 0),
		.ref = (uint32_t)attack_random(a, ENTRIES + 4),
		.dom = domain(a),
	};
	uint64_t args[5] = { GNTTABOP_map_grant_ref, (uint64_t)&op, 1 };

	if (attack_chance(a, 3))
		op.flags |= GNTMAP_contains_pte;
	if (attack_chance(a, 16))
		op.flags = (uint32_t)attack_value(a);
	op.host_addr = host_address(a, op.flags);
	op.status = GNTST_general_error;
	attack_call(a, __HYPERVISOR_grant_table_op, args);
	if (op.status != GNTST_okay)
		return;
	recent[a->granted++ % ARRAY_SIZE(recent)] = (gnttab_unmap_grant_ref_t){
		.host_addr = op.host_addr,
		.handle = op.handle,
	};
}

static void unmap_grant(struct attacker *a)
{
	gnttab_unmap_grant_ref_t ops[4];
	uint64_t args[5] = { GNTTABOP_unmap_grant_ref, (uint64_t)ops, ARRAY_SIZE(ops) };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		ops[i] = (gnttab_unmap_grant_ref_t){
			.host_addr = host_address(a, attack_chance(a, 3) ? GNTMAP_contains_pte : 0),
			.handle = (grant_handle_t)attack_random(a, HANDLES),
		};
		if (attack_chance(a, 8))
			ops[i].handle = (grant_handle_t)attack_value(a);
		if (attack_chance(a, 4))
			ops[i] = recent[attack_random(a, ARRAY_SIZE(recent))];
		ops[i].status = GNTST_general_error;
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		a->withdrawn += ops[i].status == GNTST_okay;
}

static void copy_grant(struct attacker *a)
{
	gnttab_copy_t op = {
		.source.domid = domain(a),
		.dest.domid = attack_chance(a, 2) ? DOMID_SELF : domain(a),
		.source.offset = (uint16_t)attack_random(a, 5000),
		.dest.offset = (uint16_t)attack_random(a, 5000),
		.len = (uint16_t)attack_random(a, attack_chance(a, 2) ? 65536 : 64),
		.flags = (uint16_t)attack_random(a, 4),
	};
	uint64_t args[5] = { GNTTABOP_copy, (uint64_t)&op, 1 };

	if (attack_chance(a, 2)) {
		op.source.offset %= PAGE_SIZE - 64;
		op.dest.offset %= PAGE_SIZE - 64;
		op.len %= 64;
	}
	op.source.u.gmfn = attack_frame(a, true).n;
	op.dest.u.gmfn = attack_frame(a, false).n;
	if (op.flags & GNTCOPY_source_gref)
		op.source.u.ref = (grant_ref_t)attack_random(a, ENTRIES);
	if (op.flags & GNTCOPY_dest_gref)
		op.dest.u.ref = (grant_ref_t)attack_random(a, ENTRIES);
	op.status = GNTST_general_error;
	attack_call(a, __HYPERVISOR_grant_table_op, args);
	a->copied += op.status == GNTST_okay;
}

static void change_table(struct attacker *a)
{
	gnttab_set_version_t version = { .version = (uint32_t)attack_random(a, 4) };
	uint64_t frames[80];
	gnttab_setup_table_t setup = { .dom = DOMID_SELF,
				       .nr_frames = (uint32_t)attack_random(a, 70) };
	uint64_t args[5] = { GNTTABOP_set_version, (uint64_t)&version, 1 };

	if (attack_chance(a, 2)) {
		set_xen_guest_handle(setup.frame_list, frames);
		args[0] = GNTTABOP_setup_table;
		args[1] = (uint64_t)&setup;
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

void attack_memory(struct attacker *a)
{
	switch (attack_random(a, 9)) {
	case 0:
		give_up(a);
		break;
	case 1:
		give_up_wrong(a);
		break;
	case 2:
		exchange(a);
		break;
	case 3:
		if (attack_chance(a, 8))
			change_table(a);
		break;
	case 4:
		copy_grant(a);
		break;
	case 5:
		unmap_grant(a);
		break;
	case 6:
		map_grant(a);
		break;
	default:
		if (!table_mapped)
			map_table(a);
		else
			write_entries(a);
		break;
	}
}
