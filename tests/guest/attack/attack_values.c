// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an attack is made of: numbers, pointers, frames and entries that are nearly right, on the
 * edge, or nobody's.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define PTE_PAT_OR_PSE 0x080ul
#define PTE_CACHE 0x018ul
#define PTE_GLOBAL 0x100ul
#define PTE_SOFT 0x7ff0000000000e00ul
#define FIRST_HYPERVISOR_SLOT 256
#define HYPERVISOR_SLOTS 16

char *attack_victims[VICTIMS];
static const uint64_t *mapped_by[VICTIMS];

/* Frames of the guest's own, by their low bits: what hits is taken for one. */
#define OWN_BITS 65536
static uint64_t maybe_own[OWN_BITS / 64];

uint64_t attack_random(struct attacker *a, uint64_t below)
{
	a->random = a->random * 6364136223846793005ul + 1442695040888963407ul;
	return (a->random >> 24) % below;
}

void attack_own(mfn_t frame)
{
	maybe_own[frame.n % OWN_BITS / 64] |= 1ul << (frame.n % 64);
}

static bool is_own(mfn_t frame)
{
	return maybe_own[frame.n % OWN_BITS / 64] >> (frame.n % 64) & 1;
}

/* A list that begins in a victim and has more entries than anyone has memory must end before it is in what the guest lives on. */
static void end_victims(void)
{
	char *after = page_alloc();

	if (after != attack_victims[VICTIMS - 1] + PAGE_SIZE)
		tiny_fail("attack: no page after the victims");
	if (hv_update_va_mapping(after, 0, UVMF_INVLPG))
		tiny_fail("attack: the page after the victims stays");
}

void attack_values_init(void)
{
	unsigned long i;

	for (i = 0; i < tiny_start_info->nr_pages; i++)
		attack_own(pfn_to_mfn(pfn(i)));
	for (i = 0; i < VICTIMS; i++) {
		attack_victims[i] = page_alloc();
		mapped_by[i] = pte_of(attack_victims[i], 1);
	}
	end_victims();
}

char *attack_victim(struct attacker *a)
{
	return attack_victims[attack_random(a, VICTIMS)];
}

mfn_t attack_forbidden_frame(struct attacker *a)
{
	const uint64_t *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t slot;

	do
		slot = l4[FIRST_HYPERVISOR_SLOT + attack_random(a, HYPERVISOR_SLOTS)];
	while (!(slot & PTE_PRESENT));
	return mfn((slot & PTE_FRAME) >> PAGE_SHIFT);
}

static mfn_t odd_frame(struct attacker *a)
{
	static const uint64_t odd[] = { 0,       1,          0xa0,        0xb8,       0xf0,
					0xfec00, 0xfee00,    0xfffffffff, 0x10000000, 0xfd000,
					0x80000, 0x7fffffff, 0x400000000 };

	return mfn(odd[attack_random(a, ARRAY_SIZE(odd))]);
}

mfn_t attack_frame(struct attacker *a, bool readonly)
{
	const char *table;
	mfn_t frame;

	switch (attack_random(a, 20)) {
	case 0:
		return attack_forbidden_frame(a);
	case 1: /* a table that is in use */
		table = (const char *)tiny_start_info->pt_base +
			attack_random(a, tiny_start_info->nr_pt_frames) * PAGE_SIZE;
		return virt_to_mfn(table);
	case 2:
	case 3:
		frame = attack_chance(a, 2)
				? odd_frame(a)
				: mfn(attack_random(a, 1ul << (10 + attack_random(a, 16))));
		if (!is_own(frame) || readonly)
			return frame;
		break;
	case 4: /* event masks of other vCPUs, which have no handlers, are in it */
		if (a->alone || readonly)
			return mfn(tiny_start_info->shared_info >> PAGE_SHIFT);
		break;
	default:
		break;
	}
	return virt_to_mfn(attack_victim(a));
}

uint64_t attack_entry(struct attacker *a)
{
	uint64_t flags = 0;

	if (attack_chance(a, 6))
		return attack_chance(a, 2) ? 0 : attack_random(a, ~0ul) & ~PTE_PRESENT;
	flags = PTE_PRESENT;
	if (attack_chance(a, 2))
		flags |= PTE_WRITE;
	if (attack_chance(a, 2))
		flags |= PTE_USER;
	if (attack_chance(a, 4))
		flags |= PTE_ACCESSED | PTE_DIRTY;
	if (attack_chance(a, 4))
		flags |= PTE_NX;
	switch (attack_random(a, 80)) {
	case 0:
		flags |= PTE_PAT_OR_PSE;
		break;
	case 1:
		flags |= PTE_CACHE;
		break;
	case 2:
		flags |= PTE_GLOBAL;
		break;
	case 3:
		flags |= PTE_SOFT;
		break;
	case 4:
		return make_pte(mfn(attack_random(a, 1ul << 40) | 1ul << 39), flags);
	}
	return make_pte(attack_frame(a, !(flags & PTE_WRITE)), flags);
}

/* Never where the guest keeps anything that it needs and could be written. */
static uint64_t pointer(struct attacker *a)
{
	static const uint64_t edges[] = {
		0x0000800000000000, 0x00007ffffffffff8, 0x00007fffffffffff, 0xffff7ffffffffff8,
		0xffff800000000000, 0xffff803ffffffff8, 0xffff804000000000, 0xffff808000000000,
		0xffff810000000000, 0xffff818000000000, 0xffff820000000000, 0xffff87fffffffff8,
		0xffff880000000000, 0xffff87ffffffffff, 0xfffffffffffffff8, 0xffffffffffffffff,
		0x0000123456789000, 0x8000000000000000, 0x0000000000001000, 0xffff7fffffffffff,
	};

	switch (attack_random(a, 4)) {
	case 0:
		return edges[attack_random(a, ARRAY_SIZE(edges))];
	case 1: /* into what follows */
		return (uint64_t)attack_victim(a) + PAGE_SIZE - attack_random(a, 64);
	case 2:
		return tiny_start_info->pt_base + attack_random(a, PAGE_SIZE); /* read-only */
	default:
		return (uint64_t)attack_victim(a) + attack_random(a, PAGE_SIZE / 8) * 8;
	}
}

uint64_t attack_value(struct attacker *a)
{
	switch (attack_random(a, 8)) {
	case 0:
		return attack_random(a, 40);
	case 1:
		return ~attack_random(a, 4);
	case 2:
		return 1ul << attack_random(a, 64);
	case 3:
		return attack_random(a, ~0ul) << attack_random(a, 64);
	case 4:
		return attack_frame(a, false).n << (attack_chance(a, 2) ? PAGE_SHIFT : 0);
	default:
		return pointer(a);
	}
}

static unsigned int index_of(const char *victim)
{
	unsigned int i = 0;

	while (attack_victims[i] != victim)
		i++;
	return i;
}

uint64_t attack_mapping(const char *victim)
{
	return *(const volatile uint64_t *)mapped_by[index_of(victim)];
}
