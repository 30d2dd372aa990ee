// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler: a first-in-first-out run queue and a list of sleepers by wake-up time. All of it
 * is touched with events masked only; the timer's event just ends the idle wait. A task is in
 * exactly one place: running, queued, asleep, or held by a pipe.
 */
#include "tiny_task.h"
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

#define STACK_BYTES 16384

static char stacks[TASKS_MAX][STACK_BYTES] __page_aligned;
static struct task tasks[TASKS_MAX];
static struct task boot_task = { .used = true, .id = TASKS_MAX };

static struct task *current = &boot_task;
static struct task *queue_head, **queue_tail = &queue_head;
static struct task *sleepers;
static unsigned int alive;
static void (*switch_hook)(struct task *from, struct task *to);

struct task *task_current(void)
{
	return current;
}

void task_set_switch_hook(void (*hook)(struct task *from, struct task *to))
{
	switch_hook = hook;
}

static void enqueue(struct task *task)
{
	task->next = NULL;
	*queue_tail = task;
	queue_tail = &task->next;
}

static struct task *dequeue(void)
{
	struct task *task = queue_head;

	if (!task)
		return NULL;
	queue_head = task->next;
	if (!queue_head)
		queue_tail = &queue_head;
	return task;
}

static void wake_sleepers(void)
{
	while (sleepers && sleepers->wake_at <= time_now()) {
		struct task *task = sleepers;

		sleepers = task->next;
		enqueue(task);
	}
}

/*
 * Nothing can run: wait for the first sleeper. Blocking opens the event mask, so it is closed again
 * after.
 */
static void wait_for_work(void)
{
	if (!sleepers)
		tiny_fail("all tasks wait for each other");
	if (timer_set(sleepers->wake_at))
		tiny_fail("cannot set the timer for a sleeping task");
	hv_sched_op(SCHEDOP_block, NULL);
	events_off();
}

/* The caller has put `current` where it belongs, or nowhere if it ended. */
static void schedule(void)
{
	struct task *from = current, *to;

	for (;;) {
		wake_sleepers();
		to = dequeue();
		if (to)
			break;
		wait_for_work();
	}
	if (to == from)
		return;
	if (switch_hook)
		switch_hook(from, to);
	current = to;
	task_switch_stack(&from->sp, to->sp);
}

void task_main(struct task *task)
{
	events_on();
	task->run(task->argument);
	events_off();
	task->used = false;
	if (!--alive)
		enqueue(&boot_task);
	schedule();
	tiny_fail("a task that ended was run again");
}

struct task *task_start(void (*run)(void *argument), void *argument)
{
	struct task *task = tasks;
	uint64_t *sp;
	bool on;

	while (task < tasks + TASKS_MAX && task->used)
		task++;
	if (task == tasks + TASKS_MAX)
		tiny_fail("more than %u tasks", TASKS_MAX);
	*task = (struct task){ .run = run, .argument = argument, .id = task - tasks, .used = true };
	/*
	 * As task_switch_stack leaves a stack: R15 R14 R13 R12 RBP RBX and where to return, which
	 * keeps 16-byte alignment.
	 */
	sp = (uint64_t *)(stacks[task->id] + STACK_BYTES) - 8;
	memset(sp, 0, 8 * sizeof(*sp));
	sp[5] = (uint64_t)task;
	sp[6] = (uint64_t)task_begin;
	task->sp = (uint64_t)sp;
	on = events_off();
	alive++;
	enqueue(task);
	events_restore(on);
	return task;
}

void task_run_all(void)
{
	bool on = events_off();

	if (alive)
		schedule();
	events_restore(on);
}

void task_yield(void)
{
	bool on = events_off();

	enqueue(current);
	schedule();
	events_restore(on);
}

void task_sleep_until(uint64_t system_time)
{
	struct task **at = &sleepers;
	bool on = events_off();

	current->wake_at = system_time;
	while (*at && (*at)->wake_at <= system_time)
		at = &(*at)->next;
	current->next = *at;
	*at = current;
	schedule();
	events_restore(on);
}

static void wake(struct task **waiter)
{
	if (*waiter)
		enqueue(*waiter);
	*waiter = NULL;
}

void task_pipe_write(struct task_pipe *pipe, uint64_t word)
{
	bool on = events_off();

	while (pipe->full) {
		pipe->writer = current;
		schedule();
	}
	pipe->word = word;
	pipe->full = true;
	wake(&pipe->reader);
	events_restore(on);
}

uint64_t task_pipe_read(struct task_pipe *pipe)
{
	bool on = events_off();
	uint64_t word;

	while (!pipe->full) {
		pipe->reader = current;
		schedule();
	}
	word = pipe->word;
	pipe->full = false;
	wake(&pipe->writer);
	events_restore(on);
	return word;
}
