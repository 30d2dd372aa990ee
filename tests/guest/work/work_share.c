// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two domains and their grants. One has the word `grantor`, the other `grantee`, each `peer=` with
 * the other's number. They meet in the grantor's page 0, mapped by the grantee, and a channel whose
 * port is written there; then each does its part and looks at what the other did. `grantor-leaves`
 * and `grantee-leaves` end in the middle, and the other must get along with that.
 */
#include "tiny_event.h"
#include "tiny_grant.h"
#include "tiny_guest.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tiny_work.h"

#define PATIENCE 30000000000ul /* ns */
#define LINGERING 1000000000ul
#define MAGIC 0x6772616e74ul

enum { REF_MEET = GRANT_FIRST_FREE, REF_READ, REF_FILL };

/* The page in which they meet. */
struct meeting {
	volatile uint64_t magic, port, arrived, looked, copied, leaving;
};

static volatile unsigned int told;
static unsigned int channel;

static void on_event(unsigned int port)
{
	(void)port;
	told++;
}

static domid_t peer_of(const char *line)
{
	const char *value = cmdline_value(line, "peer");
	domid_t id = 0;

	for (; value && *value >= '0' && *value <= '9'; value++)
		id = id * 10 + *value - '0';
	return id;
}

static void tell(void)
{
	evtchn_send_t send = { .port = channel };

	if (hv_event_channel_op(EVTCHNOP_send, &send))
		tiny_fail("no event can be sent on port %u", channel);
}

/* Repeats `try` until it holds. */
static bool eventually(bool (*try)(void *argument), void *argument)
{
	uint64_t end = time_now() + PATIENCE;

	while (!try(argument)) {
		if (time_now() > end)
			return false;
		hv_sched_op(SCHEDOP_yield, NULL);
	}
	return true;
}

static bool is_set(void *word)
{
	return *(volatile uint64_t *)word;
}

static bool after(void *time)
{
	return time_now() > *(uint64_t *)time;
}

static bool peer_has_gone(void *unused)
{
	evtchn_status_t status = { .dom = DOMID_SELF, .port = channel };

	(void)unused;
	return !hv_event_channel_op(EVTCHNOP_status, &status) &&
	       status.status == EVTCHNSTAT_unbound;
}

static bool withdrawn(void *ref)
{
	return grant_withdraw(*(unsigned int *)ref);
}

/* ---- The grantor ---- */

static const char *check_pages(struct meeting *m, const char *fill)
{
	unsigned int i;

	if (m->copied != MAGIC + 2)
		return "the grantee copied something else";
	for (i = 0; i < 8; i++)
		if (fill[100 + i] != "granted\n"[i])
			return "the page that the grantee was to fill holds something else";
	return NULL;
}

/* What the grantee passes on of ours: to read, not to write, and not to map. */
static const char *copy_passed_on(domid_t peer)
{
	gnttab_copy_t op = { .flags = GNTCOPY_source_gref, .len = 8 };
	uint64_t *own = page_alloc();
	grant_handle_t handle;

	op.source.u.ref = REF_MEET;
	op.source.domid = peer;
	op.dest.u.gmfn = frame_of(own);
	op.dest.domid = DOMID_SELF;
	if (hv_grant_table_op(GNTTABOP_copy, &op, 1) || op.status || *own != MAGIC + 2)
		return "a grant that is passed on cannot be copied from";
	op = (gnttab_copy_t){ .flags = GNTCOPY_dest_gref, .len = 8 };
	op.source.u.gmfn = frame_of(own);
	op.source.domid = DOMID_SELF;
	op.dest.u.ref = REF_MEET;
	op.dest.domid = peer;
	if (hv_grant_table_op(GNTTABOP_copy, &op, 1) || op.status != GNTST_general_error)
		return "a grant that is passed on for reading is written to";
	if (!grant_map(peer, REF_MEET, window_take(), GNTMAP_host_map | GNTMAP_readonly, &handle))
		return "a grant that is passed on can be mapped";
	return NULL;
}

static const char *grant(domid_t peer, bool leave)
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = peer };
	struct meeting *m = page_alloc();
	char *read = page_alloc(), *fill = page_alloc();
	const char *failure;
	unsigned int ref;

	if (hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc))
		return "no channel";
	channel = alloc.port;
	event_bind(channel, on_event);
	*(uint64_t *)read = MAGIC + 2;
	m->port = channel;
	m->magic = MAGIC;
	grant_offer(REF_READ, read, peer, GTF_readonly);
	grant_offer(REF_FILL, fill, peer, 0);
	grant_offer(REF_MEET, m, peer, 0);
	printf("share: granted to %u, port %u\n", peer, channel);
	if (!eventually(is_set, (void *)&m->arrived))
		return "the grantee does not come";
	if (leave)
		return NULL;
	if (grant_withdraw(REF_MEET))
		return "a grant in use could be withdrawn";
	failure = copy_passed_on(peer);
	if (failure && !peer_has_gone(NULL))
		return failure;
	m->looked = 1;
	if (!eventually(is_set, (void *)&m->leaving))
		return "the grantee does not end";
	for (ref = REF_MEET; ref <= REF_FILL; ref++)
		if (!eventually(withdrawn, &ref))
			return "a grant stays in use";
	if (!told)
		return "no event came";
	return check_pages(m, fill);
}

