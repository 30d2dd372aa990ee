// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event channels between domains: who may bind what, which bits a send sets and whom it wakes, what
 * closing leaves behind, and that random use never makes the two ends of a channel disagree. The
 * guest's side of it is tested by tests/guest.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/softirq.h>
#include "../../sched/internal.h"
#include "host_machine.h"

static struct domain *a, *b;

static struct domain *make(void)
{
	struct domain_config config = {
		.name = "test",
		.vcpus = 3,
		.memory = MiB(1),
		.type = DOMAIN_PVH,
	};
	struct domain *d = domain_create(&config);

	assert_non_null(d);
	domain_unpause(d);
	for (unsigned int i = 1; i < 3; i++)
		vcpu_wake(d->vcpus[i], VCPU_DOWN);
	return d;
}

static int start(void **state)
{
	host_sched_start(2);
	a = make();
	b = make();
	host_settle();
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

static u32 bound(struct domain *d, int ret, u32 port)
{
	assert_int_equal(ret, 0);
	assert_false(evtchn_port_pending(d, port));
	return port;
}

static u32 ipi(struct domain *d, u32 vcpu)
{
	u32 port;
	int ret = evtchn_bind_ipi(d, vcpu, &port);

	return bound(d, ret, port);
}

static struct evtchn look(struct domain *d, u32 port)
{
	struct evtchn e;

	assert_int_equal(evtchn_lookup(d, port, &e), 0);
	return e;
}

static void take(struct domain *d, u32 port)
{
	d->shared_info->evtchn_pending[port / 64] &= ~(1UL << (port % 64));
}

/* Opens a channel between A and B; their ports. */
static void connect(u32 *pa, u32 *pb)
{
	assert_int_equal(evtchn_alloc_unbound(a, b->id, pa), 0);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, *pa, pb), 0);
}

static void a_bind_raises_the_binders_end(void **state)
{
	u32 pa, pb;

	connect(&pa, &pb);
	assert_true(evtchn_port_pending(b, pb));
	assert_false(evtchn_port_pending(a, pa));
	assert_int_equal(look(a, pa).state, EVTCHN_INTERDOMAIN);
	assert_int_equal(look(a, pa).remote_dom, b->id);
	assert_int_equal(look(a, pa).remote_port, pb);
	assert_int_equal(evtchn_send(a, pa), 0);
	take(b, pb);
	assert_int_equal(evtchn_send(b, pb), 0);
	assert_true(evtchn_port_pending(a, pa));
	assert_false(evtchn_port_pending(b, pb));
}

static void only_the_named_domain_may_bind(void **state)
{
	u32 pa, pb;
	struct domain *c = make();

	assert_int_equal(evtchn_alloc_unbound(a, b->id, &pa), 0);
	assert_int_equal(evtchn_bind_interdomain(c, a->id, pa, &pb), -EINVAL);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, pa + 1, &pb), -EINVAL);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, ~0U, &pb), -EINVAL);
	assert_int_equal(evtchn_bind_interdomain(b, 4711, pa, &pb), -ESRCH);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, pa, &pb), 0);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, pa, &pb), -EINVAL); /* taken */
}

static void closing_leaves_the_peer_unbound(void **state)
{
	u32 pa, pb;

	connect(&pa, &pb);
	assert_int_equal(evtchn_close(b, pb), 0);
	assert_int_equal(look(a, pa).state, EVTCHN_UNBOUND);
	assert_int_equal(look(a, pa).remote_dom, b->id);
	assert_int_equal(evtchn_send(a, pa), 0); /* into the void */
	assert_int_equal(evtchn_close(b, pb), -EINVAL);
	assert_int_equal(evtchn_bind_interdomain(b, a->id, pa, &pb), 0);
	domain_destroy(b);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_int_equal(look(a, pa).state, EVTCHN_UNBOUND);
	assert_int_equal(evtchn_close(a, pa), 0);
}

static void a_send_marks_selector_and_upcall_once(void **state)
{
	u32 port = 0;
	vcpu_info_t *info = a->vcpus[1]->info;

	for (unsigned int i = 0; i < 70; i++)
		port = ipi(a, 1);
	assert_int_equal(evtchn_send(a, port), 0);
	assert_int_equal(info->evtchn_pending_sel, 1UL << (port / 64));
	assert_int_equal(info->evtchn_upcall_pending, 1);
	assert_int_equal(a->vcpus[0]->info->evtchn_upcall_pending, 0);
	info->evtchn_upcall_pending = 0;
	info->evtchn_pending_sel = 0;
	assert_int_equal(evtchn_send(a, port), 0); /* pending already: nothing new */
	assert_int_equal(info->evtchn_upcall_pending, 0);
}

