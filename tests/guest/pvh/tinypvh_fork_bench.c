// SPDX-License-Identifier: GPL-2.0-or-later
/* The PVH guest's part of the word `fork-bench` (tiny_fork_bench.h): the TSC is the clock. Interrupts are off all the time. */
#include "tiny_fork_bench.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include <tine/fork_op.h>
#include <xen/vcpu.h>

void bench_init(void)
{
}

uint64_t bench_ticks(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t bench_time(void)
{
	struct vcpu_runstate_info now;

	if (hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_get_runstate_info, 0, (uint64_t)&now))
		tiny_fail("fork-bench: no run state");
	return now.state_entry_time;
}

#define RDTSC_TO(reg) "rdtsc; shl $32, %%rdx; lea (%%rax,%%rdx), %%" reg "\n"

long bench_fork(uint64_t flags, struct bench_places places, struct bench_moments *moments)
{
	register uint64_t begin asm("r8"), end asm("r9"), read asm("r12");
	register volatile uint8_t *parents asm("r13") = places.parent;
	register long id asm("r11");
	uint64_t command = TINE_FORK_self, nr = TINE_FORK_HYPERCALL;

	asm volatile(HYPERCALL_INSN "\n"
				    "mov %%rax, %%r11\n"
				    "test %%rax, %%rax\n"
				    "cmovnz %%r13, %%rbx\n" RDTSC_TO("r8") /* begin */
		     "movb (%%rbx), %%cl; lfence\n" RDTSC_TO("r12")        /* read */
		     "movb $1, (%%rbx)\n" RDTSC_TO("r9")                   /* end */
		     : "=r"(begin), "=r"(end), "=r"(read), "=r"(id), "+a"(nr), "+D"(command),
		       "+S"(flags), "+b"(places.child)
		     : "r"(parents)
		     : "rcx", "rdx", "r10", "cc", HYPERCALL_CLOBBERS);
	*moments = (struct bench_moments){ begin, read, end };
	return id;
}

void __noreturn bench_idle(void)
{
	for (;;)
		(void)hv_sched_op(SCHEDOP_block, NULL);
}
