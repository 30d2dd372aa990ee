// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attacks on the types of frames: victims are filled with entries, pinned as tables of any level,
 * changed by every way there is while they are tables, mapped writable while they are, hung into
 * the tables in use, made descriptor pages, and all that again from the other vCPUs.
 *
 * When nobody else attacks, a victim that was pinned stays so until it is unpinned here. A store of
 * an entry that may not be, into such a page, must fault, through whatever mapping it is made.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"

#define FIRST_FREE_SLOT 1 /* of the top-level table: the lower half is not used otherwise */
#define FREE_SLOTS 200
#define BATCH 16

static unsigned int pinned[VICTIMS]; /* the level, or 0 */

static int victim_of(mfn_t frame)
{
	int i;

	for (i = 0; i < VICTIMS; i++)
		if (virt_to_mfn(attack_victims[i]).n == frame.n)
			return i;
	return -1;
}

void attack_forget_pin(mfn_t frame)
{
	int victim = victim_of(frame);

	if (victim >= 0)
		pinned[victim] = 0;
}

static void store(uint64_t *at, uint64_t value)
{
	PROBE("movq %1, (%0)", : : "r"(at), "r"(value) : "memory");
}

static uint64_t *word_of(struct attacker *a, char *page)
{
	/* A few entries of each page, so that they meet. */
	unsigned long at = attack_chance(a, 4) ? attack_random(a, 512) : attack_random(a, 6) * 101;

	return (uint64_t *)page + at;
}

/* A store there would be done for the guest if it has asked for that: and to its own ruin. */
static bool maps_table_in_use(const char *page)
{
	const char *table = (const char *)tiny_start_info->pt_base;
	uint64_t frame = (attack_mapping(page) & PTE_FRAME) >> PAGE_SHIFT;
	unsigned int i;

	for (i = 0; i < tiny_start_info->nr_pt_frames; i++)
		if (virt_to_mfn(table + i * PAGE_SIZE).n == frame)
			return true;
	return false;
}

static void scribble(struct attacker *a)
{
	char *page = attack_victim(a);
	unsigned int i;

	if (maps_table_in_use(page))
		return;
	if (attack_chance(a, 3))
		for (i = 0; i < 512; i++) {
			store((uint64_t *)page + i, 0);
			if (tiny_fault.vector != TRAP_NONE)
				return;
		}
	for (i = 0; i < 4; i++)
		store(word_of(a, page), attack_entry(a));
}

/* The oracle of the opening comment. */
static void write_forbidden(struct attacker *a)
{
	char *page = attack_victim(a);
	uint64_t entry = attack_mapping(page);
	mfn_t frame = mfn((entry & PTE_FRAME) >> PAGE_SHIFT);
	bool present = entry & PTE_PRESENT;
	int victim = victim_of(frame);

	store(word_of(a, page), make_pte(attack_forbidden_frame(a), PTE_KERNEL_RW | PTE_USER));
	if (!a->alone || tiny_fault.vector != TRAP_NONE || victim < 0 || !present)
		return;
	if (pinned[victim])
		tiny_fail("attack: frame %lx is a page table and took an entry that may not be",
			  frame.n);
}

/* Whose frames or tables: numbers that mean something, or could. */
static uint64_t somebody(struct attacker *a)
{
	static const uint16_t ids[] = { DOMID_SELF, DOMID_IO, DOMID_XEN, DOMID_COW, 0, 1, 2, 3 };

	return ids[attack_random(a, ARRAY_SIZE(ids))];
}

static void map(struct attacker *a)
{
	char *page = attack_victim(a);
	uint64_t entry = attack_chance(a, 3)
				 ? make_pte(virt_to_mfn(page),
					    attack_chance(a, 2) ? PTE_KERNEL_RW : PTE_KERNEL_RO)
				 : attack_entry(a);
	uint64_t args[5] = { (uint64_t)page, entry, attack_random(a, 3) };

	if (attack_chance(a, 4))
		args[2] |= UVMF_ALL;
	if (attack_chance(a, 4)) {
		args[3] = somebody(a);
		attack_call(a, __HYPERVISOR_update_va_mapping_otherdomain, args);
		return;
	}
	attack_call(a, __HYPERVISOR_update_va_mapping, args);
}

