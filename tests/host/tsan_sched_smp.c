// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler, timers and event channels on CPUs that are threads, with the thread sanitizer watching: vCPUs block, poll, yield, are
 * stopped, woken and sent events from everywhere, and domains come and go. At the end nobody may have been lost.
 */
#include "host_sched.h"
#include <pthread.h>
#include <stdio.h>
#include <tine/evtchn.h>
#include <tine/softirq.h>
#include "host_machine.h"

#define CPUS 4
#define DOMAINS 4
#define VCPUS 3

static u32 ports[VCPUS];     /* the same in each domain */
static domid_t ids[DOMAINS]; /* of those that are there; who comes has another than who went */
static struct timer timers[CPUS];
static unsigned long fired, made;
static bool over;

static __thread u64 chance;

static unsigned int below(unsigned int n)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return (unsigned int)((chance >> 20) % n);
}

static void count_fired(void *arg)
{
	__atomic_fetch_add(&fired, 1, __ATOMIC_RELAXED);
}

/* What a guest would do, if one runs here. */
static void be_a_guest(void)
{
	struct vcpu *v = current;
	u32 port;

	if (vcpu_is_idle(v))
		return;
	port = ports[v->id];
	__atomic_store_n(&v->info->evtchn_upcall_pending, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&v->info->evtchn_pending_sel, 0, __ATOMIC_RELAXED);
	(void)__atomic_fetch_and(&v->domain->shared_info->evtchn_pending[port / 64],
				 ~(1UL << (port % 64)), __ATOMIC_SEQ_CST);
	switch (below(4)) {
	case 0:
		vcpu_block();
		break;
	case 1:
		(void)!vcpu_poll(&port, 1, system_time() + below(3000));
		break;
	case 2:
		sched_give_way();
		break;
	case 3:
		timer_set(&v->singleshot, system_time() + below(2000));
		break;
	}
}

/* What may happen from outside, to any of them. */
static void interfere_with(struct domain *d)
{
	unsigned int i = below(VCPUS);
	struct vcpu *v = d->vcpus[i];

	switch (below(6)) {
	case 0:
	case 1:
	case 2:
		(void)!evtchn_send(d, ports[i]);
		break;
	case 3:
		vcpu_stop(v, VCPU_DOWN);
		vcpu_wake(v, VCPU_DOWN);
		break;
	case 4:
		domain_pause_nowait(d);
		domain_unpause(d);
		break;
	case 5:
		timer_set(&timers[below(CPUS)], system_time() + below(500));
		break;
	}
}

static bool make_domain(unsigned int slot)
{
	struct domain_config config = {
		.name = "d", .vcpus = VCPUS, .memory = MiB(1), .type = DOMAIN_PVH
	};
	struct domain *d = domain_create(&config);

	if (!d)
		return false;
	for (unsigned int n = 0; n < VCPUS; n++) {
		u32 port;

		if (evtchn_bind_ipi(d, n, &port) || (made && port != ports[n]))
			return false;
		if (!made)
			ports[n] = port;
		d->vcpus[n]->info->evtchn_upcall_mask = 0;
		vcpu_wake(d->vcpus[n], VCPU_DOWN);
	}
	made++;
	domain_unpause(d);
	__atomic_store_n(&ids[slot], d->id, __ATOMIC_RELAXED);
	return true;
}

static void interfere(unsigned int cpu)
{
	unsigned int slot = below(DOMAINS);
	domid_t id = __atomic_load_n(&ids[slot], __ATOMIC_RELAXED);
	struct domain *d = domain_get(id);

	if (d) {
		interfere_with(d);
		if (below(500) == 0)
			domain_destroy(d);
		domain_put(d);
	} else if (cpu == CPUS - 1 && !domain_of_id(id) && !make_domain(slot)) {
		printf("# no domain\n");
	}
}

static void look_at_softirqs(unsigned int cpu)
{
	if (host_timer[cpu] <= system_time()) {
		host_timer[cpu] = STIME_MAX;
		timer_interrupt();
	}
	if (softirq_waiting())
		softirq_process();
}

static void *cpu_thread(void *arg)
{
	unsigned int cpu = (unsigned int)(unsigned long)arg;

	host_be(cpu);
	chance = 88172645463325252ULL * (cpu + 1);
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		__atomic_fetch_add(&host_time, 100, __ATOMIC_RELAXED);
		look_at_softirqs(cpu);
		if (below(4) == 0)
			be_a_guest();
		if (below(8) == 0)
			interfere(cpu);
		look_at_softirqs(cpu);
	}
	return NULL;
}

/* Everybody woken for good and given time must have run. */
static void count_lost(struct domain *d, void *arg)
{
	unsigned long *lost = arg;

	for (unsigned int n = 0; n < VCPUS; n++) {
		vcpu_runstate_info_t before, after;
		struct vcpu *v = d->vcpus[n];

		vcpu_unblock(v);
		vcpu_get_runstate(v, &before);
		host_run_until(host_time + 200 * NSEC_PER_MSEC);
		vcpu_get_runstate(v, &after);
		*lost += !d->dying && (!vcpu_runnable(v) || after.time[RUNSTATE_running] ==
								    before.time[RUNSTATE_running]);
	}
}

int main(void)
{
	double end = machine_now() + machine_seconds(5);
	pthread_t threads[CPUS];
	unsigned long lost = 0;

	host_sched_start(CPUS);
	for (unsigned int i = 0; i < DOMAINS; i++) {
		if (!make_domain(i))
			return 1;
	}
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		timer_init(&timers[cpu], count_fired, NULL, cpu);
	for (unsigned long cpu = 0; cpu < CPUS; cpu++)
		pthread_create(&threads[cpu], NULL, cpu_thread, (void *)cpu);
	while (machine_now() < end)
		cpu_relax();
	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		pthread_join(threads[cpu], NULL);
	host_be(0);
	host_run_until(host_time + NSEC_PER_SEC);
	domain_for_each(count_lost, &lost);
	printf("# %lu timers fired, %lu domains made\n", fired, made);
	if (lost || !fired || made <= DOMAINS) {
		printf("not ok: %lu vCPUs do not run\n", lost);
		return 1;
	}
	printf("ok\n");
	return 0;
}