static void a_masked_port_waits_for_unmask(void **state)
{
	u32 port = ipi(a, 1);
	vcpu_info_t *info = a->vcpus[1]->info;

	a->shared_info->evtchn_mask[0] = ~0UL;
	assert_int_equal(evtchn_send(a, port), 0);
	assert_true(evtchn_port_pending(a, port));
	assert_int_equal(info->evtchn_pending_sel, 0);
	assert_int_equal(evtchn_unmask(a, port), 0);
	assert_int_equal(info->evtchn_pending_sel, 1);
	assert_int_equal(info->evtchn_upcall_pending, 1);
	assert_int_equal(evtchn_unmask(a, EVTCHN_PORTS), -EINVAL);
}

static struct vcpu *block(unsigned int cpu)
{
	struct vcpu *v;

	host_be(cpu);
	v = current;
	assert_false(vcpu_is_idle(v));
	vcpu_block();
	softirq_process();
	assert_false(v->running);
	return v;
}

static void events_wake_a_blocked_vcpu(void **state)
{
	struct vcpu *v = block(0);
	u32 port = ipi(v->domain, v->id);

	v->info->evtchn_upcall_mask = 0;
	assert_int_equal(evtchn_send(v->domain, port), 0);
	assert_true(vcpu_runnable(v));
}

static void block_does_not_sleep_over_an_event(void **state)
{
	struct vcpu *v;
	u32 port;

	host_be(1);
	v = current;
	port = ipi(v->domain, v->id);
	v->info->evtchn_upcall_mask = 1;
	assert_int_equal(evtchn_send(v->domain, port), 0);
	vcpu_block();
	assert_int_equal(v->info->evtchn_upcall_mask, 0);
	assert_true(vcpu_runnable(v));
}

static void poll_wakes_on_its_port_though_masked(void **state)
{
	struct vcpu *v;
	u32 wanted, other;

	host_be(0);
	v = current;
	wanted = ipi(v->domain, v->id);
	other = ipi(v->domain, v->id);
	v->domain->shared_info->evtchn_mask[0] = ~0UL;
	assert_int_equal(vcpu_poll(&wanted, 1, 0), 0);
	softirq_process();
	assert_int_equal(evtchn_send(v->domain, other), 0);
	assert_false(vcpu_runnable(v));
	assert_int_equal(evtchn_send(v->domain, wanted), 0);
	assert_true(vcpu_runnable(v));
	assert_int_equal(v->domain->evtchn.polling, 0);
}

static void poll_ends_by_timeout_or_at_once(void **state)
{
	struct vcpu *v;
	u32 port;

	host_be(0);
	v = current;
	port = ipi(v->domain, v->id);
	assert_int_equal(vcpu_poll(&port, 1, host_time + 5000), 0);
	softirq_process();
	assert_false(vcpu_runnable(v));
	host_run_until(host_time + 5000);
	assert_true(vcpu_runnable(v));

	host_run_until(host_time + NSEC_PER_SEC);
	host_be(v->cpu);
	while (current != v)
		host_run_until(host_time + NSEC_PER_MSEC), host_be(v->cpu);
	v->domain->shared_info->evtchn_pending[port / 64] |= 1UL << (port % 64);
	assert_int_equal(vcpu_poll(&port, 1, 0), 0);
	assert_true(vcpu_runnable(v));
	port = EVTCHN_PORTS;
	assert_int_equal(vcpu_poll(&port, 1, 0), -EINVAL);
	assert_true(vcpu_runnable(v));
}

static void virqs_are_bound_once_and_go_to_their_vcpu(void **state)
{
	u32 port, again;

	assert_int_equal(evtchn_bind_virq(a, VIRQ_TIMER, 2, &port), 0);
	assert_int_equal(evtchn_bind_virq(a, VIRQ_TIMER, 2, &again), -EEXIST);
	assert_int_equal(evtchn_bind_virq(a, VIRQ_TIMER, 3, &again), -ENOENT);
	assert_int_equal(evtchn_bind_virq(a, VIRQ_CONSOLE, 1, &again), -EINVAL);
	assert_int_equal(evtchn_bind_virq(a, NR_VIRQS, 0, &again), -EINVAL);
	assert_int_equal(evtchn_bind_vcpu(a, port, 0), -EINVAL);
	evtchn_send_virq(a->vcpus[0], VIRQ_TIMER);
	assert_false(evtchn_port_pending(a, port));
	evtchn_send_virq(a->vcpus[2], VIRQ_TIMER);
	assert_true(evtchn_port_pending(a, port));
	assert_int_equal(a->vcpus[2]->info->evtchn_upcall_pending, 1);
	assert_int_equal(evtchn_close(a, port), 0);
	assert_int_equal(evtchn_bind_virq(a, VIRQ_TIMER, 2, &again), 0);
	assert_int_equal(again, port);

	/* A global one may notify another vCPU, and is free again after its close. */
	assert_int_equal(evtchn_bind_virq(a, VIRQ_CONSOLE, 0, &port), 0);
	assert_int_equal(evtchn_bind_vcpu(a, port, 2), 0);
	a->vcpus[2]->info->evtchn_upcall_pending = 0;
	a->vcpus[2]->info->evtchn_pending_sel = 0;
	evtchn_send_virq(a->vcpus[1], VIRQ_CONSOLE);
	assert_int_equal(a->vcpus[2]->info->evtchn_upcall_pending, 1);
	assert_int_equal(evtchn_close(a, port), 0);
	assert_int_equal(evtchn_bind_virq(a, VIRQ_CONSOLE, 0, &port), 0);
}

