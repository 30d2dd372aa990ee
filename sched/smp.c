// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calling a function on other CPUs. Each CPU has a stack of requests that others push onto without
 * a lock and that the CPU takes whole; a request lives in its sender's area and is the sender's
 * again when `waiting` no longer counts it.
 *
 * While it waits, a sender serves its own stack, so that two CPUs that call each other never stand
 * still.
 */
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/cpu.h>
#include <tine/lib.h>

unsigned int opt_maxcpus = MAX_CPUS;
CMDLINE_UINT_OPTION("maxcpus", maxcpus, opt_maxcpus);

struct call_request {
	struct call_request *next;
	void (*fn)(void *arg);
	void *arg;
	unsigned int *waiting; /* CPUs that have not run it yet */
};

static DEFINE_PERCPU(struct call_request *, call_stack);
/*
 * One request a target: a CPU makes one smp_call() at a time, since none is made in interrupt
 * context.
 */
struct call_requests {
	struct call_request to[MAX_CPUS];
};
static DEFINE_PERCPU(struct call_requests, call_requests);

void smp_call_handle(void)
{
	struct call_request **stack = &per_cpu(call_stack, smp_processor_id());
	struct call_request *req = __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);

	while (req) {
		struct call_request *next = req->next;

		req->fn(req->arg);
		__atomic_fetch_sub(req->waiting, 1, __ATOMIC_RELEASE); /* it is the sender's now */
		req = next;
	}
}

static void push(struct call_request *req, unsigned int cpu)
{
	struct call_request **stack = &per_cpu(call_stack, cpu);

	req->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(stack, &req->next, req, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	arch_send_ipi(cpu, IPI_CALL);
}

void smp_call(const cpumask_t *cpus, void (*fn)(void *arg), void *arg)
{
	unsigned int cpu, me = smp_processor_id();
	unsigned int waiting = 0;

	for_each_cpu (cpu, cpus) {
		struct call_request *req = &per_cpu(call_requests, me).to[cpu];

		if (cpu == me || !cpu_online(cpu))
			continue;
		*req = (struct call_request){ .fn = fn, .arg = arg, .waiting = &waiting };
		__atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
		push(req, cpu);
	}
	if (cpumask_test(cpus, me))
		fn(arg);
	while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE)) {
		smp_call_handle();
		cpu_relax();
	}
}
