// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event channels in the two-level layout: pending and mask bits in shared_info, a selector word in
 * vcpu_info. The hypervisor writes these words at any time, so each access is atomic or volatile.
 * Owns the handler table.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

#define PORTS 1024
#define WORD_BITS 64

vcpu_info_t *tiny_vcpu;

static shared_info_t *shared;
static event_handler_t handlers[PORTS];

void event_init(shared_info_t *info)
{
	shared = info;
	tiny_vcpu = &info->vcpu_info[0];
	memset((void *)shared->evtchn_mask, 0xff, sizeof(shared->evtchn_mask));
}

static xen_ulong_t port_bit(unsigned int port)
{
	return 1ul << (port % WORD_BITS);
}

void event_mask_port(unsigned int port)
{
	__atomic_fetch_or(&shared->evtchn_mask[port / WORD_BITS], port_bit(port), __ATOMIC_SEQ_CST);
}

void event_clear_port(unsigned int port)
{
	__atomic_fetch_and(&shared->evtchn_pending[port / WORD_BITS], ~port_bit(port),
			   __ATOMIC_SEQ_CST);
}

bool event_port_pending(unsigned int port)
{
	return __atomic_load_n(&shared->evtchn_pending[port / WORD_BITS], __ATOMIC_SEQ_CST) &
	       port_bit(port);
}

void event_unmask_port(unsigned int port)
{
	evtchn_unmask_t unmask = { .port = port };

	/* The hypervisor's way also redoes an upcall that the mask held back. */
	if (hv_event_channel_op(EVTCHNOP_unmask, &unmask))
		tiny_fail("unmasking port %u", port);
}

void event_bind(unsigned int port, event_handler_t handler)
{
	if (port >= PORTS)
		tiny_fail("port %u is beyond the table", port);
	handlers[port] = handler;
	if (handler)
		event_unmask_port(port);
	else
		event_mask_port(port);
}

static void handle_word(unsigned int word)
{
	xen_ulong_t ready;

	while ((ready = __atomic_load_n(&shared->evtchn_pending[word], __ATOMIC_SEQ_CST) &
			~__atomic_load_n(&shared->evtchn_mask[word], __ATOMIC_SEQ_CST))) {
		unsigned int port = word * WORD_BITS + __builtin_ctzl(ready);

		event_clear_port(port);
		if (port < PORTS && handlers[port])
			handlers[port](port);
	}
}

void event_upcall(void)
{
	while (__atomic_exchange_n(&tiny_vcpu->evtchn_upcall_pending, 0, __ATOMIC_SEQ_CST)) {
		xen_ulong_t words =
			__atomic_exchange_n(&tiny_vcpu->evtchn_pending_sel, 0, __ATOMIC_SEQ_CST);

		for (; words; words &= words - 1)
			handle_word(__builtin_ctzl(words));
	}
}
