// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From one vCPU to another on the same CPU: both yield in a loop, and the time is shared among the yields of both. Needs a
 * domain with two vCPUs.
 */
#include "tiny_bench.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define OTHER 1

extern const char bench_other_vcpu[];

/* For the other vCPU. */
volatile uint64_t bench_other_yields;
volatile uint32_t bench_other_stop;

static bool there;

static inline long yield(void)
{
	return hv_sched_op(SCHEDOP_yield, NULL);
}

BENCH_ROW(yields, yield())

static long vcpu_switch(uint64_t *elapsed)
{
	uint64_t before;
	long rc;

	if (!there)
		return -XEN_ENOSYS;
	rc = hv_vcpu_op(VCPUOP_up, OTHER, NULL);
	while (!rc && bench_other_yields < 10)
		(void)yield();
	before = bench_other_yields;
	if (!rc)
		rc = bench_yields(elapsed);
	*elapsed = *elapsed * BENCH_COUNT / (BENCH_COUNT + bench_other_yields - before);
	bench_other_stop = 1;
	while (!rc && hv_vcpu_op(VCPUOP_is_up, OTHER, NULL) > 0)
		(void)yield();
	return rc;
}

static const char *prepare(void)
{
	static vcpu_guest_context_t context;
	long rc = hv_vcpu_op(VCPUOP_is_up, OTHER, NULL);

	if (rc < 0)
		return NULL;
	context.flags = VGCF_in_kernel;
	context.user_regs.rip = (uint64_t)bench_other_vcpu;
	context.user_regs.rflags = 2;
	context.user_regs.cs = FLAT_KERNEL_CS;
	context.user_regs.ss = FLAT_KERNEL_SS;
	context.kernel_ss = FLAT_KERNEL_SS;
	context.ctrlreg[3] = virt_to_machine((const void *)tiny_start_info->pt_base);
	tiny_shared->vcpu_info[OTHER].evtchn_upcall_mask = 1;
	rc = hv_vcpu_op(VCPUOP_initialise, OTHER, &context);
	there = rc == 0;
	return there ? NULL : "the other vCPU cannot be initialised";
}

static const struct bench_row rows[] = {
	{ "vcpu_switch", vcpu_switch, 0 },
};

const struct bench_group bench_vcpus = { prepare, rows, ARRAY_SIZE(rows) };
