// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ways into the kernel: that each gives what the other gives, that nothing of the caller's is lost on
 * the way, whatever flags he had, and that the other vendor's instruction does not exist.
 */
#include "u32.h"

#define NR_MMAP2 192
#define NR_GETPID 20

#define TRAP_UD 6
#define TRAP_GP 13

#define EFLAGS_TF 0x100u
#define EFLAGS_KEPT 0x244cd5u /* CF PF AF ZF SF DF OF NT AC ID */

static volatile u32 traps, last_trap, last_error;

static void count_and_go_on(int number, void *info, u32 *context)
{
	(void)number;
	(void)info;
	traps++;
	last_trap = context[CONTEXT_TRAP];
	last_error = context[CONTEXT_ERROR];
	context[CONTEXT_EIP] = (u32)u32_faulted;
}

static void count_steps(int number, void *info, u32 *context)
{
	(void)number;
	(void)info;
	(void)context;
	traps++;
}

const char *sysinfo_instruction(void)
{
	const unsigned char *code = (const unsigned char *)u32_sysinfo;
	u32 i;

	for (i = 0; u32_sysinfo && i < 16; i++) {
		if (code[i] == 0x0f && code[i + 1] == 0x34)
			return "sysenter";
		if (code[i] == 0x0f && code[i + 1] == 0x05)
			return "syscall";
	}
	return "int80";
}

/* Registers and flags come back as they went in. */
static bool keeps_registers(enum way way, u32 flags)
{
	struct u32_regs regs = { NR_GETPID,  0x11111111, 0x22222222, 0x33333333,
				 0x44444444, 0x55555555, 0x66666666, 0x202 | flags };

	u32_call(way, &regs);
	return (long)regs.eax == sys_getpid() && regs.ebx == 0x11111111 && regs.ecx == 0x22222222 &&
	       regs.edx == 0x33333333 && regs.esi == 0x44444444 && regs.edi == 0x55555555 &&
	       regs.ebp == 0x66666666 && ((regs.eflags ^ flags) & EFLAGS_KEPT) == 0;
}

/* The sixth argument says which page of our own file is mapped: the second is where our code begins. */
static bool six_arguments(enum way way)
{
	extern const unsigned char __executable_start[];
	const u32 *expected = (const u32 *)(__executable_start + 0x1000);
	long file = sys_open("/proc/self/exe");
	struct u32_regs regs = { NR_MMAP2, 0, 4096, 1, 2, (u32)file, 1, 0x202 };
	u32 i;

	u32_call(way, &regs);
	if (file < 0 || regs.eax > (u32)-4096)
		return false;
	for (i = 0; i < 64; i++)
		if (((const u32 *)regs.eax)[i] != expected[i])
			return false;
	return true;
}

static void test_way(enum way way, const char *name)
{
	static const struct {
		u32 flags;
		const char *name;
	} flags[] = { { 0, "registers are kept" }, { 0x8d5, "arithmetic flags are kept" },
		      { 0x400, "DF is kept" },     { 0x4000, "NT is kept" },
		      { 0x40000, "AC is kept" },   { 0x200000, "ID is kept" } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		check(keeps_registers(way, flags[i].flags), name, flags[i].name);
	check(six_arguments(way), name, "six arguments");
	traps = 0;
	on_signal(SIGTRAP, count_steps);
	(void)keeps_registers(way, EFLAGS_TF);
	check(traps > 2, name, "single steps through it");
}

void test_calls(void)
{
	const char *instruction = sysinfo_instruction();
	bool intel = same_text(instruction, "sysenter");

	say("user32: the kernel's way in is %s\n", instruction);
	test_way(BY_INT80, "int80");
	test_way(BY_SYSINFO, instruction);
	on_signal(SIGILL, count_and_go_on);
	on_signal(SIGSEGV, count_and_go_on);
	traps = 0;
	/* AMD's CPUs have no sysenter in long mode, but QEMU's do in compatibility mode: #GP. */
	check((intel ? u32_try_syscall() : u32_try_sysenter()) == -1 && traps == 1 &&
		      (last_trap == TRAP_UD || (!intel && last_trap == TRAP_GP)),
	      "faults", "the other vendor's instruction");
	traps = 0;
	check(u32_try_load_gs(0x3ff8 | 3) == -1 && traps == 1 && last_trap == TRAP_GP &&
		      last_error == 0x3ff8,
	      "faults", "a selector beyond the table faults with its number");
	traps = 0;
	check(u32_try_load_gs(7) == -1 && traps == 1 && last_trap == TRAP_GP && last_error == 4,
	      "faults", "a selector of an LDT that is not there");
}