static void ports_run_out(void **state)
{
	u32 port, n = 0;
	int ret;

	while ((ret = evtchn_bind_ipi(a, 0, &port)) == 0)
		assert_int_equal(port, ++n);
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(n, EVTCHN_PORTS - 1);
	assert_int_equal(evtchn_close(a, 77), 0);
	assert_int_equal(ipi(a, 0), 77);
	assert_int_equal(evtchn_reset(a), 0);
	assert_int_equal(ipi(a, 0), 1);
}

static void moving_vcpu_info_loses_nothing(void **state)
{
	struct vcpu *v = a->vcpus[1];
	u32 port = ipi(a, 1);
	struct page *pg;
	mfn_t mfn;
	void *va;

	assert_int_equal(domain_alloc_pages(a, 0, HEAP_ZERO, &mfn), 0);
	assert_int_equal(evtchn_send(a, port), 0);
	assert_int_equal(arch_map_guest_frame(a, mfn_x(mfn), &pg, &va), 0);
	assert_int_equal(vcpu_move_info(v, va, pg), 0);
	assert_ptr_equal(v->info, va);
	assert_int_equal(v->info->evtchn_upcall_pending, 1);
	assert_true(v->info->evtchn_pending_sel == ~0UL);
	assert_int_equal(vcpu_move_info(v, va, pg), -EBUSY);
}

/*
 * The two ends of every channel name each other, and the lowest free port is the one that is given
 * out.
 */
static void check(struct domain *d)
{
	u32 lowest = 0;

	for (u32 port = 1; port < EVTCHN_PORTS; port++) {
		struct evtchn *slot = evtchn_slot(d, port);

		if (!slot || slot->state == EVTCHN_FREE) {
			lowest = lowest ? lowest : port;
			if (!slot)
				break;
			continue;
		}
		if (slot->state == EVTCHN_INTERDOMAIN) {
			struct domain *other = domain_of_id(slot->remote_dom);
			struct evtchn back = look(other, slot->remote_port);

			assert_int_equal(back.state, EVTCHN_INTERDOMAIN);
			assert_int_equal(back.remote_dom, d->id);
			assert_int_equal(back.remote_port, port);
		}
	}
	assert_true(d->evtchn.lowest_free <= lowest);
}

static void random_use_keeps_ends_together(void **state)
{
	struct domain *ds[3] = { a, b, make() };
	u32 port;

	machine_seed();
	for (unsigned int step = 0; step < 30000; step++) {
		struct domain *d = ds[rnd_below(3)], *other = ds[rnd_below(3)];
		u32 some = (u32)rnd_below(90);

		switch (rnd_below(7)) {
		case 0:
			(void)!evtchn_alloc_unbound(d, other->id, &port);
			break;
		case 1:
		case 2:
			(void)!evtchn_bind_interdomain(d, other->id, some, &port);
			break;
		case 3:
		case 4:
			(void)!evtchn_close(d, some);
			break;
		case 5:
			(void)!evtchn_send(d, some);
			break;
		case 6:
			(void)!evtchn_bind_vcpu(d, some, (u32)rnd_below(4));
		}
		if (step % 64 == 0)
			for (unsigned int i = 0; i < 3; i++)
				check(ds[i]);
	}
}

/* ---- Services ---- */

static struct domain *served;
static int service_answer;

static int serve(struct domain *d)
{
	served = d;
	return service_answer;
}

