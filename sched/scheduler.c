// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who runs where. One hypervisor stack a CPU and none a vCPU: switching is changing `current` in
 * SOFTIRQ_SCHEDULE, with nothing of the old vCPU left on the stack; sched_run() then enters the new
 * one.
 *
 * A vCPU is at any time in one of three places: running (v->running), in the queue of v->cpu, or
 * nowhere because it is not runnable. It changes place, and v->cpu, only under the lock of the
 * queue of v->cpu. `running` stays set until arch_context_switch() has put its registers away, so
 * no other CPU starts it with old ones.
 *
 * Two queues' locks are never held together: a vCPU that moves is in neither queue for a moment,
 * and whoever next holds the new queue's lock finds it runnable and nowhere, and queues it. Which
 * ones move, and when, is balance.c's.
 */
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include "internal.h"

DEFINE_PERCPU(struct vcpu *, current_vcpu);
static DEFINE_PERCPU(struct run_queue, run_queue);

static cpumask_t idle_cpus; /* a hint: read without a lock */

struct run_queue *sched_queue_of(unsigned int cpu)
{
	return &per_cpu(run_queue, cpu);
}

struct run_queue *sched_lock_queue(struct vcpu *v, unsigned long *flags)
{
	for (;;) {
		unsigned int cpu = __atomic_load_n(&v->cpu, __ATOMIC_ACQUIRE);
		struct run_queue *rq = sched_queue_of(cpu);

		*flags = spin_lock_irqsave(&rq->lock);
		/* It may have left and come back in between: acquire again. */
		if (likely(__atomic_load_n(&v->cpu, __ATOMIC_ACQUIRE) == cpu))
			return rq;
		spin_unlock_irqrestore(&rq->lock, *flags);
	}
}

/*
 * From here on the lock of CPU's queue guards V: what was written to it under this one must be seen
 * by whoever finds the new number.
 */
void sched_hand_over(struct vcpu *v, unsigned int cpu)
{
	__atomic_store_n(&v->cpu, cpu, __ATOMIC_RELEASE);
}

bool sched_nowhere(const struct vcpu *v)
{
	return !v->running && list_empty(&v->run_link);
}

/* Under the lock: who put it away or moved it a moment ago has finished with it. */
bool sched_is_gone(struct vcpu *v)
{
	unsigned long flags;
	struct run_queue *rq = sched_lock_queue(v, &flags);
	bool gone = sched_nowhere(v) && !READ_ONCE(v->moving);

	spin_unlock_irqrestore(&rq->lock, flags);
	return gone;
}

/*
 * An idle CPU that V may use, or MAX_CPUS. It counts as idle no longer: the next one is sent
 * elsewhere.
 */
static unsigned int claim_idle_cpu(const struct vcpu *v)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(idle_cpus.bits); i++) {
		unsigned long both = READ_ONCE(idle_cpus.bits[i]) &
				     READ_ONCE(cpu_online_map.bits[i]) & v->affinity.bits[i];

		if (both) {
			unsigned int cpu = i * BITS_PER_LONG + lsb(both);

			cpumask_clear(&idle_cpus, cpu);
			return cpu;
		}
	}
	return MAX_CPUS;
}

/*
 * Sees to it that somebody looks at CPU's queue soon, while anybody waits in it. Neither a switch
 * nor the last one's leaving stops the timer: it is cheaper to let it find nothing to do.
 */
static void arm_slice(struct run_queue *rq, stime_t now)
{
	if (!rq->nr_waiting || rq->slice_set)
		return;
	rq->slice_set = true;
	/* Where they never wait for as long as a slice, nobody would ever look. */
	timer_set(&rq->slice, now + (rq->slice_missed ? SCHED_SLICE_SHORT : SCHED_SLICE));
}

static void slice_over(void *arg)
{
	unsigned int cpu = smp_processor_id();
	struct run_queue *rq = sched_queue_of(cpu);
	unsigned long flags = spin_lock_irqsave(&rq->lock);
	bool competition = rq->nr_waiting != 0;

	rq->slice_set = false;
	rq->slice_missed = rq->compare_soon = !competition;
	spin_unlock_irqrestore(&rq->lock, flags);
	if (competition) {
		sched_balance(cpu);
		softirq_raise(SOFTIRQ_SCHEDULE);
	}
}

/*
 * V has come to wait in a queue: an idle CPU that may run it will come and steal. One that is about
 * to be idle says so before it looks for work, V is queued before we look who is.
 */
static void offer_work(const struct vcpu *v)
{
	unsigned int cpu;

	smp_mb();
	cpu = claim_idle_cpu(v);
	if (cpu < MAX_CPUS)
		softirq_raise_on(cpu, SOFTIRQ_SCHEDULE);
}

/* ---- Becoming runnable, and ceasing to be ---- */

static int state_when_off(const struct vcpu *v)
{
	unsigned long flags = READ_ONCE(v->pause_flags);

	if (!flags)
		return RUNSTATE_runnable;
	return flags & BIT(VCPU_BLOCKED) ? RUNSTATE_blocked : RUNSTATE_offline;
}

