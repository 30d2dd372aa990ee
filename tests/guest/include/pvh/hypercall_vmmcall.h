/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a PVH guest on AMD enters the hypervisor (abi page 7): `vmmcall`, which leaves all registers but RAX.
 * Included first of all by the makefile; the guard is that of the PV guest's header, whose place it takes. */
#ifndef TINY_HYPERCALL_INSN_H
#define TINY_HYPERCALL_INSN_H

#define HYPERCALL_INSN "vmmcall"
#define HYPERCALL_CLOBBERS "memory"

#endif
