// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One-shot timers: a list a CPU, ordered by expiry. The hardware is programmed for the first of it
 * and only ever moved earlier from here: a timer that is stopped leaves its interrupt standing,
 * which then finds nothing to do. That makes the common pair of set and stop cheap.
 *
 * Each queue's lock (LOCK_TIMER) guards its list, what the hardware is set to, and which function
 * runs. timer->cpu changes under both queues' locks. Functions are called without it.
 */
#include <tine/arch.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include <tine/spinlock.h>
#include <tine/time.h>

struct timer_queue {
	struct spinlock lock;
	struct list pending;
	stime_t programmed; /* what the hardware waits for; STIME_MAX: nothing */
	const struct timer *running;
};

static DEFINE_PERCPU(struct timer_queue, timer_queue);

static struct timer_queue *queue_of(unsigned int cpu)
{
	return &per_cpu(timer_queue, cpu);
}

/* The queue that T belongs to, locked, interrupts off. */
static struct timer_queue *lock_queue(const struct timer *t, unsigned long *flags)
{
	for (;;) {
		unsigned int cpu = READ_ONCE(t->cpu);
		struct timer_queue *q = queue_of(cpu);

		*flags = spin_lock_irqsave(&q->lock);
		if (likely(t->cpu == cpu))
			return q;
		spin_unlock_irqrestore(&q->lock, *flags);
	}
}

static stime_t earliest(const struct timer_queue *q)
{
	return list_empty(&q->pending) ? STIME_MAX
				       : list_first(&q->pending, struct timer, link)->expires;
}

/*
 * Puts T behind all that expire no later. Most timers go near the end they are set for, so look
 * from there.
 */
static void insert(struct timer_queue *q, struct timer *t)
{
	struct list *at = q->pending.prev;

	while (at != &q->pending && list_entry(at, struct timer, link)->expires > t->expires)
		at = at->prev;
	list_insert_after(at, &t->link);
}

/* Makes CPU's interrupt come early enough for its first timer. Its lock is held. */
static void advance_hardware(struct timer_queue *q, unsigned int cpu)
{
	stime_t first = earliest(q);

	if (first >= q->programmed)
		return;
	if (cpu == smp_processor_id()) {
		q->programmed = first;
		arch_timer_program(first);
	} else {
		softirq_raise_on(cpu, SOFTIRQ_TIMER);
	}
}

void timer_init(struct timer *t, void (*fn)(void *arg), void *arg, unsigned int cpu)
{
	*t = (struct timer){ .fn = fn, .arg = arg, .cpu = cpu };
	list_init(&t->link);
}

void timer_set(struct timer *t, stime_t expires)
{
	unsigned long flags;
	struct timer_queue *q = lock_queue(t, &flags);

	if (likely(!t->dead)) {
		list_del(&t->link);
		t->expires = expires;
		insert(q, t);
		advance_hardware(q, t->cpu);
	}
	spin_unlock_irqrestore(&q->lock, flags);
}

void timer_stop(struct timer *t)
{
	unsigned long flags;
	struct timer_queue *q;

	q = lock_queue(t, &flags);
	list_del(&t->link);
	spin_unlock_irqrestore(&q->lock, flags);
}

void timer_kill(struct timer *t)
{
	for (;;) {
		unsigned long flags;
		struct timer_queue *q = lock_queue(t, &flags);
		bool running = q->running == t;

		t->dead = true; /* FN cannot set it anew */
		list_del(&t->link);
		spin_unlock_irqrestore(&q->lock, flags);
		if (!running)
			return;
		cpu_relax();
	}
}

void timer_migrate(struct timer *t, unsigned int cpu)
{
	for (;;) {
		unsigned int from = READ_ONCE(t->cpu);
		struct timer_queue *a = queue_of(from), *b = queue_of(cpu);
		unsigned long flags;
		bool moved;

		if (from == cpu)
			return;
		flags = local_irq_save();
		spin_lock_both(&a->lock, &b->lock);
		/* One whose function runs stays: timer_kill() looks for it where it belongs. */
		moved = t->cpu == from && a->running != t;
		if (moved) {
			bool set = !list_empty(&t->link);

			list_del(&t->link);
			WRITE_ONCE(t->cpu, cpu);
			if (set) {
				insert(b, t);
				advance_hardware(b, cpu);
			}
		}
		spin_unlock_both(&a->lock, &b->lock);
		local_irq_restore(flags);
		if (moved || READ_ONCE(t->cpu) == from)
			return;
	}
}

/*
 * Runs what has expired by now, then sets the hardware for the rest. What becomes due meanwhile
 * comes with the next interrupt: other work of this CPU has its turn before.
 */
static void timer_softirq(void)
{
	struct timer_queue *q = queue_of(smp_processor_id());
	unsigned long flags = spin_lock_irqsave(&q->lock);
	stime_t now = system_time();

	while (earliest(q) <= now) {
		struct timer *t = list_first(&q->pending, struct timer, link);
		void (*fn)(void *arg) = t->fn;
		void *arg = t->arg;

		list_del(&t->link);
		q->running = t;
		spin_unlock_irqrestore(&q->lock, flags);
		fn(arg);
		flags = spin_lock_irqsave(&q->lock);
		q->running = NULL;
	}
	q->programmed = earliest(q);
	arch_timer_program(q->programmed);
	spin_unlock_irqrestore(&q->lock, flags);
}

void timer_interrupt(void)
{
	softirq_raise(SOFTIRQ_TIMER);
}

void timer_cpu_init(unsigned int cpu)
{
	struct timer_queue *q = queue_of(cpu);

	spin_lock_init(&q->lock, LOCK_TIMER);
	list_init(&q->pending);
	q->programmed = STIME_MAX;
	if (cpu == 0)
		softirq_register(SOFTIRQ_TIMER, timer_softirq);
}

void timer_dump(unsigned int cpu)
{
	struct timer_queue *q = queue_of(cpu);
	unsigned long flags = spin_lock_irqsave(&q->lock);
	stime_t now = system_time();
	const struct timer *t;

	list_for_each (t, &q->pending, link)
		printk_always("CPU %u: timer in %lld us, function %p\n", cpu,
			      (long long)(t->expires - now) / NSEC_PER_USEC,
			      (const void *)(uintptr_t)t->fn);
	spin_unlock_irqrestore(&q->lock, flags);
}
