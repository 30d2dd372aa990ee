/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hypercalls that only a PV guest makes (abi pages 3 and 5). */
#ifndef TINYPV_HYPERCALL_H
#define TINYPV_HYPERCALL_H

#include "tiny_hypercall.h"

#include <xen/callback.h>
#include <xen/memory.h>

static inline long hv_set_trap_table(const trap_info_t *table)
{
	return hypercall1(__HYPERVISOR_set_trap_table, (uint64_t)table);
}

static inline long hv_set_callbacks(uint64_t event, uint64_t failsafe, uint64_t syscall)
{
	return hypercall3(__HYPERVISOR_set_callbacks, event, failsafe, syscall);
}

static inline long hv_callback_op(int command, void *argument)
{
	return hypercall2(__HYPERVISOR_callback_op, command, (uint64_t)argument);
}

static inline long hv_stack_switch(uint64_t ss, uint64_t sp)
{
	return hypercall2(__HYPERVISOR_stack_switch, ss, sp);
}

static inline long hv_set_gdt(const uint64_t *frames, unsigned int entries)
{
	return hypercall2(__HYPERVISOR_set_gdt, (uint64_t)frames, entries);
}

static inline long hv_update_descriptor(uint64_t machine_address, uint64_t descriptor)
{
	return hypercall2(__HYPERVISOR_update_descriptor, machine_address, descriptor);
}

static inline long hv_set_segment_base(unsigned int which, uint64_t base)
{
	return hypercall2(__HYPERVISOR_set_segment_base, which, base);
}

static inline long hv_fpu_taskswitch(bool set)
{
	return hypercall1(__HYPERVISOR_fpu_taskswitch, set);
}

static inline long hv_update_va_mapping(const void *address, uint64_t entry, uint64_t flags)
{
	return hypercall3(__HYPERVISOR_update_va_mapping, (uint64_t)address, entry, flags);
}

static inline long hv_mmu_update(const mmu_update_t *requests, unsigned int count,
				 unsigned int *done)
{
	return hypercall4(__HYPERVISOR_mmu_update, (uint64_t)requests, count, (uint64_t)done,
			  DOMID_SELF);
}

static inline long hv_mmuext_op(const mmuext_op_t *operations, unsigned int count,
				unsigned int *done)
{
	return hypercall4(__HYPERVISOR_mmuext_op, (uint64_t)operations, count, (uint64_t)done,
			  DOMID_SELF);
}

#endif
