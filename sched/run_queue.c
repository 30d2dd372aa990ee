// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order in which vCPUs of one CPU run: by virtual run time, which grows with real run time, the
 * slower the higher a vCPU's weight. The one with the least has had the smallest share and runs
 * next.
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

static u64 weighted(const struct vcpu *v, stime_t ns)
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

	v->vruntime += weighted(v, now - v->charged_at);
	v->charged_at = now;
	least = first ? min(first->vruntime, v->vruntime) : v->vruntime;
	WRITE_ONCE(rq->floor, max(rq->floor, least));
}

/*
 * For V that has slept: it may not have saved up more than the credit, or it would keep everybody
 * else out for as long as it slept.
 */
void run_queue_welcome(const struct run_queue *rq, struct vcpu *v)
{
	u64 credit = weighted(v, SCHED_WAKE_CREDIT);
	u64 least = rq->floor > credit ? rq->floor - credit : 0;

	v->vruntime = max(v->vruntime, least);
}

/*
 * From one queue to another V keeps its distance to the floor. FROM is locked; TO's floor only
 * grows, so a value that is a moment old is good enough.
 */
void run_queue_move(const struct run_queue *from, const struct run_queue *to, struct vcpu *v)
{
	u64 floor = READ_ONCE(to->floor);

	if (v->vruntime >= from->floor)
		v->vruntime = floor + (v->vruntime - from->floor);
	else
		v->vruntime = floor - min(floor, from->floor - v->vruntime);
}

/*
 * Should V, newly runnable, take the CPU at once? Only if it is behind by more than what a switch
 * is worth.
 */
bool run_queue_preempts(const struct run_queue *rq, const struct vcpu *v, stime_t now)
{
	const struct vcpu *curr = rq->curr;
	u64 used;

	if (vcpu_is_idle(curr))
		return true;
	used = curr->vruntime + weighted(curr, now - curr->charged_at);
	return v->vruntime + weighted(v, NSEC_PER_MSEC) < used;
}
