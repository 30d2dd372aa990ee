/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hypercalls that guests of all kinds share (abi page 3). Results are 0, a count, or -errno. */
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

/* hypercall0 to hypercall4: the number and so many arguments. */
#ifdef __aarch64__
#include "arm64/hypercall_hvc.h"
#else
#include "hypercall_x86.h"
#endif

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