/* All victims at their own places again, so that others succeed. */
static void map_all(struct attacker *a)
{
	uint64_t flags = attack_chance(a, 2) ? PTE_KERNEL_RW : PTE_KERNEL_RO;
	unsigned int i;

	for (i = 0; i < VICTIMS; i++) {
		uint64_t args[5] = { (uint64_t)attack_victims[i],
				     make_pte(virt_to_mfn(attack_victims[i]), flags), UVMF_NONE };

		attack_call(a, __HYPERVISOR_update_va_mapping, args);
	}
}

static bool changes_base(unsigned int command)
{
	return command == MMUEXT_NEW_BASEPTR;
}

static long extended(struct attacker *a, unsigned int command, uint64_t arg1, uint64_t arg2)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = arg1, .arg2.src_mfn = arg2 };
	uint64_t args[5] = { (uint64_t)&op, 1, 0, attack_chance(a, 20) ? somebody(a) : DOMID_SELF };

	return attack_call(a, __HYPERVISOR_mmuext_op, args);
}

static void pin(struct attacker *a)
{
	char *page = attack_victim(a);
	int victim = victim_of(virt_to_mfn(page));
	unsigned int command = MMUEXT_PIN_L1_TABLE + attack_random(a, 4);

	if (extended(a, command, virt_to_mfn(page).n, 0))
		return;
	a->pinned[command - MMUEXT_PIN_L1_TABLE + 1]++;
	pinned[victim] = command - MMUEXT_PIN_L1_TABLE + 1;
}

/* A victim that is a table of LEVEL, if there is one. */
static char *table_of(struct attacker *a, unsigned int level)
{
	unsigned int i, at = (unsigned int)attack_random(a, VICTIMS);

	for (i = 0; i < VICTIMS; i++, at = (at + 1) % VICTIMS)
		if (pinned[at] == level)
			return attack_victims[at];
	return attack_victim(a);
}

/* By chance alone hardly any table of a higher level would come about. */
static void construct(struct attacker *a)
{
	unsigned int level = 1 + (unsigned int)attack_random(a, 4), i;
	char *page = attack_victim(a);
	uint64_t count = 512, *at = (uint64_t *)page;

	if (page_set_writable(page))
		return;
	PROBE("rep stosq", : "+D"(at), "+c"(count) : "a"(0ul) : "memory");
	for (i = 0; i < 4; i++) {
		char *target = level > 1 ? table_of(a, level - 1) : attack_victim(a);
		uint64_t flags = PTE_PRESENT | PTE_USER | (attack_chance(a, 2) ? PTE_ACCESSED : 0);

		if (level > 1 && attack_chance(a, 6))
			target = page; /* itself: to be read at best */
		if (target == page ? attack_chance(a, 4) : level > 1 || attack_chance(a, 2))
			flags |= PTE_WRITE;
		store(word_of(a, page), make_pte(virt_to_mfn(target), flags));
	}
	if (page_set_readonly(page) ||
	    extended(a, MMUEXT_PIN_L1_TABLE + level - 1, virt_to_mfn(page).n, 0))
		return;
	a->pinned[level]++;
	pinned[victim_of(virt_to_mfn(page))] = level;
}

/*
 * Noted at the first victim with that frame, as pins are: one that was given up without another in
 * its place has the number of a frame that is another victim's by now.
 */
static void unpin_one(struct attacker *a, const char *page)
{
	mfn_t frame = virt_to_mfn(page);

	if (!extended(a, MMUEXT_UNPIN_TABLE, frame.n, 0))
		pinned[victim_of(frame)] = 0;
}

static void unpin(struct attacker *a)
{
	unpin_one(a, attack_victim(a));
}

static void unpin_all(struct attacker *a)
{
	unsigned int i;

	for (i = 0; i < VICTIMS; i++)
		unpin_one(a, attack_victims[i]);
}

/* Any other command. The tables in use may be replaced by what can be none only. */
static void extend(struct attacker *a)
{
	unsigned int command = 5 + attack_random(a, 18);
	uint64_t frame = attack_frame(a, false).n;

	if (changes_base(command))
		frame = attack_forbidden_frame(a).n;
	if (command == MMUEXT_SET_LDT && attack_chance(a, 2)) {
		extended(a, command, (uint64_t)attack_victim(a), attack_random(a, 9000));
		return;
	}
	extended(a, command, frame,
		 attack_chance(a, 2) ? attack_frame(a, true).n : attack_value(a));
}

