/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A PV guest's ports: port_io.c, for the emulation of instructions and the hypercall. */
#ifndef PV_PORT_IO_H
#define PV_PORT_IO_H

#include "internal.h"

/* One IN, OUT, INS or OUTS, decoded. */
struct port_access {
	u16 port;
	u8 size; /* bytes: 1, 2 or 4 */
	bool input, string, repeat;
};

enum port_result {
	PORT_REFUSED, /* the instruction is the guest's fault */
	PORT_DONE,
	PORT_AGAIN, /* one of several: the instruction is to come once more */
};

enum port_result pv_port_access(struct vcpu *v, struct cpu_regs *regs,
				const struct port_access *io) __must_check;

/* By V's virtual I/O privilege in the mode that it is in; also what CLI and STI need. */
bool pv_has_iopl(const struct vcpu *v);

/* PHYSDEVOP_set_iobitmap. */
long pv_set_io_bitmap(struct vcpu *v, gva_t arg) __must_check;

#endif
