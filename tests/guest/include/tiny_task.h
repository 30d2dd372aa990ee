/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cooperative tasks on one vCPU: they run until they yield, wait or sleep. Whoever runs the
 * scheduler first (the boot context) waits in task_run_all until every task has ended. Pipes carry
 * one word between two tasks, as a token or a ping.
 */
#ifndef TINY_TASK_H
#define TINY_TASK_H

#include "tiny_types.h"

#define TASKS_MAX 32

struct task {
	uint64_t sp;       /* while it does not run; first, for the assembly */
	struct task *next; /* in the run queue or the queue of sleepers */
	uint64_t wake_at;
	void (*run)(void *argument);
	void *argument;
	unsigned int id;
	bool used;
};

struct task_pipe {
	uint64_t word;
	bool full;
	struct task *reader, *writer; /* who waits */
};

/*
 * Starts a task; it first runs when the caller waits. More than TASKS_MAX at once ends the guest.
 */
struct task *task_start(void (*run)(void *argument), void *argument);
void task_run_all(void);

struct task *task_current(void);
void task_yield(void);
void task_sleep_until(uint64_t system_time);

void task_pipe_write(struct task_pipe *pipe, uint64_t word);
uint64_t task_pipe_read(struct task_pipe *pipe);

/*
 * Called between two different tasks, with events masked, before the next one runs; NULL for none.
 */
void task_set_switch_hook(void (*hook)(struct task *from, struct task *to));

/* tiny_switch.S, and what it calls */
void task_switch_stack(uint64_t *save_sp, uint64_t new_sp);
void task_begin(void);
void task_main(struct task *task);

#endif