/* Somewhere in a victim, in a free slot of the table in use, or where nothing may be written. */
static uint64_t update_address(struct attacker *a)
{
	uint64_t table = virt_to_machine((const void *)tiny_start_info->pt_base);

	switch (attack_random(a, 10)) {
	case 0:
		return table + (FIRST_FREE_SLOT + attack_random(a, FREE_SLOTS)) * 8;
	case 1:
		return table + (256 + attack_random(a, 16)) * 8;
	case 2:
		return (attack_forbidden_frame(a).n << PAGE_SHIFT) + attack_random(a, 512) * 8;
	case 3:
		return attack_random(a, ~0ul) | 1ul << 50;
	default:
		return virt_to_machine(word_of(a, attack_victim(a)));
	}
}

static void update(struct attacker *a)
{
	mmu_update_t requests[BATCH];
	unsigned int i, done = 0;
	uint64_t args[5] = { (uint64_t)requests, BATCH, (uint64_t)&done, DOMID_SELF };

	for (i = 0; i < BATCH; i++) {
		uint64_t command = attack_random(a, 4);

		/* The guest finds its own tables by their numbers in the M2P. */
		requests[i].ptr = command == MMU_MACHPHYS_UPDATE
					  ? virt_to_machine(attack_victim(a)) | command
					  : update_address(a) | command;
		requests[i].val = attack_entry(a);
	}
	/* One that is refused ends the list. */
	for (i = 0; i < BATCH; i += done + 1) {
		args[0] = (uint64_t)&requests[i];
		args[1] = BATCH - i;
		if (attack_chance(a, 50))
			args[1] |= 0x80000000ul;
		if (attack_chance(a, 50))
			args[3] = attack_value(a);
		if (attack_chance(a, 10))
			args[3] = somebody(a) | (attack_chance(a, 2) ? somebody(a) + 1 : 0) << 16;
		done = 0;
		attack_call(a, __HYPERVISOR_mmu_update, args);
		if (done > BATCH)
			return;
		a->updated += done;
	}
}

/* Reads and writes through what hangs in the table in use now. */
static void touch(struct attacker *a)
{
	uint64_t address = (FIRST_FREE_SLOT + attack_random(a, FREE_SLOTS)) << 39;
	unsigned int level;

	for (level = 0; level < 3; level++)
		address |= (attack_chance(a, 4) ? attack_random(a, 512)
						: attack_random(a, 6) * 101 % 512)
			   << (12 + 9 * level);
	store((uint64_t *)address, make_pte(attack_forbidden_frame(a), PTE_KERNEL_RW | PTE_USER));
}

void attack_tables(struct attacker *a, bool may_fault)
{
	unsigned int i;

	switch (attack_random(a, may_fault ? 18 : 9)) {
	case 0:
	case 1:
		map(a);
		break;
	case 2:
		if (attack_chance(a, 20))
			map_all(a);
		break;
	case 3:
		pin(a);
		break;
	case 4:
		unpin(a);
		if (attack_chance(a, 50))
			unpin_all(a);
		break;
	case 5:
		extend(a);
		break;
	case 6:
	case 7:
	case 8:
		update(a);
		break;
	case 9:
		write_forbidden(a);
		break;
	case 10:
		for (i = 0; i < 8; i++)
			touch(a);
		break;
	case 11:
	case 12:
	case 13:
		scribble(a);
		break;
	default:
		construct(a);
		break;
	}
}

void attack_descriptors(struct attacker *a, bool may_fault)
{
	uint64_t frames[16], args[5] = { (uint64_t)frames, attack_random(a, 7200) };
	unsigned int i;
	uint32_t selector;

	for (i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = attack_frame(a, false).n;
	if (attack_chance(a, 3))
		attack_call(a, __HYPERVISOR_set_gdt, args);
	for (i = 0; i < 4; i++) {
		args[0] = virt_to_machine(word_of(a, attack_victim(a)));
		args[1] = attack_random(a, ~0ul) << attack_random(a, 8) ^ (0xf0ul << 40);
		if (attack_chance(a, 20))
			args[0] = attack_value(a);
		attack_call(a, __HYPERVISOR_update_descriptor, args);
	}
	if (!may_fault)
		return;
	selector = (uint32_t)attack_random(a, 65536);
	if (attack_chance(a, 2))
		selector = (uint32_t)attack_random(a, 64) | 7;
	PROBE("mov %0, %%es", : : "r"(selector));
	PROBE("mov %0, %%ds", : : "r"(selector));
	PROBE("mov %0, %%fs", : : "r"(selector));
	selector = 0;
	asm volatile("mov %0, %%ds\nmov %0, %%es\nmov %0, %%fs" : : "r"(selector));
}