void sched_enqueue(struct run_queue *rq, struct vcpu *v, bool slept)
{
	stime_t now = system_time();

	if (!vcpu_is_idle(rq->curr))
		run_queue_charge(rq, rq->curr, now);
	run_queue_admit(rq, v, slept);
	vcpu_update_runstate(v, RUNSTATE_runnable);
	run_queue_insert(rq, v);
	if (run_queue_preempts(rq, v)) {
		softirq_raise_on(v->cpu, SOFTIRQ_SCHEDULE);
		return;
	}
	arm_slice(rq, now);
	offer_work(v);
}

/* Where V best runs now: where it was if that is free, else on any idle CPU, else where it was. */
static unsigned int choose_cpu(const struct run_queue *rq, const struct vcpu *v)
{
	unsigned int cpu;

	if (vcpu_is_idle(rq->curr) && !rq->nr_waiting) {
		cpumask_clear(&idle_cpus, v->cpu);
		return v->cpu;
	}
	cpu = claim_idle_cpu(v);
	return cpu < MAX_CPUS ? cpu : v->cpu;
}

void sched_wake(struct vcpu *v)
{
	unsigned int cpu = 0;
	bool moved = false;

	for (;;) {
		unsigned long flags;
		struct run_queue *rq = sched_lock_queue(v, &flags);

		if (!vcpu_runnable(v) || !sched_nowhere(v)) {
			spin_unlock_irqrestore(&rq->lock, flags);
			if (moved) /* and does not need the CPU that was claimed for it */
				softirq_raise_on(cpu, SOFTIRQ_SCHEDULE);
			return;
		}
		cpu = moved ? v->cpu : choose_cpu(rq, v);
		if (cpu == v->cpu) {
			sched_enqueue(rq, v, true);
			spin_unlock_irqrestore(&rq->lock, flags);
			return;
		}
		sched_hand_over(v, cpu);
		moved = true;
		spin_unlock_irqrestore(&rq->lock, flags);
	}
}

void sched_sleep(struct vcpu *v)
{
	unsigned long flags;
	struct run_queue *rq = sched_lock_queue(v, &flags);

	if (!vcpu_runnable(v)) {
		if (v->running) {
			softirq_raise_on(v->cpu, SOFTIRQ_SCHEDULE);
		} else {
			if (!list_empty(&v->run_link))
				run_queue_remove(rq, v);
			vcpu_update_runstate(v, state_when_off(v));
		}
	}
	spin_unlock_irqrestore(&rq->lock, flags);
}

void sched_give_way(void)
{
	struct vcpu *v = current;

	/* Alone on the CPU: nothing to give it up for, and the guest will ask again. */
	if (!READ_ONCE(sched_queue_of(v->cpu)->nr_waiting))
		return;
	v->yielding = true;
	softirq_raise(SOFTIRQ_SCHEDULE);
}

/* ---- The switch ---- */

static struct vcpu *pick(struct run_queue *rq, struct vcpu *prev, stime_t now)
{
	bool stay = !vcpu_is_idle(prev) && vcpu_runnable(prev);
	struct vcpu *first, *next;

	if (!vcpu_is_idle(prev))
		run_queue_charge(rq, prev, now);
	first = run_queue_first(rq);
	if (stay && (!first || (!prev->yielding && prev->vruntime <= first->vruntime))) {
		next = prev;
	} else if (first) {
		run_queue_remove(rq, first);
		next = first;
	} else {
		next = rq->idle;
	}
	prev->yielding = false;
	WRITE_ONCE(next->running, true);
	next->charged_at = now;
	rq->curr = next;
	return next;
}

/* PREV's registers are away: it may run elsewhere now, or waits here. */
static void put_away(struct run_queue *rq, struct vcpu *prev, stime_t now)
{
	__atomic_store_n(&prev->running, false, __ATOMIC_RELEASE);
	if (vcpu_is_idle(prev) || !vcpu_runnable(prev))
		return;
	/* It may have been woken after pick() had found it asleep. */
	if (prev->runstate.state != RUNSTATE_runnable)
		vcpu_update_runstate(prev, RUNSTATE_runnable);
	run_queue_insert(rq, prev);
	if (vcpu_is_idle(rq->curr))
		softirq_raise(SOFTIRQ_SCHEDULE);
	else
		offer_work(prev);
}

/* Interrupts off. `current` is PREV until its registers are put away. */
static void switch_to(struct run_queue *rq, struct vcpu *prev, struct vcpu *next, stime_t now)
{
	bool overdue;

	if (!vcpu_is_idle(prev)) {
		vcpu_publish_runstate(prev);
		if (!list_empty(&prev->periodic.link))
			timer_stop(&prev->periodic);
	}
	this_cpu(current_vcpu) = next;
	arch_context_switch(prev, next);

	spin_lock(&rq->lock);
	rq->switches++;
	put_away(rq, prev, now);
	/* Those that wait for less than the short slice are compared when they begin to, once for each slice that found nobody. */
	overdue = rq->compare_soon && rq->nr_waiting;
	if (overdue)
		rq->compare_soon = false;
	arm_slice(rq, now);
	spin_unlock(&rq->lock);
	if (unlikely(overdue))
		sched_balance(smp_processor_id());

	if (!vcpu_is_idle(next))
		vcpu_switched_in(next);
}

