/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the self-tests of traps, mappings and TLBs ask of an architecture: x86_probe.c or arm64_probe.c, and probes that C cannot express in
 * the assembly file beside it.
 */
#ifndef SELFTEST_PROBE_H
#define SELFTEST_PROBE_H

#include <tine/compiler.h>
#include <tine/types.h>

/* Accesses that may fault: true when they went through. A write leaves what is there; other CPUs leave the place alone. */
bool probe_read(const void *at);
bool probe_write(void *at);

/* Goes to AT, where probe_code must lie, and comes back: true when it was executed. */
bool probe_exec(const void *at);
#define PROBE_CODE_SIZE 4
extern const u8 probe_code[PROBE_CODE_SIZE];

/* False where the CPU executes whatever it can read. */
bool probe_exec_can_fail(void);

/* Fills all registers but the stack's with patterns, faults, and returns how many came back changed. */
unsigned long probe_registers(void);

/* Executes what is no instruction: true when its entry in the exception table took over. */
bool probe_undefined(void);

/* Is there a leaf for VA in the hypervisor's own tables? */
bool probe_is_mapped(const void *va);

/* Leaves that allow both, in all of the hypervisor's own tables. */
unsigned long probe_writable_and_executable(void);

paddr_t probe_image_paddr(const void *image);

/* A page below VA, of those that devices are mapped to, for reading; its removal is flushed on all CPUs. */
int probe_map(void *va, mfn_t mfn) __must_check;
void probe_unmap(void *va);

#endif
