// SPDX-License-Identifier: GPL-2.0-or-later
/* Event channels: making, sending, masking, closing, and every way to get them wrong. */
#include "tiny_case.h"

#define PORT_NONE 4095u

static unsigned int arrived, arrived_port;

static void on_event(unsigned int port)
{
	arrived++;
	arrived_port = port;
}

static unsigned int bind_ipi(void)
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };

	return EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_ipi, &bind), 0) ? bind.port : 0;
}

static long send(unsigned int port)
{
	evtchn_send_t op = { .port = port };

	return hv_event_channel_op(EVTCHNOP_send, &op);
}

static long close(unsigned int port)
{
	evtchn_close_t op = { .port = port };

	return hv_event_channel_op(EVTCHNOP_close, &op);
}

static long status_of(unsigned int port, evtchn_status_t *status)
{
	*status = (evtchn_status_t){ .dom = DOMID_SELF, .port = port };
	return hv_event_channel_op(EVTCHNOP_status, status);
}

TINY_TEST(events_ipi, "events.ipi", "an event to oneself must arrive before the send returns")
{
	unsigned int port = bind_ipi();

	REQUIRE(port);
	arrived = 0;
	event_bind(port, on_event);
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(arrived, 1);
	EXPECT_EQ(arrived_port, port);
	EXPECT(!event_port_pending(port));
	event_bind(port, NULL);
	EXPECT_EQ(close(port), 0);
}

TINY_TEST(events_masked, "events.masked",
	  "a masked port only becomes pending; unmasking it delivers")
{
	unsigned int port = bind_ipi();

	REQUIRE(port);
	arrived = 0;
	event_bind(port, on_event);
	event_mask_port(port);
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(arrived, 0);
	EXPECT(event_port_pending(port));
	event_unmask_port(port);
	EXPECT_EQ(arrived, 1);
	event_bind(port, NULL);
	EXPECT_EQ(close(port), 0);
}

TINY_TEST(events_upcall_mask, "events.upcall-mask",
	  "with the vCPU's mask on, nothing may come in, and nothing may be lost")
{
	unsigned int port = bind_ipi();

	REQUIRE(port);
	arrived = 0;
	event_bind(port, on_event);
	events_off();
	EXPECT_EQ(send(port), 0);
	hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT_EQ(arrived, 0);
	EXPECT_EQ(tiny_vcpu->evtchn_upcall_pending, 1);
	EXPECT(tiny_vcpu->evtchn_pending_sel & 1ul << port / 64);
	events_on();
	EXPECT_EQ(arrived, 1);
	event_bind(port, NULL);
	EXPECT_EQ(close(port), 0);
}

TINY_TEST(events_lowest_port, "events.lowest-port",
	  "ports are handed out lowest first, and again after a close")
{
	unsigned int a = bind_ipi(), b = bind_ipi();

	REQUIRE(a && b);
	EXPECT_EQ(b, a + 1);
	EXPECT_EQ(close(a), 0);
	EXPECT_EQ(bind_ipi(), a);
	EXPECT_EQ(close(a), 0);
	EXPECT_EQ(close(b), 0);
}

TINY_TEST(events_many, "events.many",
	  "ports in several words of the bitmap, each with its selector bit")
{
	unsigned int ports[200], i, good = 0;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		ports[i] = bind_ipi();
		REQUIRE(ports[i]);
		event_bind(ports[i], on_event);
	}
	arrived = 0;
	events_off();
	for (i = 0; i < ARRAY_SIZE(ports); i++)
		good += send(ports[i]) == 0;
	events_on();
	EXPECT_EQ(good, ARRAY_SIZE(ports));
	EXPECT_EQ(arrived, ARRAY_SIZE(ports));
	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		event_bind(ports[i], NULL);
		EXPECT_EQ(close(ports[i]), 0);
	}
}

