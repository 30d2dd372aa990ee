// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `tables`: hypercalls with pointers into page tables that are wrong in every way, of every kind of paging, while the other
 * vCPU changes them. Tables lie in ordinary pages, and in those that the hypervisor writes as well (shared info, grants, the other's vcpu_info); entries
 * lead to tables, pages, holes, the addresses of devices, and beyond all memory. Only hypercalls follow them: the guest itself would end of it.
 *
 * The guest survives because none of it leads to its own code: table entries name only pages that are here for that, and addresses within
 * large pages begin at 8 MiB. A pattern between the two must be there in the end.
 */
#include "tiny_grant.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinypvh.h"
#include "tinypvh_mode.h"
#include "tinypvh_wrong.h"
#include <xen/hvm/hvm_op.h>
#include <xen/memory.h>

#define CALLS 20000
#define SEED 20261130UL
#define MSR_ICR 0x830
#define INIT_OTHERS 0xc4500
#define START_OTHERS (0xc4600 | TRAMPOLINE >> PAGE_SHIFT)
#define PATTERN_AT 0x400000UL
#define PATTERN_END 0x700000UL
#define PATTERN 0x1234567890abcdefUL

static uint64_t seed_of_other;
static volatile bool over, other_over;
static volatile unsigned long others_calls;
static uint8_t time_area[128] __attribute__((aligned(64)));

/* ---- Calls ---- */

static void version(struct wrong *w)
{
	static const int commands[] = { XENVER_extraversion, XENVER_compile_info,
					XENVER_capabilities, XENVER_commandline,
					XENVER_get_features, XENVER_build_id };

	if (hv_xen_version(commands[wrong_random(w) % ARRAY_SIZE(commands)], wrong_pointer(w)) >= 0)
		w->through++;
}

static void events(struct wrong *w)
{
	static const int commands[] = {
		EVTCHNOP_status, EVTCHNOP_alloc_unbound, EVTCHNOP_close,
		EVTCHNOP_send,   EVTCHNOP_unmask,        EVTCHNOP_bind_ipi
	};

	(void)hv_event_channel_op(commands[wrong_random(w) % ARRAY_SIZE(commands)],
				  wrong_pointer(w));
}

static void memory(struct wrong *w)
{
	static const int commands[] = { XENMEM_current_reservation, XENMEM_maximum_gpfn,
					XENMEM_memory_map, XENMEM_populate_physmap };
	unsigned int i = wrong_random(w) % ARRAY_SIZE(commands);
	struct xen_memory_reservation r = { .nr_extents = wrong_random(w) % 3,
					    .domid = DOMID_SELF };

	set_xen_guest_handle(r.extent_start, wrong_pointer(w));
	(void)hypercall2(__HYPERVISOR_memory_op, commands[i],
			 i == 3 ? (uint64_t)&r : (uint64_t)wrong_pointer(w));
}

static void grants(struct wrong *w)
{
	static const unsigned int commands[] = { GNTTABOP_query_size, GNTTABOP_get_version,
						 GNTTABOP_get_status_frames, GNTTABOP_map_grant_ref,
						 GNTTABOP_unmap_grant_ref };

	(void)hypercall3(__HYPERVISOR_grant_table_op,
			 commands[wrong_random(w) % ARRAY_SIZE(commands)],
			 (uint64_t)wrong_pointer(w), wrong_random(w) % 5);
}

static void parameters(struct wrong *w)
{
	(void)hypercall2(__HYPERVISOR_hvm_op, HVMOP_get_param, (uint64_t)wrong_pointer(w));
}

/* The hypervisor writes there at each switch to the vCPU, as the tables are at that time. */
static void time(struct wrong *w)
{
	uint64_t at = (uint64_t)wrong_pointer(w) & ~7UL;

	(void)hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_register_vcpu_time_memory_area, w->vcpu,
			 (uint64_t)&at);
}

static void poll(struct wrong *w)
{
	struct sched_poll op = { .nr_ports = wrong_random(w) % 130, .timeout = 1 };

	set_xen_guest_handle(op.ports, wrong_pointer(w));
	(void)hypercall2(__HYPERVISOR_sched_op, SCHEDOP_poll, (uint64_t)&op);
}

