// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order in which vCPUs of one CPU run: by virtual run time, which grows with real run time, the
 * slower the higher a vCPU's weight. The one with the least has had the smallest share and runs
 * next. All queues count in the same time, so that vCPUs of two of them can be compared: see
 * balance.c.
 *
 * Plain data and arithmetic, under the queue's lock; what to do with the answer is scheduler.c's.
 */
#include "internal.h"

void run_queue_init(struct run_queue *rq)
{
	spin_lock_init(&rq->lock, LOCK_RUN_QUEUE);
	list_init(&rq->waiting);
}

/* Behind all that have no more than V, so that equals take turns. */
void run_queue_insert(struct run_queue *rq, struct vcpu *v)
{
	struct list *at = rq->waiting.prev;

	while (at != &rq->waiting && list_entry(at, struct vcpu, run_link)->vruntime > v->vruntime)
		at = at->prev;
	list_insert_after(at, &v->run_link);
	WRITE_ONCE(rq->nr_waiting, rq->nr_waiting + 1); /* others look without the lock */
}

void run_queue_remove(struct run_queue *rq, struct vcpu *v)
{
	ASSERT(!list_empty(&v->run_link));
	list_del(&v->run_link);
	WRITE_ONCE(rq->nr_waiting, rq->nr_waiting - 1);
}

struct vcpu *run_queue_first(const struct run_queue *rq)
{
	return list_empty(&rq->waiting) ? NULL : list_first(&rq->waiting, struct vcpu, run_link);
}

u64 run_queue_weighted(const struct vcpu *v, stime_t ns)
{
	if (ns <= 0)
		return 0;
	if (likely(v->weight == SCHED_WEIGHT_NOMINAL))
		return (u64)ns;
	return (u64)ns * SCHED_WEIGHT_NOMINAL / v->weight;
}

/* Counts V's running up to NOW, and lets the floor follow the least that anybody here has. */
void run_queue_charge(struct run_queue *rq, struct vcpu *v, stime_t now)
{
	const struct vcpu *first = run_queue_first(rq);
	u64 least;

	v->vruntime += run_queue_weighted(v, now - v->charged_at);
	v->charged_at = now;
	least = first ? min(first->vruntime, v->vruntime) : v->vruntime;
	WRITE_ONCE(rq->floor, max(rq->floor, least));
}

/*
 * V comes from sleep or from another queue. One that SLEPT may not have saved up more than the
 * credit, or it would keep everybody else out for as long as it slept. Nobody may be so far ahead
 * that it would have to wait here for what happened elsewhere. To an empty queue V brings its own
 * time.
 */
void run_queue_admit(struct run_queue *rq, struct vcpu *v, bool slept)
{
	u64 back = run_queue_weighted(v, slept ? SCHED_WAKE_CREDIT : SCHED_LAG_MAX);
	u64 floor = rq->floor;

	if (!vcpu_is_idle(rq->curr) && !slept)
		back = max(back, run_queue_weighted(rq->curr, SCHED_LAG_MAX));
	if (vcpu_is_idle(rq->curr) && list_empty(&rq->waiting))
		floor = max(floor, v->vruntime);
	v->vruntime = max(v->vruntime, floor > back ? floor - back : 0);
	v->vruntime = min(v->vruntime, floor + run_queue_weighted(v, SCHED_LAG_MAX));
	if (!slept) /* later ones may be as far back, or would wait for this one to catch up */
		floor = min(floor, v->vruntime);
	WRITE_ONCE(rq->floor, floor);
}

/*
 * Sees to it that the one furthest behind in RQ is at LEVEL: all are taken to have run for as much
 * more. Returns how much; what they were behind others by is not owed.
 */
u64 run_queue_lift(struct run_queue *rq, u64 level)
{
	struct vcpu *v = run_queue_first(rq);
	u64 least = v ? v->vruntime : level, by;

	if (!vcpu_is_idle(rq->curr))
		least = min(least, rq->curr->vruntime);
	if (least >= level)
		return 0;
	by = level - least;
	if (!vcpu_is_idle(rq->curr))
		rq->curr->vruntime += by;
	list_for_each (v, &rq->waiting, run_link)
		v->vruntime += by;
	WRITE_ONCE(rq->floor, rq->floor + by);
	return by;
}

/*
 * Should V, newly runnable, take the CPU at once? Only if it is behind by more than what a switch
 * is worth. The one that runs is charged up to now.
 */
bool run_queue_preempts(const struct run_queue *rq, const struct vcpu *v)
{
	const struct vcpu *curr = rq->curr;

	return vcpu_is_idle(curr) ||
	       v->vruntime + run_queue_weighted(v, NSEC_PER_MSEC) < curr->vruntime;
}
