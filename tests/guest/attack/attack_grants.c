// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grants under attack: the guest grants to itself what it has and has not, maps it over its victims
 * while other vCPUs change entries, page tables and the table's version, copies to and fro, and
 * ends mappings that are not or no longer there.
 */
#include "tiny_attack.h"
#include "tiny_grant.h"
#include "tiny_lib.h"
#include "tinypv.h"

#define REFS 48 /* in play */
#define HANDLES 200
#define LIST 6

static volatile grant_entry_v1_t *table;
static domid_t self;
static uint64_t
	entries[VICTIMS]; /* the machine address of each victim's entry: the M2P is in play later */

void attack_grants_init(void)
{
	unsigned int i;

	table = grant_entries();
	self = own_domain_id();
	for (i = 0; i < VICTIMS; i++)
		entries[i] = virt_to_machine(pte_of(attack_victims[i], 1));
}

static domid_t domain(struct attacker *a)
{
	static const domid_t odd[] = { 0,     1, 2, DOMID_SELF, DOMID_IO, DOMID_XEN, DOMID_INVALID,
				       0xffff };

	return attack_chance(a, 12) ? odd[attack_random(a, ARRAY_SIZE(odd))] : self;
}

static grant_ref_t reference(struct attacker *a)
{
	return attack_chance(a, 40) ? (grant_ref_t)attack_value(a)
				    : (grant_ref_t)(GRANT_FIRST_FREE + attack_random(a, REFS));
}

/*
 * In the form of version 1 or 2, whichever is in force. Words are stored whole, and no part of one
 * makes a frame when it is read in the other form: it could be one that the guest lives on.
 */
static void change_entry(struct attacker *a)
{
	volatile uint64_t *words = (volatile uint64_t *)table;
	uint64_t at = GRANT_FIRST_FREE + attack_random(a, REFS), frame = attack_frame(a, false).n;
	uint64_t header = GTF_permit_access;

	if (attack_chance(a, 3))
		header |= GTF_readonly;
	if (attack_chance(a, 8))
		header = attack_random(a, 0x10000);
	header |= (uint64_t)domain(a) << 16;
	if (attack_chance(a, 2)) {
		words[at] = header | (frame ? frame << 32 : 1ul << 32);
	} else {
		words[2 * at + 1] = frame;
		words[2 * at] = header;
	}
}

/*
 * Where a mapping is to go: a victim's address, its entry, or where there can be none. Never over
 * what the guest needs.
 */
static uint64_t place(struct attacker *a, bool entry)
{
	uint64_t victim = attack_random(a, VICTIMS);

	if (attack_chance(a, 10))
		return attack_chance(a, 2) ? 0xffff800000000000 + attack_random(a, 1ul << 43)
					   : attack_random(a, 1ul << 46);
	return entry ? entries[victim] : (uint64_t)attack_victims[victim];
}

static uint64_t list_or_nothing(struct attacker *a, void *list)
{
	return attack_chance(a, 50) ? attack_value(a) : (uint64_t)list;
}

