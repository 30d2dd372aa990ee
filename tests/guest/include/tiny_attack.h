/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest as an attacker (the command-line word `attack`). It owns some pages, the victims, whose
 * contents, mappings and types are anybody's; its own code, stack and tables it keeps out of the
 * game, so that it is there at the end to say so. What the hypervisor thinks of it all, its
 * consistency check tells.
 */
#ifndef TINY_ATTACK_H
#define TINY_ATTACK_H

#include "tiny_types.h"

#define VICTIMS 160
#define ATTACKERS 16 /* vCPUs, at most */

/* One for each vCPU that attacks. */
struct attacker {
	uint64_t random;
	unsigned int vcpu;
	uint64_t calls, accepted; /* hypercalls made; those that answered no error */
	uint64_t limit;
	/* What went through, so that one can tell that there was something to defend. */
	uint64_t pinned[5], updated, given_up, got, exchanged;
	bool alone; /* no other attacks at the same time: what it pinned stays pinned */
	bool done;
};

extern char *attack_victims[VICTIMS];

/* A number below BELOW, which is not 0. */
uint64_t attack_random(struct attacker *a, uint64_t below);
static inline bool attack_chance(struct attacker *a, uint64_t one_in)
{
	return attack_random(a, one_in) == 0;
}

/* Makes the call and counts it. */
long attack_call(struct attacker *a, unsigned long number, const uint64_t args[5]);

char *attack_victim(struct attacker *a);
/* The entry that maps it; found without the M2P, which an attack may have changed. */
uint64_t attack_mapping(const char *victim);
/*
 * A machine frame: a victim mostly, or the hypervisor's, a page table's, a device's, somebody's,
 * nobody's. Never one that the guest lives on, unless READONLY says that it will not be written.
 */
mfn_t attack_frame(struct attacker *a, bool readonly);
mfn_t attack_forbidden_frame(struct attacker *a); /* the hypervisor's for sure */
uint64_t attack_entry(struct attacker *a);        /* of a page table */
uint64_t attack_value(struct attacker *a);        /* an argument, a pointer perhaps */

void attack_own(mfn_t frame);        /* another one of the guest's */
void attack_forget_pin(mfn_t frame); /* its owner has another one now */
void attack_values_init(void);       /* attack_values.c, before all else */

/* ---- One step of each kind ---- */
void attack_by_call(struct attacker *a); /* attack_calls.c: any hypercall, any arguments */
void attack_by_multicall(struct attacker *a);
void attack_tables(struct attacker *a, bool may_fault); /* attack_tables.c */
void attack_descriptors(struct attacker *a, bool may_fault);
void attack_memory(struct attacker *a);    /* attack_memory.c: reservations */
void attack_processor(struct attacker *a); /* attack_processor.c: faulting instructions and irets */
void attack_processor_init(void);
void attack_events(struct attacker *a); /* attack_vcpus.c: ports until there are none */
void attack_grants(struct attacker *a); /* attack_grants.c: entries, mappings and copies */
void attack_grants_init(void);
void attack_rings_init(void);
void attack_rings(struct attacker *a);     /* attack_rings.c: console and store, where there are */
void attack_contexts(struct attacker *a);  /* contexts for vCPUs, nearly right */
void attack_last_vcpu(struct attacker *a); /* at the end: one with registers that cannot be */

/* Starts the other vCPUs on ATTACKERS[1] and on; how many there are in all. And waits until they are done. */
unsigned int attack_vcpus_start(struct attacker *attackers, unsigned int max,
				void (*body)(struct attacker *a));
void attack_vcpus_wait(const struct attacker *attackers, unsigned int count);

#endif
