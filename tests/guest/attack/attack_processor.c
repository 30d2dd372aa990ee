// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attacks by instructions: returns to selectors, addresses and flags that cannot be, and everything
 * privileged. For the boot vCPU, which has a trap table.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"

#define SCRATCH_STACK 16384
#define EFLAGS_FIXED 0x02ul
#define EFLAGS_RF 0x10000ul

extern uint64_t landing_saved_sp;
void landing_iret(const void *frame, uint64_t *saved_sp);
extern const char landing_pad[];

static char stack[SCRATCH_STACK] __attribute__((aligned(16)));
static bool returning; /* an iret is on its way: whatever goes wrong ends at the landing pad */

struct frame {
	uint64_t rax, r11, rcx, flags, rip, cs, rflags, rsp, ss;
};

static bool recover(struct tiny_regs *regs)
{
	if (regs->vector == TRAP_DEBUG) { /* it may have arrived at the pad already: never again */
		hypercall2(__HYPERVISOR_set_debugreg, 7, 0);
		regs->rflags = (regs->rflags & ~EFLAGS_TF) | EFLAGS_RF;
		return true;
	}
	if (!returning)
		return false;
	returning = false;
	regs->rip = (uint64_t)landing_pad;
	regs->cs = FLAT_KERNEL_CS64 & ~3;
	regs->ss = FLAT_KERNEL_SS & ~3;
	regs->rflags = EFLAGS_FIXED;
	regs->rsp = (uint64_t)&stack[SCRATCH_STACK - 512];
	return true;
}

/* A segment of ours went with its descriptor: the hypervisor has cleared it. */
static bool segments_lost(struct tiny_regs *regs)
{
	(void)regs;
	return true;
}

void attack_processor_init(void)
{
	unsigned int vector;

	for (vector = 0; vector < 32; vector++)
		trap_set_hook(vector, recover);
	trap_set_hook(TRAP_FAILSAFE, segments_lost);
}

/* Nowhere that code of ours could be found, or a victim's words taken for some. */
static uint64_t wild_address(struct attacker *a)
{
	static const uint64_t bases[] = { 0xffff800000000000, 0xffff820000000000, 0x800000000000,
					  0xfffe000000000000, 0x7ffffffff000,     0x1000 };

	return bases[attack_random(a, ARRAY_SIZE(bases))] + attack_random(a, 1ul << 32);
}

/* With no tables of its own the guest has no 32-bit code, where its stack would be out of reach. */
static uint64_t wild_selector(struct attacker *a)
{
	mmuext_op_t op = { .cmd = MMUEXT_SET_LDT };
	uint64_t no_gdt[5] = { 0 }, no_ldt[5] = { (uint64_t)&op, 1, 0, DOMID_SELF };
	uint64_t selector = attack_random(a, 65536);

	attack_call(a, __HYPERVISOR_set_gdt, no_gdt);
	attack_call(a, __HYPERVISOR_mmuext_op, no_ldt);
	return (selector | 7) == (FLAT_USER_CS32 | 7) ? 0 : selector;
}

static void wild_return(struct attacker *a)
{
	struct frame frame = {
		.rax = attack_value(a),
		.flags = attack_value(a),
		.rip = attack_chance(a, 2) ? (uint64_t)landing_pad : wild_address(a),
		.cs = attack_chance(a, 2) ? FLAT_KERNEL_CS64 : wild_selector(a),
		.rflags = attack_chance(a, 2) ? EFLAGS_FIXED : attack_random(a, ~0ul) & ~EFLAGS_IF,
		.rsp = (uint64_t)&stack[SCRATCH_STACK - 512 + attack_random(a, 128)],
		.ss = attack_chance(a, 2) ? FLAT_KERNEL_SS : attack_random(a, 65536),
	};

	frame.cs &= ~1ul; /* not to user mode: there is none */
	frame.cs |= attack_value(a) << 16;
	returning = true;
	landing_iret(&frame, &landing_saved_sp);
	returning = false;
	asm volatile("pushq $2\npopfq" : : : "memory", "cc");
	a->calls++;
}

