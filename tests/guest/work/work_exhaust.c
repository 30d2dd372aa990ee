// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `exhaust`, with `turns=N`: takes all event ports, all of the grant table and
 * all handles of mappings that a domain may have, sees that the next is refused as it should be,
 * gives everything back, and must get just as much in the next turn.
 */
#include "tiny_work.h"
#include "tiny_event.h"
#include "tiny_grant.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define TURNS_USUAL 3
#define PORTS 4096 /* of the two-level kind */
#define ENTRIES 512
#define TABLES 17
#define MAPPINGS (TABLES * ENTRIES) /* more than Tine has handles for */
#define REF GRANT_FIRST_FREE

static uint16_t ports[PORTS];
static uint64_t *tables[TABLES];
static grant_handle_t handles[MAPPINGS];

/* One more port of a kind that goes by turns, or -errno. */
static long take_port(unsigned int kind)
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };
	evtchn_bind_ipi_t ipi = { .vcpu = 0 };
	evtchn_bind_interdomain_t pair = { .remote_dom = DOMID_SELF };
	long rc;

	if (kind % 4 == 3) {
		rc = hv_event_channel_op(EVTCHNOP_bind_ipi, &ipi);
		return rc ? rc : (long)ipi.port;
	}
	if (kind % 4 == 2) {
		pair.remote_port = ports[kind - 1]; /* an unbound one */
		rc = hv_event_channel_op(EVTCHNOP_bind_interdomain, &pair);
		return rc ? rc : (long)pair.local_port;
	}
	rc = hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc);
	return rc ? rc : (long)alloc.port;
}

static unsigned int all_ports(void)
{
	unsigned int n, i;
	long port = 0;

	for (n = 0; n < PORTS; n++) {
		port = take_port(n);
		if (port < 0)
			break;
		ports[n] = (uint16_t)port;
		event_mask_port((unsigned int)port);
	}
	if (port != -XEN_ENOSPC)
		tiny_fail("exhaust: after %u ports the next is %ld", n, port);
	for (i = 0; i < n; i++) {
		evtchn_close_t close = { .port = ports[i] };
		long rc = hv_event_channel_op(EVTCHNOP_close, &close);

		if (rc)
			tiny_fail("exhaust: closing port %u: %ld", ports[i], rc);
		event_clear_port(ports[i]);
	}
	return n;
}

static unsigned int all_of_the_table(void)
{
	static uint64_t list[1024];
	gnttab_query_size_t query = { .dom = DOMID_SELF };
	gnttab_setup_table_t setup = { .dom = DOMID_SELF };

	if (hv_grant_table_op(GNTTABOP_query_size, &query, 1) || query.status ||
	    query.max_nr_frames >= ARRAY_SIZE(list))
		tiny_fail("exhaust: the grant table's size is not told");
	setup.nr_frames = query.max_nr_frames;
	setup.frame_list.p = list;
	if (hv_grant_table_op(GNTTABOP_setup_table, &setup, 1) || setup.status)
		tiny_fail("exhaust: no grant table of %u frames: status %d", setup.nr_frames,
			  setup.status);
	setup.nr_frames++;
	if (hv_grant_table_op(GNTTABOP_setup_table, &setup, 1) ||
	    setup.status != GNTST_general_error)
		tiny_fail("exhaust: %u grant frames: status %d", setup.nr_frames, setup.status);
	return query.max_nr_frames;
}

static void pin(const void *page, unsigned int command)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = virt_to_mfn(page).n };
	unsigned int done = 0;

	if (hv_mmuext_op(&op, 1, &done) || done != 1)
		tiny_fail("exhaust: mmuext_op %u fails", command);
}

/* Empty page tables that hang nowhere: mappings may go there as well, and cost no page each. */
static void make_tables(void)
{
	unsigned int i;

	for (i = 0; i < TABLES; i++) {
		tables[i] = page_alloc();
		if (page_set_readonly(tables[i]))
			tiny_fail("exhaust: a page cannot be made read-only");
		pin(tables[i], MMUEXT_PIN_L1_TABLE);
	}
}

static void give_up_tables(void)
{
	unsigned int i;

	for (i = 0; i < TABLES; i++) {
		pin(tables[i], MMUEXT_UNPIN_TABLE);
		if (page_set_writable(tables[i]))
			tiny_fail("exhaust: a page table stays one");
		page_free(tables[i]);
	}
}

static uint64_t entry_of(unsigned int mapping)
{
	return virt_to_machine(&tables[mapping / ENTRIES][mapping % ENTRIES]);
}

static int one_mapping(domid_t self, unsigned int n)
{
	gnttab_map_grant_ref_t map = { .host_addr = entry_of(n),
				       .flags = GNTMAP_host_map | GNTMAP_contains_pte,
				       .ref = REF,
				       .dom = self };

	if (hv_grant_table_op(GNTTABOP_map_grant_ref, &map, 1))
		tiny_fail("exhaust: map_grant_ref fails");
	handles[n] = map.handle;
	return map.status;
}

static void end_mapping(unsigned int n)
{
	gnttab_unmap_grant_ref_t unmap = { .host_addr = entry_of(n), .handle = handles[n] };

	if (hv_grant_table_op(GNTTABOP_unmap_grant_ref, &unmap, 1) || unmap.status)
		tiny_fail("exhaust: ending mapping %u: status %d", n, unmap.status);
}

/* One page over and over: every handle that there is. */
static unsigned int all_handles(void)
{
	void *shared = page_alloc();
	domid_t self = own_domain_id();
	unsigned int n = 0, i;
	int status;

	make_tables();
	grant_offer(REF, shared, self, 0);
	do {
		status = one_mapping(self, n);
	} while (!status && ++n < MAPPINGS);
	if (status && status != GNTST_no_space)
		tiny_fail("exhaust: mapping %u: status %d", n, status);
	if (grant_withdraw(REF))
		tiny_fail("exhaust: a grant that is mapped %u times was withdrawn", n);
	for (i = 0; i < n; i++)
		end_mapping(i);
	if (!grant_withdraw(REF))
		tiny_fail("exhaust: a grant that is no longer mapped is held");
	give_up_tables();
	page_free(shared);
	return n;
}

const char *work_exhaust(const char *line)
{
	uint64_t turns = cmdline_number(line, "turns", TURNS_USUAL), turn;
	unsigned int first_ports = 0, first_handles = 0;

	for (turn = 0; turn < turns; turn++) {
		unsigned int n = all_ports(), table = all_of_the_table(), mapped = all_handles();

		printf("exhaust: turn=%lu ports=%u table=%u handles=%u\n", turn, n, table, mapped);
		if (turn && (n != first_ports || mapped != first_handles))
			return "another turn gave another number";
		first_ports = n;
		first_handles = mapped;
	}
	return NULL;
}