static void map(struct attacker *a)
{
	gnttab_map_grant_ref_t list[LIST];
	uint64_t args[5] = { GNTTABOP_map_grant_ref, list_or_nothing(a, list),
			     1 + attack_random(a, LIST) };
	unsigned int i;

	for (i = 0; i < LIST; i++) {
		uint32_t flags = GNTMAP_host_map;

		if (attack_chance(a, 2))
			flags |= GNTMAP_readonly;
		if (attack_chance(a, 3))
			flags |= GNTMAP_contains_pte;
		if (attack_chance(a, 20))
			flags = (uint32_t)attack_value(a);
		list[i] = (gnttab_map_grant_ref_t){
			.host_addr = place(a, flags & GNTMAP_contains_pte),
			.flags = flags,
			.ref = reference(a),
			.dom = domain(a),
		};
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

static void unmap(struct attacker *a)
{
	gnttab_unmap_grant_ref_t list[LIST];
	uint64_t args[5] = { GNTTABOP_unmap_grant_ref, list_or_nothing(a, list),
			     1 + attack_random(a, LIST) };
	unsigned int i;

	for (i = 0; i < LIST; i++)
		list[i] = (gnttab_unmap_grant_ref_t){
			.host_addr = place(a, attack_chance(a, 3)),
			.handle = attack_chance(a, 40) ? (uint32_t)attack_value(a)
						       : (uint32_t)attack_random(a, HANDLES),
		};
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

static void side(struct attacker *a, struct gnttab_copy_ptr *ptr, bool granted, bool written)
{
	if (granted) {
		ptr->u.ref = reference(a);
		ptr->domid = domain(a);
	} else {
		ptr->u.gmfn = attack_frame(a, !written).n;
		ptr->domid = attack_chance(a, 20) ? domain(a) : DOMID_SELF;
	}
	ptr->offset = (uint16_t)(attack_chance(a, 4) ? attack_random(a, 0x10000)
						     : attack_random(a, 2048));
}

static void copy(struct attacker *a)
{
	gnttab_copy_t list[LIST];
	uint64_t args[5] = { GNTTABOP_copy, list_or_nothing(a, list), 1 + attack_random(a, LIST) };
	unsigned int i;

	for (i = 0; i < LIST; i++) {
		list[i].flags = (uint16_t)attack_random(a, 4);
		list[i].len = (uint16_t)(attack_chance(a, 4) ? attack_random(a, 0x10000)
							     : attack_random(a, 2048));
		side(a, &list[i].source, list[i].flags & GNTCOPY_source_gref, false);
		side(a, &list[i].dest, list[i].flags & GNTCOPY_dest_gref, true);
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

static void swap_or_replace(struct attacker *a)
{
	gnttab_swap_grant_ref_t swap = { .ref_a = reference(a), .ref_b = reference(a) };
	gnttab_unmap_and_replace_t replace = {
		.host_addr = place(a, false),
		.new_addr = place(a, attack_chance(a, 20)),
		.handle = (uint32_t)attack_random(a, HANDLES),
	};
	gnttab_cache_flush_t flush = {
		.a.dev_bus_addr = attack_frame(a, true).n << PAGE_SHIFT,
		.length = 64,
		.op = (uint32_t)attack_random(a, 5),
	};
	uint64_t args[5] = { GNTTABOP_swap_grant_ref, (uint64_t)&swap, 1 };

	if (attack_chance(a, 2)) {
		args[0] = GNTTABOP_unmap_and_replace;
		args[1] = (uint64_t)&replace;
	} else if (attack_chance(a, 4)) {
		args[0] = GNTTABOP_cache_flush;
		args[1] = (uint64_t)&flush;
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

static void set_up(struct attacker *a)
{
	uint64_t frames[70];
	gnttab_setup_table_t setup = { .dom = domain(a),
				       .nr_frames = (uint32_t)attack_random(a, 70) };
	gnttab_get_status_frames_t status = { .dom = domain(a),
					      .nr_frames = (uint32_t)attack_random(a, 10) };
	gnttab_set_version_t version = { .version = (uint32_t)attack_random(a, 4) };
	uint64_t args[5] = { GNTTABOP_setup_table, (uint64_t)&setup, 1 };

	setup.frame_list.p = (void *)list_or_nothing(a, frames);
	status.frame_list.p = (void *)list_or_nothing(a, frames);
	if (attack_chance(a, 3)) {
		args[0] = GNTTABOP_get_status_frames;
		args[1] = (uint64_t)&status;
	} else if (attack_chance(a, 3)) {
		args[0] = GNTTABOP_set_version;
		args[1] = (uint64_t)&version;
	}
	attack_call(a, __HYPERVISOR_grant_table_op, args);
}

void attack_grants(struct attacker *a)
{
	switch (attack_random(a, 13)) {
	case 0:
		set_up(a);
		break;
	case 9:
		swap_or_replace(a);
		break;
	case 1:
	case 2:
		copy(a);
		break;
	case 3:
	case 4:
	case 5:
		unmap(a);
		break;
	case 6:
	case 7:
	case 8:
		map(a);
		break;
	default:
		change_entry(a);
		break;
	}
}