static void model_specific(struct attacker *a)
{
	static const uint32_t known[] = { 0x10,       0x1b,       0x1a0,      0x277,
					  0xc0000080, 0xc0000081, 0xc0000082, 0xc0000084,
					  0xc0000103, 0xc0010015, 0x174,      0x175,
					  0x176,      0x8b,       0x79,       0x40000000,
					  0xc0011029, 0xc0010117 };
	uint32_t msr = attack_chance(a, 3) ? (uint32_t)attack_random(a, 1ul << 32)
					   : known[attack_random(a, ARRAY_SIZE(known))];
	uint32_t low = 0, high = 0;

	PROBE("rdmsr", : "+a"(low), "+d"(high) : "c"(msr));
	if (attack_chance(a, 2))
		low = (uint32_t)attack_random(a, 1ul << 32);
	if (attack_chance(a, 4))
		high = (uint32_t)attack_random(a, 1ul << 32);
	PROBE("wrmsr", : "+a"(low), "+d"(high) : "c"(msr));
}

static void control_registers(struct attacker *a)
{
	uint64_t value = 0;

	PROBE("mov %%cr0, %0", : "+r"(value));
	PROBE("mov %0, %%cr0", : : "r"(value ^ 1ul << attack_random(a, 64)));
	PROBE("mov %%cr4, %0", : "+r"(value));
	PROBE("mov %0, %%cr4", : : "r"(value ^ 1ul << attack_random(a, 64)));
	PROBE("mov %%cr4, %0", : "+r"(value));
	PROBE("mov %0, %%cr4", : : "r"(value & ~4ul)); /* RDTSC as it was */
	PROBE("mov %0, %%cr3", : : "r"(attack_forbidden_frame(a).n << PAGE_SHIFT));
	PROBE("mov %0, %%cr3", : : "r"(attack_value(a) | 0xfffful << 40));
	PROBE("mov %0, %%cr8", : : "r"(value));
	PROBE("clts");
}

static void privileged(struct attacker *a)
{
	uint64_t value = attack_value(a), count;
	uint32_t low = (uint32_t)value, high = attack_chance(a, 2) ? 0 : (uint32_t)(value >> 32);

	switch (attack_random(a, 8)) {
	case 0:
		PROBE("xsetbv", : : "a"(low), "d"(high), "c"(attack_chance(a, 3)));
		break;
	case 1:
		PROBE("lldt %w0", : : "r"(low));
		PROBE("ltr %w0", : : "r"(low));
		break;
	case 2:
		PROBE("hlt");
		PROBE("invd");
		PROBE("wbinvd");
		break;
	case 3:
		PROBE("out %%al, %%dx", : : "a"(low), "d"(high));
		PROBE("in %%dx, %%eax", : "+a"(low) : "d"(high));
		break;
	case 4:
		count = attack_random(a, 9);
		PROBE("rep insb", : "+D"(value), "+c"(count) : "d"(high) : "memory");
		PROBE("rep outsl", : "+S"(value), "+c"(count) : "d"(high) : "memory");
		break;
	case 5:
		PROBE("mov %0, %%dr7", : : "r"(value & 0xffff03ff));
		PROBE("mov %0, %%dr0", : : "r"(value & ~7ul));
		PROBE("mov %0, %%dr7", : : "r"(0ul));
		break;
	case 6:
		PROBE("lgdt (%0)", : : "r"(value));
		PROBE("lidt (%0)", : : "r"(value));
		PROBE("swapgs");
		PROBE("sysretq");
		break;
	default:
		PROBE("ud2a\n.ascii \"xen\"\ncpuid", : "+a"(low), "+c"(high) : : "rbx", "rdx");
		PROBE("int $0x82");
		PROBE("int $2");
		break;
	}
}

void attack_processor(struct attacker *a)
{
	switch (attack_random(a, 4)) {
	case 0:
		model_specific(a);
		break;
	case 1:
		control_registers(a);
		break;
	case 2:
		privileged(a);
		break;
	default:
		wild_return(a);
		break;
	}
	a->calls++;
}