/* PREV needs CPU no longer. An idle one that somebody has come to wants nobody else: the one that came would wait where no idle CPU looks. */
static void look_for_work(const struct run_queue *rq, unsigned int cpu, const struct vcpu *prev)
{
	if (READ_ONCE(rq->nr_waiting)) {
		if (!vcpu_is_idle(prev))
			sched_pull_for(cpu);
		return;
	}
	if (!cpumask_test(&idle_cpus, cpu))
		cpumask_set(&idle_cpus, cpu);
	smp_mb(); /* see offer_work() */
	sched_steal_for(cpu);
}

static void schedule(void)
{
	unsigned int cpu = smp_processor_id();
	struct run_queue *rq = sched_queue_of(cpu);
	struct vcpu *prev = current, *next;
	unsigned long flags;
	stime_t now;

	if (vcpu_is_idle(prev) || !vcpu_runnable(prev))
		look_for_work(rq, cpu, prev);

	flags = spin_lock_irqsave(&rq->lock);
	now = system_time();
	next = pick(rq, prev, now);
	if (next != prev) {
		if (!vcpu_is_idle(prev))
			vcpu_update_runstate(prev, state_when_off(prev));
		if (!vcpu_is_idle(next))
			vcpu_update_runstate(next, RUNSTATE_running);
	} else {
		arm_slice(rq, now);
	}
	if (vcpu_is_idle(next) != cpumask_test(&idle_cpus, cpu))
		(vcpu_is_idle(next) ? cpumask_set : cpumask_clear)(&idle_cpus, cpu);
	spin_unlock(&rq->lock);
	if (next != prev)
		switch_to(rq, prev, next, now);
	local_irq_restore(flags);
}

void sched_run(void)
{
	for (;;) {
		bool idle;

		softirq_process();
		idle = vcpu_is_idle(current);
		if (idle && heap_scrub_idle())
			continue;
		local_irq_disable();
		if (softirq_waiting())
			continue;
		if (idle)
			arch_idle();
		else
			arch_vcpu_enter(current);
	}
}

/* ---- Start ---- */

void sched_vcpu_init(struct vcpu *v)
{
	unsigned int cpu, best = 0, load = ~0U;

	/* The CPU with the least to do; creation is rare, so it may count. */
	for_each_online_cpu (cpu) {
		const struct run_queue *rq = sched_queue_of(cpu);
		unsigned int n = READ_ONCE(rq->nr_waiting) + !cpumask_test(&idle_cpus, cpu);

		if (cpumask_test(&v->affinity, cpu) && n < load) {
			best = cpu;
			load = n;
		}
	}
	v->cpu = best;
	list_init(&v->run_link);
	v->vruntime = READ_ONCE(sched_queue_of(best)->floor);
	v->runstate.state = RUNSTATE_offline;
	v->runstate.state_entry_time = (u64)system_time();
}

void sched_cpu_init(unsigned int cpu)
{
	struct run_queue *rq = sched_queue_of(cpu);
	struct vcpu *idle = kzalloc(sizeof(*idle));

	if (!idle)
		panic("no memory for the idle vCPU of CPU %u", cpu);
	idle->id = cpu;
	idle->cpu = cpu;
	idle->running = true;
	list_init(&idle->run_link);
	run_queue_init(rq);
	rq->idle = idle;
	rq->slice_set = rq->slice_missed = rq->compare_soon = false;
	rq->curr = idle;
	timer_cpu_init(cpu);
	timer_init(&rq->slice, slice_over, NULL, cpu);
	if (arch_vcpu_create(idle))
		panic("no memory for the idle vCPU of CPU %u", cpu);
	this_cpu(current_vcpu) = idle;
	cpumask_set(&idle_cpus, cpu);
}

void sched_init(void)
{
	softirq_register(SOFTIRQ_SCHEDULE, schedule);
	domain_end_init();
	fork_init();
	console_init();
}

static void dump_vcpu(const char *what, const struct vcpu *v, const struct run_queue *rq)
{
	if (vcpu_is_idle(v))
		printk_always("  %s: idle\n", what);
	else
		printk_always("  %s: d%uv%u weight %u, %lld us from the floor\n", what,
			      v->domain->id, v->id, v->weight,
			      (long long)(v->vruntime - rq->floor) / NSEC_PER_USEC);
}

void sched_dump(unsigned int cpu)
{
	struct run_queue *rq = sched_queue_of(cpu);
	unsigned long flags = spin_lock_irqsave(&rq->lock);
	const struct vcpu *v;

	printk_always("CPU %u: %u waiting, %lu switches, %lu arrivals\n", cpu, rq->nr_waiting,
		      rq->switches, rq->arrivals);
	dump_vcpu("runs", rq->curr, rq);
	list_for_each (v, &rq->waiting, run_link)
		dump_vcpu("waits", v, rq);
	spin_unlock_irqrestore(&rq->lock, flags);
}
