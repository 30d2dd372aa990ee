/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a PV guest enters the hypervisor (abi page 3): `syscall`, which destroys RCX and R11.
 * A PVH guest brings a header of the same name that says `vmmcall`; the include path chooses.
 */
#ifndef TINY_HYPERCALL_INSN_H
#define TINY_HYPERCALL_INSN_H

#define HYPERCALL_INSN "syscall"
#define HYPERCALL_CLOBBERS "rcx", "r11", "memory"

#endif
