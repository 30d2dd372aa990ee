// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `attack`, with `seed=N` and `calls=N`: everything that a guest can do to a
 * hypervisor, at random but from a seed, from all vCPUs; with `tables`, all on page tables. It
 * succeeds if the guest is still there in the end and no write went where none may go.
 */
#include "tiny_work.h"
#include "tiny_attack.h"
#include "tiny_event.h"
#include "tiny_lib.h"

#define CALLS_USUAL 20000
#define REPORTS 10

static struct attacker attackers[ATTACKERS];

static void tables_from_other_vcpu(struct attacker *a)
{
	attack_tables(a, false);
}

static void tables_from_boot_vcpu(struct attacker *a)
{
	attack_tables(a, true);
}

static void from_other_vcpu(struct attacker *a)
{
	switch (attack_random(a, 10)) {
	case 0:
		attack_by_call(a);
		break;
	case 1:
		attack_by_multicall(a);
		break;
	case 2:
		attack_descriptors(a, false);
		break;
	case 3:
		attack_events(a);
		break;
	case 4:
		attack_grants(a);
		break;
	case 5:
		attack_rings(a);
		break;
	default:
		attack_tables(a, false);
		break;
	}
}

static void from_boot_vcpu(struct attacker *a)
{
	switch (attack_random(a, 15)) {
	case 14:
		attack_memory(a);
		break;
	case 0:
		attack_by_call(a);
		break;
	case 1:
		attack_by_multicall(a);
		break;
	case 2:
		attack_descriptors(a, true);
		break;
	case 3:
		attack_events(a);
		break;
	case 4:
		attack_processor(a);
		break;
	case 5:
		attack_contexts(a);
		break;
	case 6:
		attack_grants(a);
		break;
	case 7:
		attack_rings(a);
		break;
	default:
		attack_tables(a, true);
		break;
	}
}

static void attack(struct attacker *a, void (*body)(struct attacker *a))
{
	uint64_t report = a->limit / REPORTS, next = report;

	while (a->calls < a->limit) {
		body(a);
		if (a->calls < next)
			continue;
		printf("attack: %lu calls, %lu accepted\n", a->calls, a->accepted);
		next += report;
	}
}

static void report(const struct attacker *a)
{
	printf("attack: pinned=%lu,%lu,%lu,%lu updated=%lu given_up=%lu got=%lu exchanged=%lu\n",
	       a->pinned[1], a->pinned[2], a->pinned[3], a->pinned[4], a->updated, a->given_up,
	       a->got, a->exchanged);
}

const char *work_attack(const char *line)
{
	bool tables = cmdline_has_word(line, "tables");
	uint64_t seed = cmdline_number(line, "seed", time_now()), calls;
	unsigned int i, count;
	uint64_t total = 0;

	calls = cmdline_number(line, "calls", CALLS_USUAL);
	attack_values_init();
	attack_processor_init();
	attack_grants_init();
	attack_rings_init();
	events_off();
	for (i = 0; i < ATTACKERS; i++)
		attackers[i] = (struct attacker){ .random = seed + i, .vcpu = i, .limit = calls };
	count = attack_vcpus_start(attackers, ATTACKERS,
				   tables ? tables_from_other_vcpu : from_other_vcpu);
	attackers[0].alone = count == 1;
	printf("attack: seed=%lu calls=%lu vcpus=%u\n", seed, calls, count);
	attack(&attackers[0], tables ? tables_from_boot_vcpu : from_boot_vcpu);
	attack_vcpus_wait(attackers, count);
	attack_last_vcpu(&attackers[0]);
	for (i = 0; i < count; i++)
		total += attackers[i].calls;
	report(&attackers[0]);
	printf("attack: over: seed=%lu made=%lu\n", seed, total);
	return NULL;
}
