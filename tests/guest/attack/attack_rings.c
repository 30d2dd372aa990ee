// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of a domain without a control domain, filled with requests that are nearly right from
 * all vCPUs at once, and with noise. Seldom are their indices made impossible: after that the store
 * is silent for good.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tiny_store.h"
#include "tinypv.h"

#include <xen/event_channel.h>
#include <xen/io/console.h>

#define SILENCE 4000 /* one in so many makes indices impossible */

/* Found before the attack: the M2P is in play. */
static volatile struct xenstore_domain_interface *store;
static volatile struct xencons_interface *console;

void attack_rings_init(void)
{
	if (tiny_start_info->flags & SIF_INITDOMAIN)
		return;
	store = store_ring();
	console = pfn_to_virt(mfn_to_pfn(mfn(tiny_start_info->console.domU.mfn)));
}

static void put(volatile struct xenstore_domain_interface *ring, const void *bytes, size_t n)
{
	const char *from = bytes;
	uint32_t prod = ring->req_prod;

	for (; n; n--)
		ring->req[prod++ % XENSTORE_RING_SIZE] = *from++;
	if (prod - ring->req_cons <= XENSTORE_RING_SIZE)
		ring->req_prod = prod;
}

static void ask(struct attacker *a, volatile struct xenstore_domain_interface *ring)
{
	static const char *const words[] = { "a",
					     "a/b",
					     "a/b/c",
					     "/",
					     "T",
					     "F",
					     "n1",
					     "memory/target",
					     "/local/domain/1/x",
					     "control/shutdown",
					     "@releaseDomain",
					     "//",
					     "x/" };
	struct xsd_sockmsg header = {
		.type = (uint32_t)attack_random(a, 25),
		.req_id = 7,
		.tx_id = attack_chance(a, 3) ? (uint32_t)attack_random(a, 8) : 0,
	};
	const char *first = words[attack_random(a, ARRAY_SIZE(words))];
	const char *second = words[attack_random(a, ARRAY_SIZE(words))];

	header.len = (uint32_t)(strlen(first) + strlen(second) + 2);
	if (attack_chance(a, 100))
		header.len = (uint32_t)attack_random(a, 4097);
	put(ring, &header, sizeof(header));
	put(ring, first, strlen(first) + 1);
	put(ring, second, strlen(second) + 1);
}

static void attack_store(struct attacker *a)
{
	volatile struct xenstore_domain_interface *ring = store;

	if (attack_chance(a, SILENCE))
		ring->req_prod = (uint32_t)attack_value(a);
	else if (attack_chance(a, 50))
		ring->req[attack_random(a, XENSTORE_RING_SIZE)] ^= 1;
	else
		ask(a, ring);
	if (attack_chance(a, 2))
		ring->rsp_cons = ring->rsp_prod;
}

/* Mostly of no length, as nobody wants to see this on the console. */
static void attack_console(struct attacker *a)
{
	volatile struct xencons_interface *ring = console;
	uint32_t prod = ring->out_prod;

	if (attack_chance(a, 500))
		ring->out[prod++ % sizeof(ring->out)] = '\n';
	ring->out_prod = attack_chance(a, 20) ? (uint32_t)attack_value(a) | 0x80000000 : prod;
	ring->in_cons = (uint32_t)attack_random(a, 5000);
}

void attack_rings(struct attacker *a)
{
	bool to_store = !attack_chance(a, 8);
	evtchn_send_t send = { .port = to_store ? tiny_start_info->store_evtchn
						: tiny_start_info->console.domU.evtchn };
	uint64_t args[5] = { EVTCHNOP_send, (uint64_t)&send };

	if (tiny_start_info->flags & SIF_INITDOMAIN)
		return;
	if (to_store)
		attack_store(a);
	else
		attack_console(a);
	attack_call(a, __HYPERVISOR_event_channel_op, args);
}
