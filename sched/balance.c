// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work that changes CPU: an idle CPU takes what waits elsewhere, and where somebody waits, the end
 * of each slice compares the queues' virtual times, and so does a CPU whose vCPU falls asleep. All count alike, so who has had too little for
 * its weight is behind, whichever queue it is in: the one that waits here takes the place of the
 * one furthest ahead elsewhere. So shares follow the weights over all CPUs, as far as one vCPU can
 * use one CPU only. A CPU on which nobody waits has no part in this.
 *
 * A queue can be behind for reasons that nobody can mend: its vCPUs may run nowhere else, it had
 * fewer competitors when the others had none, or one vCPU's weight would be worth more than a CPU.
 * What it is behind by more than SCHED_LAG_MAX is forgotten.
 *
 * One run queue's lock at a time; what was seen under another may have changed, and then the move
 * is a poor one, mended at the next slice.
 */
#include <tine/arch.h>
#include "internal.h"

#define NOBODY (~0UL)
#define BALANCE_MARGIN (SCHED_SLICE / 2) /* of the heaviest: what makes a move worth its price */

/* The first in FROM's queue that may run on CPU is taken out and made CPU's, in no queue yet. */
static struct vcpu *take_from(unsigned int from, unsigned int cpu)
{
	struct run_queue *rq = sched_queue_of(from);
	unsigned long flags;
	struct vcpu *v, *found = NULL;

	if (!READ_ONCE(rq->nr_waiting))
		return NULL;
	flags = spin_lock_irqsave(&rq->lock);
	list_for_each (v, &rq->waiting, run_link) {
		if (cpumask_test(&v->affinity, cpu)) {
			found = v;
			break;
		}
	}
	if (found) {
		run_queue_remove(rq, found);
		WRITE_ONCE(found->moving, true);
		sched_hand_over(found, cpu);
	}
	spin_unlock_irqrestore(&rq->lock, flags);
	return found;
}

/*
 * V, taken from another queue, goes into CPU's. Somebody may have stopped it, or woken it and so
 * queued it, meanwhile. Its domain, if it ends, waits for this: see domain_end.c.
 */
static void bring_to(unsigned int cpu, struct vcpu *v)
{
	struct run_queue *rq = sched_queue_of(cpu);
	unsigned long flags = spin_lock_irqsave(&rq->lock);

	rq->arrivals++;
	if (__atomic_load_n(&v->cpu, __ATOMIC_ACQUIRE) == cpu && sched_nowhere(v) &&
	    vcpu_runnable(v))
		sched_enqueue(rq, v, false);
	__atomic_store_n(&v->moving, false, __ATOMIC_RELEASE);
	spin_unlock_irqrestore(&rq->lock, flags);
}

void sched_steal_for(unsigned int cpu)
{
	unsigned int from;

	for_each_online_cpu (from) {
		struct vcpu *v = from == cpu ? NULL : take_from(from, cpu);

		if (v) {
			bring_to(cpu, v);
			return;
		}
	}
}

/* ---- Comparing queues ---- */

/* What a queue looked like a moment ago; all in virtual time. */
struct view {
	u64 curr, first;    /* of those that wait; NOBODY: idle, none waits */
	u64 lag;            /* SCHED_LAG_MAX to the lightest of the two */
	u64 margin;         /* BALANCE_MARGIN to the heaviest */
	cpumask_t affinity; /* first's */
};

static void note_one(struct view *view, const struct vcpu *v)
{
	view->lag = max(view->lag, run_queue_weighted(v, SCHED_LAG_MAX));
	view->margin = min(view->margin, run_queue_weighted(v, BALANCE_MARGIN));
}

static struct view look_at(struct run_queue *rq)
{
	struct view view = { .curr = NOBODY, .first = NOBODY, .margin = NOBODY };
	unsigned long flags = spin_lock_irqsave(&rq->lock);
	const struct vcpu *first = run_queue_first(rq);

	if (!vcpu_is_idle(rq->curr)) {
		run_queue_charge(rq, rq->curr, system_time());
		view.curr = rq->curr->vruntime;
		note_one(&view, rq->curr);
	}
	if (first) {
		view.first = first->vruntime;
		view.affinity = first->affinity;
		note_one(&view, first);
	}
	spin_unlock_irqrestore(&rq->lock, flags);
	return view;
}

/*
 * RQ, that looked like THIS, does not fall behind one that looks like OTHER by more than a lag.
 * Several CPUs may see to that at the same time.
 */
static void keep_up(struct run_queue *rq, struct view *this, const struct view *other)
{
	u64 at = min(this->curr, this->first), level = min(other->curr, other->first);
	u64 lag = max(this->lag, other->lag);
	unsigned long flags;
	u64 by;

	if (at == NOBODY || level == NOBODY || at + lag >= level)
		return;
	flags = spin_lock_irqsave(&rq->lock);
	by = run_queue_lift(rq, level - lag);
	spin_unlock_irqrestore(&rq->lock, flags);
	if (this->curr != NOBODY)
		this->curr += by;
	if (this->first != NOBODY)
		this->first += by;
}

/*
 * Would the first that waits in MINE run on a CPU with THAT queue? Those that wait there have the
 * first claim to it, if they are no further ahead.
 */
static bool would_run(const struct view *mine, const struct view *that)
{
	return that->first > mine->first && that->curr > mine->first &&
	       that->curr - mine->first > min(mine->margin, that->margin);
}

static bool waits_elsewhere(unsigned int cpu)
{
	unsigned int other;

	for_each_online_cpu (other) {
		if (other != cpu && READ_ONCE(sched_queue_of(other)->nr_waiting))
			return true;
	}
	return false;
}

/*
 * Those that wait here would have what sleepers leave for up to a slice each time, however far ahead of others they are. Whoever has to wait there
 * comes here, even if the one that runs there is ahead of all: the next slice's end sees to that one.
 */
void sched_pull_for(unsigned int cpu)
{
	unsigned int other, from = cpu;
	struct view mine;
	struct vcpu *v;
	u64 least;

	if (!waits_elsewhere(cpu))
		return;
	mine = look_at(sched_queue_of(cpu));
	least = mine.first;
	for_each_online_cpu (other) {
		struct view that = { .first = NOBODY };

		if (other != cpu)
			that = look_at(sched_queue_of(other));
		if (that.first < least && mine.first - that.first > that.margin &&
		    cpumask_test(&that.affinity, cpu)) {
			least = that.first;
			from = other;
		}
	}
	v = from != cpu ? take_from(from, cpu) : NULL;
	if (v)
		bring_to(cpu, v);
}

void sched_balance(unsigned int cpu)
{
	struct run_queue *rq = sched_queue_of(cpu);
	struct view mine = look_at(rq);
	unsigned int other, to = cpu;
	u64 most = mine.curr;

	if (mine.first == NOBODY || mine.curr == NOBODY)
		return;
	most += mine.margin; /* one that is as far ahead here would do */
	for_each_online_cpu (other) {
		struct view that;

		if (other == cpu)
			continue;
		that = look_at(sched_queue_of(other));
		keep_up(sched_queue_of(other), &that, &mine);
		keep_up(rq, &mine, &that);
		if (that.curr > most && cpumask_test(&mine.affinity, other) &&
		    would_run(&mine, &that)) {
			most = that.curr;
			to = other;
		}
	}
	if (to != cpu) {
		struct vcpu *v = take_from(cpu, to);

		if (v)
			bring_to(to, v);
	}
}
