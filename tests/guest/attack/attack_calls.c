// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any hypercall with any arguments. Left out is only what would end the guest itself: its own
 * shutdown, sleeping with nobody to wake it, other page tables under its feet.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"

#define CALLS 64 /* numbers there are, and some that are not */
#define MULTI 24

long attack_call(struct attacker *a, unsigned long number, const uint64_t args[5])
{
	register uint64_t r10 asm("r10") = args[3], r8 asm("r8") = args[4];
	uint64_t a1 = args[0], a2 = args[1], a3 = args[2];
	long result;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2), "+d"(a3), "+r"(r10), "+r"(r8)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	a->calls++;
	a->accepted += result >= 0;
	return result;
}

/*
 * Nothing that the hypervisor could take for a structure of the guest's: its own memory, or above what
 * attacks on page tables may have mapped.
 */
static uint64_t bad_pointer(struct attacker *a)
{
	return attack_chance(a, 2) ? 0xffff820000000000 + attack_random(a, 1ul << 40)
				   : (210ul << 39) + attack_random(a, 40ul << 39);
}

/* Taken, stopped and set again by all, but for longer than an attack lasts. */
static uint64_t long_watchdog(struct attacker *a)
{
	static sched_watchdog_t
		of_id[4]; /* whatever others write there meanwhile is harmless, too */
	unsigned int id = (unsigned int)attack_random(a, ARRAY_SIZE(of_id));

	of_id[id].timeout = id && attack_chance(a, 3) ? 0 : 1000000000;
	of_id[id].id = id;
	return (uint64_t)&of_id[id];
}

static void harmless_sched_op(struct attacker *a, uint64_t args[5])
{
	static const uint64_t commands[] = { SCHEDOP_yield, SCHEDOP_remote_shutdown,
					     SCHEDOP_watchdog, SCHEDOP_pin_override, 77 };

	args[0] = commands[attack_random(a, ARRAY_SIZE(commands))];
	if (attack_chance(a, 4)) {
		args[0] = attack_random(a, 10);
		args[1] = bad_pointer(a);
		if (args[0] == SCHEDOP_block)
			args[0] = SCHEDOP_poll;
	} else if (args[0] == SCHEDOP_watchdog) {
		args[1] = long_watchdog(a);
	}
	if (args[0] == SCHEDOP_watchdog) /* nobody would reset it */
		args[1] = bad_pointer(a);
}

static void harmless_vcpu_op(struct attacker *a, uint64_t args[5])
{
	args[0] = attack_random(a, 18);
	args[1] = attack_chance(a, 4) ? attack_value(a) : attack_random(a, 40);
	if (args[0] == VCPUOP_send_nmi || args[0] == VCPUOP_up || args[0] == VCPUOP_down ||
	    args[0] == VCPUOP_initialise)
		args[1] = 16 + attack_random(a, 1ul << 40); /* nobody that could be there */
	if (args[0] == VCPUOP_register_vcpu_info)
		args[2] = bad_pointer(a);
}

/* False: better not. */
static bool choose(struct attacker *a, unsigned long *number, uint64_t args[5])
{
	unsigned int i;

	*number = attack_random(a, CALLS);
	for (i = 0; i < 5; i++)
		args[i] = attack_value(a);
	switch (*number) {
	case __HYPERVISOR_iret:
	case __HYPERVISOR_multicall:
	case __HYPERVISOR_mmuext_op: /* they have steps of their own */
		return false;
	case __HYPERVISOR_set_debugreg:
		args[1] &= ~7ul; /* QEMU grumbles at a breakpoint around the end of memory */
		return a->vcpu == 0;
	case __HYPERVISOR_set_trap_table: /* only for who can put them right again */
	case __HYPERVISOR_set_callbacks:
	case __HYPERVISOR_callback_op:
		return a->vcpu == 0;
	case __HYPERVISOR_nmi_op:
		args[0] = 2 +
			  attack_random(a, 100); /* a handler at nowhere would be called one day */
		break;
	case __HYPERVISOR_sched_op:
		harmless_sched_op(a, args);
		break;
	case __HYPERVISOR_vcpu_op:
		harmless_vcpu_op(a, args);
		break;
	case __HYPERVISOR_console_io: /* nonsense on the console would drown the report */
		args[2] = bad_pointer(a);
		break;
	case __HYPERVISOR_update_va_mapping:
		args[0] = attack_chance(a, 3) ? bad_pointer(a) : (uint64_t)attack_victim(a);
		args[1] = attack_entry(a);
		break;
	case __HYPERVISOR_memory_op:
	case __HYPERVISOR_event_channel_op:
	case __HYPERVISOR_grant_table_op:
	case __HYPERVISOR_xen_version:
	case __HYPERVISOR_physdev_op:
		if (!attack_chance(a, 8))
			args[0] = attack_random(a, 36);
		break;
	}
	return true;
}

void attack_by_call(struct attacker *a)
{
	unsigned long number;
	uint64_t args[5];

	if (!choose(a, &number, args))
		return;
	attack_call(a, number, args);
	if (a->vcpu == 0 &&
	    (number == __HYPERVISOR_set_trap_table || number == __HYPERVISOR_set_callbacks ||
	     number == __HYPERVISOR_callback_op)) {
		if (trap_restore_table())
			tiny_fail("the trap table cannot be put right again");
		trap_restore_callbacks();
	}
}

/* What a list may not hold: with set_debugreg a breakpoint could be set on the list itself. */
static bool fits_list(unsigned long number)
{
	return number != __HYPERVISOR_set_trap_table && number != __HYPERVISOR_set_callbacks &&
	       number != __HYPERVISOR_callback_op && number != __HYPERVISOR_set_debugreg;
}

void attack_by_multicall(struct attacker *a)
{
	static multicall_entry_t lists[ATTACKERS][MULTI];
	multicall_entry_t *list = lists[a->vcpu];
	uint64_t args[5] = { (uint64_t)list, MULTI };
	unsigned int i, k;

	for (i = 0; i < MULTI; i++) {
		uint64_t entry[5] = { 0 };
		unsigned long number;

		if (!choose(a, &number, entry) || !fits_list(number))
			number = attack_chance(a, 2) ? __HYPERVISOR_multicall : __HYPERVISOR_iret;
		list[i].op = number;
		for (k = 0; k < 5; k++)
			list[i].args[k] = entry[k];
	}
	if (attack_chance(a, 8)) { /* the rest of a longer one cannot be read */
		args[0] = bad_pointer(a);
		args[1] = attack_value(a);
	}
	attack_call(a, __HYPERVISOR_multicall, args);
	a->calls += args[0] == (uint64_t)list ? MULTI : 0;
}