TINY_TEST(events_unbound, "events.unbound",
	  "an unbound port takes a send in silence; both ends in one domain talk to each other")
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };
	evtchn_bind_interdomain_t bind = { .remote_dom = DOMID_SELF };
	evtchn_status_t status;

	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc), 0);
	EXPECT_EQ(status_of(alloc.port, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_unbound);
	EXPECT_EQ(send(alloc.port), 0);

	bind.remote_port = alloc.port;
	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_bind_interdomain, &bind), 0);
	EXPECT(bind.local_port != alloc.port);
	EXPECT_EQ(status_of(alloc.port, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_interdomain);
	EXPECT_EQ(status.u.interdomain.port, bind.local_port);
	EXPECT(event_port_pending(
		bind.local_port)); /* raised by the bind: nothing sent before is lost */

	arrived = 0;
	event_bind(alloc.port, on_event);
	EXPECT_EQ(send(bind.local_port), 0);
	EXPECT_EQ(arrived, 1);
	EXPECT_EQ(arrived_port, alloc.port);
	event_bind(alloc.port, NULL);
	event_clear_port(bind.local_port);

	EXPECT_EQ(close(bind.local_port), 0);
	EXPECT_EQ(status_of(alloc.port, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_unbound);
	EXPECT_EQ(close(alloc.port), 0);
}

TINY_TEST(events_status, "events.status", "status must name what each kind of port is bound to")
{
	evtchn_status_t status;
	unsigned int port = bind_ipi();

	REQUIRE(port);
	EXPECT_EQ(status_of(port, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_ipi);
	EXPECT_EQ(status.vcpu, 0);
	EXPECT_EQ(status_of(timer_port(), &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_virq);
	EXPECT_EQ(status.u.virq, VIRQ_TIMER);
	EXPECT_EQ(close(port), 0);
	EXPECT_EQ(status_of(port, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_closed);
	EXPECT_EQ(status_of(1u << 30, &status), -XEN_EINVAL);
}

TINY_TEST(events_virq_errors, "events.virq-errors",
	  "one port a VIRQ and vCPU; bad numbers are errors")
{
	evtchn_bind_virq_t bind = { .virq = VIRQ_TIMER, .vcpu = 0 };
	evtchn_bind_vcpu_t move = { .port = timer_port(), .vcpu = 0 };
	evtchn_bind_ipi_t ipi = { .vcpu = 7777 };

	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_virq, &bind), -XEN_EEXIST);
	bind.virq = 9999;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_virq, &bind), -XEN_EINVAL);
	bind.virq = VIRQ_DEBUG;
	bind.vcpu = 7777;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_virq, &bind), -XEN_ENOENT);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_ipi, &ipi), -XEN_ENOENT);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_vcpu, &move), -XEN_EINVAL);
}

TINY_TEST(events_port_errors, "events.port-errors",
	  "ports that are closed, reserved or out of range")
{
	evtchn_unmask_t unmask = { .port = 1u << 30 };

	EXPECT_EQ(send(PORT_NONE), -XEN_EINVAL);
	EXPECT_EQ(send(1u << 30), -XEN_EINVAL);
	EXPECT_EQ(send(timer_port()), -XEN_EINVAL);
	EXPECT_EQ(close(PORT_NONE), -XEN_EINVAL);
	EXPECT_EQ(close(0), -XEN_EINVAL);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_unmask, &unmask), -XEN_EINVAL);
	EXPECT_EQ(hv_event_channel_op(999, &unmask), -XEN_ENOSYS);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, (void *)0x123456789000), -XEN_EFAULT);
}

TINY_TEST(events_bind_vcpu, "events.bind-vcpu",
	  "an unbound port may be moved to a vCPU that exists")
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };
	evtchn_bind_vcpu_t move = { .vcpu = 0 };

	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc), 0);
	move.port = alloc.port;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_vcpu, &move), 0);
	move.vcpu = 7777;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_bind_vcpu, &move), -XEN_ENOENT);
	EXPECT_EQ(close(alloc.port), 0);
}
