// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `bench`: what a call costs from the guest's side. Under QEMU's `-icount
 * shift=0,sleep=off` one instruction is one nanosecond and the TSC counts it, so the figures are
 * instructions and repeat. Events are masked and no timer runs meanwhile. Here are the calls that
 * change little; the other groups have files of their own.
 */
#include "tiny_bench.h"
#include "tiny_event.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tiny_work.h"
#include "tinypv.h"
#include "tinypv_gdt.h"
#include "tinypv_hypercall.h"
#include "tinypv_user.h"

#define MANY 128u

static struct {
	uint64_t descriptor_at, descriptor;
	uint64_t *page;
	uint64_t entry;
	multicall_entry_t calls[3];
	mmu_update_t updates[MANY];
	evtchn_send_t send;
} on;

static inline long nothing(void)
{
	asm volatile("" : : : "memory");
	return 0;
}

static inline long forced_cpuid(void)
{
	uint32_t a = 0x40000000, c = 0;

	asm volatile("ud2; .ascii \"xen\"; cpuid" : "+a"(a), "+c"(c) : : "ebx", "edx");
	return 0;
}

BENCH_ROW(nothing, nothing())
BENCH_ROW(xen_version, hv_xen_version(XENVER_version, NULL))
BENCH_ROW(update_descriptor, hv_update_descriptor(on.descriptor_at, on.descriptor))
BENCH_ROW(multicall3, hv_multicall(on.calls, 3))
BENCH_ROW(stack_switch, hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top()))
BENCH_ROW(set_segment_base, hv_set_segment_base(SEGBASE_FS, 0x1000))
BENCH_ROW(update_va_mapping, hv_update_va_mapping(on.page, on.entry, UVMF_NONE))
BENCH_ROW(sched_yield, hv_sched_op(SCHEDOP_yield, NULL))
BENCH_ROW(forced_cpuid, forced_cpuid())
BENCH_ROW(evtchn_send, hv_event_channel_op(EVTCHNOP_send, &on.send))
BENCH_ROW(mmu_update_1, hv_mmu_update(on.updates, 1, NULL))
BENCH_ROW(mmu_update_128, hv_mmu_update(on.updates, MANY, NULL))

static const struct bench_row rows[] = {
	{ "xen_version", bench_xen_version, 0 },
	{ "update_descriptor", bench_update_descriptor, 0 },
	{ "multicall3_update_descriptor", bench_multicall3, 0 },
	{ "stack_switch", bench_stack_switch, 0 },
	{ "set_segment_base", bench_set_segment_base, 0 },
	{ "update_va_mapping", bench_update_va_mapping, 0 },
	{ "sched_yield", bench_sched_yield, 0 },
	{ "forced_cpuid", bench_forced_cpuid, 0 },
	{ "evtchn_send_masked", bench_evtchn_send, 0 },
	{ "mmu_update_1", bench_mmu_update_1, 0 },
	{ "mmu_update_128", bench_mmu_update_128, 0 },
};

static const char *prepare(void)
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };
	unsigned int i;

	if (gdt_init())
		return "no GDT";
	on.descriptor_at = gdt_machine_address(GDT_TLS);
	on.descriptor = gdt_data_descriptor(0x804b060, 0xfffff) | 1ul << 40;
	for (i = 0; i < ARRAY_SIZE(on.calls); i++)
		on.calls[i] = (multicall_entry_t){
			.op = __HYPERVISOR_update_descriptor,
			.args = { gdt_machine_address(GDT_TLS + i), on.descriptor },
		};
	on.page = page_alloc();
	on.entry = make_pte(virt_to_mfn(on.page), PTE_KERNEL_RW);
	/* MANY neighbours in one table, each written with what it holds. */
	for (i = 0; i < MANY; i++) {
		const uint64_t *entry =
			pte_of((const void *)(TINY_VIRT_BASE + TINY_LOAD_OFFSET + i * PAGE_SIZE),
			       1);

		on.updates[i] =
			(mmu_update_t){ .ptr = virt_to_machine(entry) | MMU_NORMAL_PT_UPDATE,
					.val = *entry };
	}
	if (hv_event_channel_op(EVTCHNOP_bind_ipi, &bind))
		return "cannot bind an IPI port";
	event_mask_port(bind.port);
	on.send.port = bind.port;
	return NULL;
}

static bool run_row(const struct bench_row *row, uint64_t loop)
{
	unsigned int count = row->count ? row->count : BENCH_COUNT;
	uint64_t elapsed;
	long rc = row->run(&elapsed);

	if (rc == -XEN_ENOSYS) {
		printf("bench: call=%s not offered by this hypervisor\n", row->name);
		return true;
	}
	if (row->run == bench_xen_version ? rc < 0 : rc != 0) {
		printf("bench: call=%s failed: %ld\n", row->name, rc);
		return false;
	}
	if (!row->count)
		elapsed -= loop;
	printf("bench: call=%s count=%u ticks=%lu\n", row->name, count,
	       (elapsed + count / 2) / count);
	return true;
}

static const char *run_group(const struct bench_group *group, uint64_t loop)
{
	const char *failure = group->prepare();
	unsigned int i;

	for (i = 0; i < group->count && !failure; i++)
		if (!run_row(&group->rows[i], loop))
			failure = "a benchmark row";
	return failure;
}

static const struct bench_group calls = { prepare, rows, ARRAY_SIZE(rows) };
static const struct bench_group *const groups[] = { &calls, &bench_traps, &bench_memory,
						    &bench_grants, &bench_vcpus };

const char *work_bench(const char *line)
{
	const char *failure = NULL;
	bool events = events_off();
	uint64_t loop;
	unsigned int i;

	(void)line;
	bench_nothing(&loop);
	for (i = 0; i < ARRAY_SIZE(groups) && !failure; i++)
		failure = run_group(groups[i], loop);
	for (i = 0; i < ARRAY_SIZE(on.calls) && !failure; i++)
		if (on.calls[i].result)
			failure = "update_descriptor in a multicall";
	events_restore(events);
	return failure;
}
