// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vCPUs as attackers, and attacks on vCPUs: contexts for VCPUOP_initialise that are right but for
 * one thing. And event channels, until there are no more.
 *
 * The last vCPU never attacks: contexts are tried on it.
 */
#include "tiny_attack.h"
#include "tiny_lib.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

#define STACK_SIZE 8192
#define PORTS 4096

struct vcpu_stack {
	char bytes[STACK_SIZE];
} __attribute__((aligned(16)));

extern const char trap_stub_failsafe[];

static struct vcpu_stack stacks[ATTACKERS];
static vcpu_guest_context_t context;
static void (*attack_body)(struct attacker *a);
static unsigned int nr_vcpus;

static unsigned int count_vcpus(void)
{
	unsigned int n = 1;

	while (n < ATTACKERS && hv_vcpu_op(VCPUOP_is_up, n, NULL) >= 0)
		n++;
	return n;
}

static void __noreturn leave(unsigned int vcpu)
{
	for (;;)
		hv_vcpu_op(VCPUOP_down, vcpu, NULL);
}

static void __noreturn vcpu_main(struct attacker *a)
{
	while (a->calls < a->limit)
		attack_body(a);
	__atomic_store_n(&a->done, true, __ATOMIC_RELEASE);
	leave(a->vcpu);
}

static void fill_context(unsigned int vcpu, void (*entry)(struct attacker *a), struct attacker *a)
{
	memset(&context, 0, sizeof(context));
	context.flags = VGCF_in_kernel;
	context.user_regs.rip = (uint64_t)entry;
	context.user_regs.rdi = (uint64_t)a;
	context.user_regs.rsp = (uint64_t)&stacks[vcpu + 1] - 8;
	context.user_regs.cs = FLAT_KERNEL_CS64;
	context.user_regs.ss = FLAT_KERNEL_SS;
	context.ctrlreg[3] = virt_to_machine((const void *)tiny_start_info->pt_base);
}

unsigned int attack_vcpus_start(struct attacker *attackers, unsigned int max,
				void (*body)(struct attacker *a))
{
	unsigned int i;

	attack_body = body;
	nr_vcpus = count_vcpus();
	for (i = 1; i + 1 < nr_vcpus && i < max; i++) {
		fill_context(i, vcpu_main, &attackers[i]);
		if (hv_vcpu_op(VCPUOP_initialise, i, &context) || hv_vcpu_op(VCPUOP_up, i, NULL))
			tiny_fail("attack: vCPU %u cannot be started", i);
	}
	return i;
}

void attack_vcpus_wait(const struct attacker *attackers, unsigned int count)
{
	unsigned int i;

	for (i = 1; i < count; i++)
		while (!__atomic_load_n(&attackers[i].done, __ATOMIC_ACQUIRE))
			hv_sched_op(SCHEDOP_yield, NULL);
}

/* ---- Contexts ---- */

static void lie_down(struct attacker *a)
{
	leave(a->vcpu);
}

static void break_context(struct attacker *a)
{
	uint64_t *words = (uint64_t *)&context;

	switch (attack_random(a, 10)) {
	case 0:
		context.ldt_base = attack_value(a) | 1;
		context.ldt_ents = attack_random(a, 20);
		break;
	case 1:
		context.ldt_ents = attack_value(a) | 0x4000;
		break;
	case 2:
		context.gdt_ents = attack_random(a, 8000) + 1;
		context.gdt_frames[attack_random(a, 16)] = attack_forbidden_frame(a).n;
		break;
	case 3:
		context.ctrlreg[3] = attack_frame(a, true).n << PAGE_SHIFT | 1ul << 60;
		break;
	case 4:
		context.ctrlreg[1] = attack_forbidden_frame(a).n << PAGE_SHIFT;
		break;
	case 5:
		context.flags = 0; /* to user mode, which has no tables */
		break;
	case 6:
		context.event_callback_eip = 1ul << 47;
		break;
	case 7:
		context.gs_base_user = attack_random(a, ~0ul) | 1ul << 47;
		break;
	case 8:
		context.trap_ctxt[attack_random(a, 256)].address = 1ul << 62;
		break;
	default:
		words[attack_random(a, sizeof(context) / 8)] = attack_value(a);
		context.user_regs.rip = 1ul << 50;
		break;
	}
}

/* At the end of all: a context whose only fault is in what the CPU alone looks at. */
static void wild_registers(struct attacker *a)
{
	unsigned int i;

	context.flags |= VGCF_i387_valid;
	for (i = 0; i < sizeof(context.fpu_ctxt); i++)
		((uint8_t *)&context.fpu_ctxt)[i] = (uint8_t)attack_random(a, 256);
	context.failsafe_callback_eip = (uint64_t)trap_stub_failsafe;
	context.user_regs.ds = context.user_regs.es = 0xe007;
	context.user_regs.fs = context.user_regs.gs = 0xfff7;
	context.user_regs.rflags = attack_random(a, ~0ul) & ~0x40500ul; /* not TF, AC, DF */
}

