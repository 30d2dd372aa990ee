/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hypercalls that PV and PVH guests share (abi page 3). The number goes in RAX, arguments in RDI,
 * RSI, RDX, R10, R8; arguments are written as in/out because debug hypervisors overwrite them.
 * Results are 0, a count, or -errno.
 */
#ifndef TINY_HYPERCALL_H
#define TINY_HYPERCALL_H

#include "tiny_types.h"

#include <xen/xen.h>
#include <xen/errno.h>
#include <xen/event_channel.h>
#include <xen/sched.h>
#include <xen/vcpu.h>
#include <xen/version.h>
#include <xen/features.h>

#include "hypercall_insn.h"

static inline long hypercall0(unsigned long number)
{
	long result;

	asm volatile(HYPERCALL_INSN : "=a"(result) : "0"(number) : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall1(unsigned long number, uint64_t a1)
{
	long result;

	asm volatile(HYPERCALL_INSN : "=a"(result), "+D"(a1) : "0"(number) : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall2(unsigned long number, uint64_t a1, uint64_t a2)
{
	long result;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall3(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3)
{
	long result;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2), "+d"(a3)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall4(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3,
			      uint64_t a4)
{
	long result;
	register uint64_t r10 asm("r10") = a4;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2), "+d"(a3), "+r"(r10)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hv_console_write(const char *text, size_t bytes)
{
	return hypercall3(__HYPERVISOR_console_io, CONSOLEIO_write, bytes, (uint64_t)text);
}

static inline long hv_xen_version(int command, void *buffer)
{
	return hypercall2(__HYPERVISOR_xen_version, command, (uint64_t)buffer);
}

static inline long hv_sched_op(int command, void *argument)
{
	return hypercall2(__HYPERVISOR_sched_op, command, (uint64_t)argument);
}

static inline long hv_event_channel_op(int command, void *argument)
{
	return hypercall2(__HYPERVISOR_event_channel_op, command, (uint64_t)argument);
}

static inline long hv_vcpu_op(int command, unsigned int vcpu, void *argument)
{
	return hypercall3(__HYPERVISOR_vcpu_op, command, vcpu, (uint64_t)argument);
}

static inline long hv_multicall(multicall_entry_t *calls, unsigned int count)
{
	return hypercall2(__HYPERVISOR_multicall, (uint64_t)calls, count);
}

#endif
