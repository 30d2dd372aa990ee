/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a PV guest enters the hypervisor (abi page 3): `syscall`, which destroys RCX and R11.
 * A PVH guest is compiled with pvh/hypercall_vmmcall.h in its place.
 */
#ifndef TINY_HYPERCALL_INSN_H
#define TINY_HYPERCALL_INSN_H

#define HYPERCALL_INSN "syscall"
#define HYPERCALL_CLOBBERS "rcx", "r11", "memory"

#endif