void attack_contexts(struct attacker *a)
{
	unsigned int vcpu = nr_vcpus - 1;
	struct attacker *nobody = NULL;

	if (nr_vcpus < 2)
		return;
	fill_context(vcpu, lie_down, nobody);
	break_context(a);
	if (a->calls >= a->limit)
		return;
	a->calls++;
	hv_vcpu_op(VCPUOP_initialise, vcpu, &context);
}

void attack_last_vcpu(struct attacker *a)
{
	static struct attacker last;

	if (nr_vcpus < 2)
		return;
	last.vcpu = nr_vcpus - 1;
	fill_context(last.vcpu, lie_down, &last);
	wild_registers(a);
	if (!hv_vcpu_op(VCPUOP_initialise, last.vcpu, &context))
		hv_vcpu_op(VCPUOP_up, last.vcpu, NULL);
	while (hv_vcpu_op(VCPUOP_is_up, last.vcpu, NULL) == 1)
		hv_sched_op(SCHEDOP_yield, NULL);
}

/* ---- Events ---- */

/* Queues in pages that are anybody's, until a reset takes the domain back to two levels. */
static void one_fifo_call(struct attacker *a, uint32_t port)
{
	union {
		evtchn_init_control_t control;
		evtchn_expand_array_t array;
		evtchn_set_priority_t priority;
	} op;
	unsigned int command = EVTCHNOP_init_control + (unsigned int)attack_random(a, 3);
	uint64_t args[5] = { command, (uint64_t)&op };

	switch (command) {
	case EVTCHNOP_init_control:
		op.control.control_gfn = attack_frame(a, false).n;
		op.control.offset = (uint32_t)(attack_chance(a, 4) ? attack_random(a, 1ul << 32)
								   : attack_random(a, 512) * 8);
		op.control.vcpu = (uint32_t)attack_random(a, attack_chance(a, 4) ? 1ul << 32 : 5);
		break;
	case EVTCHNOP_expand_array:
		op.array.array_gfn = attack_frame(a, false).n;
		break;
	default:
		op.priority.port = port;
		op.priority.priority = (uint32_t)attack_random(a, 20);
		break;
	}
	attack_call(a, __HYPERVISOR_event_channel_op, args);
}

static void one_event_call(struct attacker *a, uint32_t port)
{
	union {
		evtchn_alloc_unbound_t alloc;
		evtchn_bind_interdomain_t interdomain;
		evtchn_bind_virq_t virq;
		evtchn_bind_ipi_t ipi;
		evtchn_bind_vcpu_t vcpu;
		evtchn_status_t status;
		uint32_t port;
	} op = { .port = port };
	unsigned int command = (unsigned int)attack_random(a, 12);
	uint64_t args[5] = { command, (uint64_t)&op };

	switch (command) {
	case EVTCHNOP_alloc_unbound:
		op.alloc.dom = attack_chance(a, 4) ? (domid_t)attack_random(a, 4) : DOMID_SELF;
		op.alloc.remote_dom =
			attack_chance(a, 2) ? (domid_t)attack_random(a, 4) : DOMID_SELF;
		break;
	case EVTCHNOP_bind_interdomain:
		op.interdomain.remote_dom =
			attack_chance(a, 4) ? (domid_t)attack_random(a, 4) : DOMID_SELF;
		op.interdomain.remote_port = port;
		break;
	case EVTCHNOP_bind_virq:
		op.virq.virq = (uint32_t)attack_random(a, 30);
		op.virq.vcpu = (uint32_t)attack_random(a, 3);
		break;
	case EVTCHNOP_bind_ipi:
		op.ipi.vcpu = (uint32_t)attack_random(a, 3);
		break;
	case EVTCHNOP_bind_vcpu:
		op.vcpu.port = port;
		op.vcpu.vcpu = (uint32_t)attack_random(a, 20);
		break;
	case EVTCHNOP_status:
		op.status.dom = DOMID_SELF;
		op.status.port = port;
		break;
	case EVTCHNOP_reset:
		op.port = DOMID_SELF;
		if (!attack_chance(a, 200))
			return;
		break;
	}
	attack_call(a, __HYPERVISOR_event_channel_op, args);
}

void attack_events(struct attacker *a)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		(attack_chance(a, 8) ? one_fifo_call : one_event_call)(
			a, (uint32_t)attack_random(a, attack_chance(a, 2) ? 40 : PORTS + 9));
}