static void several(struct wrong *w)
{
	multicall_entry_t list[4];

	for (unsigned int i = 0; i < ARRAY_SIZE(list); i++)
		list[i] = (multicall_entry_t){
			.op = __HYPERVISOR_xen_version,
			.args = { XENVER_extraversion, (uint64_t)wrong_pointer(w) },
		};
	(void)hypercall2(__HYPERVISOR_multicall, (uint64_t)list, ARRAY_SIZE(list));
}

static void any_call(struct wrong *w)
{
	static void (*const calls[])(struct wrong * w) = { version,    events, memory, grants,
							   parameters, time,   poll,   several };

	calls[wrong_random(w) % ARRAY_SIZE(calls)](w);
}

/* ---- Other modes: vCPU 0's ---- */

static const struct {
	unsigned int op, command;
} narrow_calls[] = {
	{ __HYPERVISOR_xen_version, XENVER_extraversion },
	{ __HYPERVISOR_xen_version, XENVER_capabilities },
	{ __HYPERVISOR_event_channel_op, EVTCHNOP_status },
	{ __HYPERVISOR_event_channel_op, EVTCHNOP_alloc_unbound },
	{ __HYPERVISOR_event_channel_op, EVTCHNOP_close },
	{ __HYPERVISOR_hvm_op, HVMOP_get_param },
	{ __HYPERVISOR_memory_op, XENMEM_memory_map }, /* which such code may not */
};

static void call_narrow(struct wrong *w)
{
	static struct tinypvh_mode_call call;
	unsigned int i = wrong_random(w) % ARRAY_SIZE(narrow_calls);

	call = (struct tinypvh_mode_call){ .op = narrow_calls[i].op };
	call.args[0] = narrow_calls[i].command;
	call.args[1] = wrong_mode(w, &call);
	tinypvh_call_in_mode(&call);
	if ((int32_t)call.result >= 0)
		w->through_narrow++;
}

/* ---- The whole ---- */

/* The second processor's: no exceptions are handled there. */
void tinypvh_second(void)
{
	struct wrong w = { .state = seed_of_other, .vcpu = 1 };

	while (!over) {
		wrong_change(&w);
		any_call(&w);
		others_calls++;
	}
	other_over = true;
}

static void start_other(void)
{
	memcpy((void *)TRAMPOLINE, tinypvh_trampoline,
	       (size_t)(tinypvh_trampoline_end - tinypvh_trampoline));
	asm volatile("wrmsr" : : "c"(MSR_ICR), "a"(INIT_OTHERS), "d"(0) : "memory");
	asm volatile("wrmsr" : : "c"(MSR_ICR), "a"(START_OTHERS), "d"(0) : "memory");
	for (unsigned int i = 0; i < 1000 && !others_calls; i++)
		hypercall2(__HYPERVISOR_sched_op, SCHEDOP_yield, 0);
}

static void pattern(bool write)
{
	for (volatile uint64_t *at = (void *)PATTERN_AT; at < (uint64_t *)PATTERN_END; at += 64) {
		if (write)
			*at = PATTERN ^ (uint64_t)at;
		else if (*at != (PATTERN ^ (uint64_t)at))
			tiny_fail("tables: what no table leads to was written: %lx is at %p", *at,
				  (void *)at);
	}
}

static void end(void)
{
	uint64_t at = (uint64_t)time_area;

	over = true;
	while (others_calls && !other_over)
		hypercall2(__HYPERVISOR_sched_op, SCHEDOP_yield, 0);
	for (unsigned int vcpu = 0; vcpu < 2; vcpu++)
		(void)hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_register_vcpu_time_memory_area, vcpu,
				 (uint64_t)&at);
}

void tinypvh_tables(const char *line)
{
	unsigned long calls = cmdline_number(line, "calls", CALLS);
	uint64_t seed = cmdline_number(line, "seed", SEED);
	struct wrong w = { .state = seed * 2654435761UL + 1 };

	seed_of_other = seed * 40503UL + 2;
	pattern(true);
	wrong_prepare(&w);
	start_other();
	for (unsigned long i = 0; i < calls; i++) {
		wrong_change(&w);
		if (wrong_random(&w) % 4)
			any_call(&w);
		else
			call_narrow(&w);
	}
	end();
	pattern(false);
	printf("tiny: tables: seed=%lu, calls=%lu, %lu by the other vCPU; %lu and %lu went "
	       "through\n",
	       seed, calls, others_calls, w.through, w.through_narrow);
}