static void services_are_called_and_answer(void **state)
{
	struct evtchn e;
	u32 port, again;

	evtchn_service_register(SERVICE_XENSTORE, serve);
	assert_int_equal(evtchn_bind_service(a, SERVICE_XENSTORE, &port), 0);
	e = look(a, port);
	assert_int_equal(e.state, EVTCHN_TINE);
	served = NULL;
	service_answer = 0;
	assert_int_equal(evtchn_send(a, port), 0);
	assert_ptr_equal(served, a);
	assert_false(evtchn_port_pending(a, port));
	service_answer = -ERESTART;
	assert_int_equal(evtchn_send(a, port), -ERESTART);

	/* Nobody can bind to it as if it were unbound. Its vCPU may be chosen. */
	assert_int_equal(evtchn_bind_interdomain(b, a->id, port, &again), -EINVAL);
	assert_int_equal(evtchn_bind_vcpu(a, port, 2), 0);
	evtchn_service_notify(a, SERVICE_CONSOLE, port);
	assert_false(evtchn_port_pending(a, port));
	evtchn_service_notify(a, SERVICE_XENSTORE, port);
	assert_true(evtchn_port_pending(a, port));
	assert_true(a->vcpus[2]->info->evtchn_upcall_pending);

	/* Closed, and given to somebody else: the service's events are lost. */
	assert_int_equal(evtchn_close(a, port), 0);
	evtchn_service_notify(a, SERVICE_XENSTORE, port);
	assert_int_equal(evtchn_bind_ipi(a, 0, &again), 0);
	assert_int_equal(again, port);
	evtchn_service_notify(a, SERVICE_XENSTORE, port);
	evtchn_service_notify(a, SERVICE_XENSTORE, 4095);
	evtchn_service_notify(a, SERVICE_XENSTORE, 0xffffffff);
	assert_false(evtchn_port_pending(a, port));
}

static void an_interrupt_line_is_bound_once(void **state)
{
	u32 port, again;

	assert_int_equal(evtchn_bind_pirq(a, 9, &port), -EPERM);
	a->config.initial = true;
	assert_int_equal(evtchn_bind_pirq(a, NR_PIRQS, &port), -EINVAL);
	assert_int_equal(evtchn_of_pirq(a, 9), 0);
	assert_int_equal(evtchn_bind_pirq(a, 9, &port), 0);
	assert_int_equal(look(a, port).state, EVTCHN_PIRQ);
	assert_int_equal(look(a, port).pirq, 9);
	assert_int_equal(evtchn_of_pirq(a, 9), port);
	assert_int_equal(evtchn_of_pirq(a, 8), 0);
	assert_int_equal(evtchn_of_pirq(a, 9 + 32), 0);
	assert_int_equal(evtchn_bind_pirq(a, 9, &again), -EEXIST);
	assert_int_equal(evtchn_bind_pirq(a, 8, &again), 0);
	assert_int_not_equal(again, port);
	assert_int_equal(evtchn_close(a, port), 0);
	assert_int_equal(evtchn_of_pirq(a, 9), 0);
	assert_int_equal(evtchn_of_pirq(a, 8), again);
	assert_int_equal(evtchn_bind_pirq(a, 9, &port), 0);
	while (evtchn_reset(a))
		;
	assert_int_equal(evtchn_bind_pirq(a, 8, &again), 0);
	assert_int_equal(evtchn_bind_pirq(a, 9, &port), 0);
	a->config.initial = false;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_bind_raises_the_binders_end, start, stop),
		cmocka_unit_test_setup_teardown(only_the_named_domain_may_bind, start, stop),
		cmocka_unit_test_setup_teardown(closing_leaves_the_peer_unbound, start, stop),
		cmocka_unit_test_setup_teardown(a_send_marks_selector_and_upcall_once, start, stop),
		cmocka_unit_test_setup_teardown(a_masked_port_waits_for_unmask, start, stop),
		cmocka_unit_test_setup_teardown(events_wake_a_blocked_vcpu, start, stop),
		cmocka_unit_test_setup_teardown(block_does_not_sleep_over_an_event, start, stop),
		cmocka_unit_test_setup_teardown(poll_wakes_on_its_port_though_masked, start, stop),
		cmocka_unit_test_setup_teardown(poll_ends_by_timeout_or_at_once, start, stop),
		cmocka_unit_test_setup_teardown(virqs_are_bound_once_and_go_to_their_vcpu, start,
						stop),
		cmocka_unit_test_setup_teardown(an_interrupt_line_is_bound_once, start, stop),
		cmocka_unit_test_setup_teardown(ports_run_out, start, stop),
		cmocka_unit_test_setup_teardown(services_are_called_and_answer, start, stop),
		cmocka_unit_test_setup_teardown(moving_vcpu_info_loses_nothing, start, stop),
		cmocka_unit_test_setup_teardown(random_use_keeps_ends_together, start, stop),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
