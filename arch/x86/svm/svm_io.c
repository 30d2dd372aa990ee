// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Port accesses of a PVH guest: a bus on which nothing answers, so reads are all ones and writes are lost. The machine's devices are not the guest's. Three
 * writes mean something: the reset and sleep registers that the guest's ACPI tables name (guest_acpi.c), and the keyboard controller's reset, which kernels
 * try where there are no tables.
 */
#include "internal.h"
#include <xen/sched.h>

/* EXITINFO1 of IOIO, APM vol. 2, 15.10.2. */
#define IO_IN BIT(0)
#define IO_STRING BIT(2)
#define IO_REPEATED BIT(3)
#define IO_SIZE(info) (((info) >> 4) & 7) /* 1, 2 or 4 */
#define IO_PORT(info) ((u16)((info) >> 16))

#define KEYBOARD_COMMAND 0x64
#define KEYBOARD_RESET 0xfe
#define TIMER_CHANNEL0 0x40
#define TIMER_CHANNEL2 0x42

/* A timer that stands at 0 is given up at once; one that stands at all ones is read 100,000 times (ABI page 7.3). */
static u32 read_port(u16 port)
{
	return port >= TIMER_CHANNEL0 && port <= TIMER_CHANNEL2 ? 0 : ~0U;
}

static void write_port(struct vcpu *v, u16 port, u32 value)
{
	if (port == PVH_RESET_PORT && value == PVH_RESET_VALUE)
		domain_shutdown(v->domain, SHUTDOWN_reboot);
	else if (port == PVH_SLEEP_PORT && (value & PVH_SLEEP_ENABLE))
		domain_shutdown(v->domain, SHUTDOWN_poweroff);
	else if (port == KEYBOARD_COMMAND && value == KEYBOARD_RESET)
		domain_shutdown(v->domain, SHUTDOWN_reboot);
}

/* Of a narrow register write only those bits change; 32 bits clear the rest, as everywhere. */
static void set_rax(struct cpu_regs *r, u32 value, unsigned int bytes)
{
	u64 mask = bytes == 4 ? ~0UL : (1UL << bytes * 8) - 1;

	r->rax = (r->rax & ~mask) | (value & (bytes == 4 ? 0xffffffffUL : mask));
}

void svm_exit_io(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);
	struct cpu_regs *r = &v->arch.regs;
	unsigned int bytes = IO_SIZE(c->info_1);
	u32 mask = bytes == 4 ? ~0U : (1U << bytes * 8) - 1;

	/* Strings in would have to go to memory; nobody reads an empty bus that way. */
	if ((c->info_1 & IO_STRING) && (c->info_1 & IO_IN)) {
		svm_inject_code(v, TRAP_GP, 0);
		return;
	}
	if (c->info_1 & IO_IN)
		set_rax(r, read_port(IO_PORT(c->info_1)), bytes);
	else if (!(c->info_1 & IO_STRING))
		write_port(v, IO_PORT(c->info_1), (u32)r->rax & mask);
	else if (c->info_1 & IO_REPEATED)
		r->rcx = 0; /* all are lost at once */
	r->rip = c->info_2;
	svm_vmcb(v)->shadow = 0;
}
