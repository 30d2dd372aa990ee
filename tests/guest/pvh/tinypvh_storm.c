// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Part of the PVH guest's attack: what a processor can be told in kernel mode, at random. CPUID, control, debug and model-specific registers, and
 * instructions that no guest needs. Whatever faults is passed over; left out is what ends, stops or leads astray the guest by itself: halting,
 * returning to user mode, tables of descriptors elsewhere, interrupt commands (those are among the attack's registers).
 */
#include "tiny_lib.h"
#include "tinypvh.h"
#include "translated_attack.h"

#define STEPS 40000
#define NOWHERE 0x8000000000UL /* mapped by no table */

#define CR0_MP (1UL << 1)
#define CR0_EM (1UL << 2)
#define CR0_TS (1UL << 3)
#define CR0_NE (1UL << 5)
#define CR0_WP (1UL << 16)
#define CR0_CD (1UL << 30)
#define CR0_FREE (CR0_MP | CR0_EM | CR0_TS | CR0_NE | CR0_WP | CR0_CD)
#define CR3_FREE 0x18UL  /* caching of the top-level table */
#define CR4_FREE 0x7dfUL /* all of the first eleven bits but PAE, which long mode needs */
#define CR4_PAE (1UL << 5)
#define DR7_FREE 0xffff00ffUL /* which, for what, of what length */
#define DR7_ALWAYS 0x400UL

extern const char tinypvh_ud[], tinypvh_gp[];

static uint64_t *state;
static uint8_t page[4096] __page_aligned;

static uint64_t next(void)
{
	return tiny_random(state);
}

static void cpuid(void)
{
	static const uint32_t from[] = { 0, 0x40000000, 0x40000100, 0x80000000, 0xfffffff0 };
	uint32_t a = from[next() % ARRAY_SIZE(from)] + next() % 48, c = next() % 70, b, d;

	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
}

/* Back to what it was: nobody can work with some of these. */
static void control(void)
{
	uint64_t cr0, cr3, cr4, eight = next() % 20;

	asm volatile("mov %%cr0, %0; mov %%cr3, %1; mov %%cr4, %2"
		     : "=r"(cr0), "=r"(cr3), "=r"(cr4));
	TRY("mov %0, %%cr0", : : "r"(cr0 ^ (next() & CR0_FREE)) : "r11", "memory");
	TRY("mov %0, %%cr3", : : "r"(cr3 ^ (next() & CR3_FREE)) : "r11", "memory");
	TRY("mov %0, %%cr4", : : "r"(cr4 ^ (next() & CR4_FREE)) : "r11", "memory");
	TRY("mov %0, %%cr8", : : "r"(eight) : "r11", "memory");
	asm volatile("mov %0, %%cr0; mov %1, %%cr3; mov %2, %%cr4; mov %3, %%cr8"
		     :
		     : "r"(cr0), "r"(cr3), "r"(cr4), "r"(0UL)
		     : "memory");
}

/* Breakpoints on instructions, data and ports, wherever. */
static void debug(void)
{
	TRY("mov %0, %%dr0; mov %0, %%dr1", : : "r"(next()) : "r11");
	TRY("mov %0, %%dr2; mov %0, %%dr3", : : "r"(*state) : "r11");
	TRY("mov %0, %%dr6", : : "r"(*state) : "r11");
	TRY("mov %0, %%dr7", : : "r"((*state & DR7_FREE) | DR7_ALWAYS) : "r11");
}

/* Around those that exist, on either side of where the permission maps end. */
static void model_specific(void)
{
	static const uint32_t from[] = { 0,          0x10,       0x8b,       0x174,      0x1d9,
					 0x277,      0x2ff,      0x400,      0x1ff0,     0x2000,
					 0xbffffff0, 0xc0000080, 0xc0000100, 0xc0001ff0, 0xc0002000,
					 0xc0010000, 0xc0010114, 0xc0011ff0, 0xfffffff0 };
	uint32_t number = from[next() % ARRAY_SIZE(from)] + next() % 24;
	uint64_t value, values[] = { 0, 1, next(), ~0UL, 0x0007040600070406, 0xd01, 1UL << 47 };

	if (next() % 2) {
		(void)read_msr(number, &value);
		return;
	}
	value = values[next() % ARRAY_SIZE(values)];
	TRY("wrmsr",
	    :
	    : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
	    : "r11", "memory");
}

static void strings(void *at)
{
	void *from = at, *to = at;
	uint64_t count = next() % 5000;

	TRY("rep outsb", : "+S"(from), "+c"(count) : "d"(0x80) : "r11", "memory");
	count = next() % 64;
	TRY("rep insw", : "+D"(to), "+c"(count) : "d"(0x71) : "r11", "memory");
}

#define STRANGE(name, insn)                                                                        \
	static void name(uint64_t value, void *at)                                                 \
	{                                                                                          \
		uint64_t a = value, c = value & 7, d = value >> 32;                                \
                                                                                                   \
		(void)at;                                                                          \
		TRY(insn, : "+a"(a), "+c"(c), "+d"(d) : "D"(at) : "rbx", "r11", "memory");         \
	}

STRANGE(rdpmc, "rdpmc")
STRANGE(monitor, "monitor")
STRANGE(mwait, "mwait")
STRANGE(invlpga, "invlpga %%rax, %%ecx")
STRANGE(skinit, "skinit %%eax")
STRANGE(clgi, "clgi")
STRANGE(stgi, "stgi")
STRANGE(vmload, "vmload %%rax")
STRANGE(vmsave, "vmsave %%rax")
STRANGE(vmrun, "vmrun %%rax")
STRANGE(xsetbv, "xsetbv")
STRANGE(xgetbv, "xgetbv")
STRANGE(invd, "invd")
STRANGE(wbinvd, "wbinvd")
STRANGE(rsm, "rsm")
STRANGE(rdtscp, "rdtscp")
STRANGE(invlpg, "invlpg (%%rdi)")
STRANGE(lmsw, "or $1, %%ax; and $0xf, %%ax; lmsw %%ax; clts")
STRANGE(smsw, "smsw (%%rdi)")
STRANGE(sgdt, "sgdt (%%rdi)")
STRANGE(ltr, "ltr %%ax")
STRANGE(lldt, "lldt %%ax")
STRANGE(icebp, ".byte 0xf1")
STRANGE(int3, "int3")
STRANGE(vmcall, "vmcall")
STRANGE(swapgs, "swapgs; swapgs")

static void strange(void)
{
	static void (*const all[])(uint64_t value, void *at) = {
		rdpmc, monitor, mwait,  invlpga, skinit, clgi, stgi,   vmload, vmsave,
		vmrun, xsetbv,  xgetbv, invd,    wbinvd, rsm,  rdtscp, invlpg, lmsw,
		smsw,  sgdt,    ltr,    lldt,    icebp,  int3, vmcall, swapgs,
	};
	void *const places[] = { page, page + 4090, (void *)NOWHERE, (void *)(1UL << 47) };
	void *at = places[next() % ARRAY_SIZE(places)];

	if (next() % 16)
		all[next() % ARRAY_SIZE(all)](*state, at);
	else
		strings(at);
}

/* Exceptions pass over what made them: those with an error code, and the others. NMIs stay as they are. */
static void pass_over_all(void)
{
	static const uint8_t with_code[] = { 8, 10, 11, 12, 13, 14 };

	for (unsigned int vector = 0; vector < 16; vector++) {
		if (vector != 2)
			tinypvh_set_gate(vector, tinypvh_ud);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(with_code); i++)
		tinypvh_set_gate(with_code[i], tinypvh_gp);
}

void tinypvh_storm(uint64_t *random)
{
	static void (*const kinds[])(void) = { cpuid, control, debug, model_specific, strange };

	state = random;
	pass_over_all();
	for (unsigned int i = 0; i < STEPS; i++)
		kinds[next() % ARRAY_SIZE(kinds)]();
	asm volatile("mov %0, %%dr7" : : "r"(DR7_ALWAYS));
	printf("tiny: %u steps of storm\n", STEPS);
}
