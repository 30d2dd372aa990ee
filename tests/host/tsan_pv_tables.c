// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several guest CPUs at once on the same few page tables, with the thread sanitizer watching.
 * Between rounds they rest and every count is recomputed.
 */
#include "pv_tables.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/cpu.h>
#include "host_machine.h"

#define CPUS 4U
#define FRAMES 24
#define STEPS 2000

static struct pv_guest guests[CPUS];

static void *run(void *arg)
{
	struct pv_guest *g = arg;

	host_cpu = (unsigned int)(g - guests);
	for (unsigned int i = 0; i < STEPS; i++)
		pv_guest_step(g);
	return NULL;
}

static unsigned long one_round(void)
{
	pthread_t threads[CPUS];

	for (unsigned int i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, run, &guests[i]);
	for (unsigned int i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	return pv_tables_check(guests, CPUS);
}

int main(void)
{
	double end = machine_now() + machine_seconds(5);
	u64 seed = machine_seed();
	unsigned long rounds = 0, wrong = 0;

	pv_tables_start(FRAMES);
	for (unsigned int i = 0; i < CPUS; i++)
		guests[i].random = seed + i;
	while (!wrong && machine_now() < end) {
		wrong = one_round();
		rounds++;
	}
	for (unsigned int i = 0; i < CPUS; i++)
		pv_guest_release(&guests[i]);
	if (!wrong)
		pv_tables_stop();
	printf("%s: %lu rounds of %u steps by %u CPUs, %lu things wrong\n", wrong ? "not ok" : "ok",
	       rounds, STEPS, CPUS, wrong);
	return wrong != 0;
}