/* ---- The grantee ---- */

struct attempt {
	domid_t peer;
	void *page;
	grant_handle_t handle;
};

static bool map_meeting(void *argument)
{
	struct attempt *a = argument;

	return !grant_map(a->peer, REF_MEET, a->page, GNTMAP_host_map, &a->handle);
}

/* The grantee passes a grant on to the grantor itself; nobody else is there. */
static const char *pass_on(domid_t peer)
{
	gnttab_set_version_t version = { .version = 2 };
	volatile grant_entry_v2_t *e = (volatile grant_entry_v2_t *)grant_entries() + REF_MEET;

	if (hv_grant_table_op(GNTTABOP_set_version, &version, 1))
		return "version 2 is refused";
	e->transitive.trans_domid = peer;
	e->transitive.gref = REF_READ;
	e->hdr.domid = peer;
	__atomic_store_n(&e->hdr.flags, GTF_transitive | GTF_readonly, __ATOMIC_SEQ_CST);
	return NULL;
}

static const char *use_others(domid_t peer, struct meeting *m, char *window)
{
	gnttab_copy_t in = { .flags = GNTCOPY_source_gref, .len = 8 };
	gnttab_copy_t out = { .flags = GNTCOPY_dest_gref, .len = 8 };
	char *own = page_alloc();
	grant_handle_t handle;

	if (!grant_map(peer, REF_READ, window, GNTMAP_host_map, &handle))
		return "a read-only grant could be mapped for writing";
	if (grant_map(peer, REF_READ, window, GNTMAP_host_map | GNTMAP_readonly, &handle))
		return "a read-only grant cannot be mapped for reading";
	if (*(volatile uint64_t *)window != MAGIC + 2)
		return "the mapping shows something else";
	if (grant_unmap(window, handle))
		return "it cannot be unmapped";
	in.source.u.ref = REF_READ;
	in.source.domid = out.dest.domid = peer;
	in.dest.u.gmfn = out.source.u.gmfn = frame_of(own);
	in.dest.domid = out.source.domid = DOMID_SELF;
	in.dest.offset = 16;
	if (hv_grant_table_op(GNTTABOP_copy, &in, 1) || in.status)
		return "copying from a grant fails";
	m->copied = *(uint64_t *)&own[16];
	memcpy(own, "granted\n", 8);
	out.dest.u.ref = REF_FILL;
	out.dest.offset = 100;
	if (hv_grant_table_op(GNTTABOP_copy, &out, 1) || out.status)
		return "copying to a grant fails";
	return NULL;
}

static const char *use(domid_t peer, bool leave, bool outlive)
{
	struct attempt meet = { .peer = peer, .page = window_take() };
	evtchn_bind_interdomain_t bind = { .remote_dom = peer };
	struct meeting *m = meet.page;
	char *window = window_take();
	const char *failure;

	if (!eventually(map_meeting, &meet))
		return "the grantor does not come";
	if (m->magic != MAGIC)
		return "the page in which to meet holds something else";
	bind.remote_port = (uint32_t)m->port;
	if (hv_event_channel_op(EVTCHNOP_bind_interdomain, &bind))
		return "the grantor's channel cannot be bound";
	channel = bind.local_port;
	failure = pass_on(peer);
	if (failure)
		return failure;
	m->arrived = 1;
	tell();
	if (outlive) {
		if (!eventually(peer_has_gone, NULL))
			return "the grantor does not go";
		(void)eventually(after, &(uint64_t){ time_now() + LINGERING });
		return m->magic == MAGIC ? NULL : "the frame changed when its owner went";
	}
	if (!leave && !eventually(is_set, (void *)&m->looked))
		return "the grantor does not look";
	failure = use_others(peer, m, window);
	m->leaving = 1;
	tell();
	if (leave || failure)
		return failure;
	return grant_unmap(m, meet.handle) ? "the meeting cannot be unmapped" : NULL;
}

const char *work_share(const char *line)
{
	domid_t peer = peer_of(line);

	if (cmdline_has_word(line, "grantor") || cmdline_has_word(line, "grantor-leaves"))
		return grant(peer, cmdline_has_word(line, "grantor-leaves"));
	return use(peer, cmdline_has_word(line, "grantee-leaves"),
		   cmdline_has_word(line, "grantee-outlives"));
}
