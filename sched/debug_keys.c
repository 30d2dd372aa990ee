// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug keys: one letter on the hypervisor's console shows a part of its state. Runs in
 * SOFTIRQ_CONSOLE. They read without stopping anybody, so figures may be of slightly different
 * moments.
 */
#include <asm/abi.h>
#include <tine/arch.h>
#include <tine/console.h>
#include <tine/heap.h>
#include <tine/numa.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include "internal.h"

struct debug_key {
	char key;
	const char *help;
	void (*fn)(void);
};

/* ---- Domains ---- */

static const char *pause_text(const struct vcpu *v)
{
	unsigned long flags = READ_ONCE(v->pause_flags);

	if (flags & BIT(VCPU_ENDED))
		return "ended";
	if (flags & BIT(VCPU_DOWN))
		return "down";
	if (flags & BIT(VCPU_PAUSED))
		return "paused";
	if (flags & BIT(VCPU_POLLING))
		return "polling";
	if (flags & BIT(VCPU_BLOCKED))
		return "blocked";
	return READ_ONCE(v->running) ? "running" : "waiting";
}

void console_show_vcpu(struct vcpu *v)
{
	vcpu_runstate_info_t rec;

	vcpu_get_runstate(v, &rec);
	printk_always("  v%u: %s on CPU %u; ran %llu ms, waited %llu, blocked %llu; upcall %s%s\n",
		      v->id, pause_text(v), v->cpu,
		      (unsigned long long)rec.time[RUNSTATE_running] / NSEC_PER_MSEC,
		      (unsigned long long)rec.time[RUNSTATE_runnable] / NSEC_PER_MSEC,
		      (unsigned long long)rec.time[RUNSTATE_blocked] / NSEC_PER_MSEC,
		      v->info->evtchn_upcall_pending ? "pending" : "none",
		      vcpu_info_masked(v->info) ? ", masked" : "");
}

static void show_domain(struct domain *d, void *arg)
{
	struct vcpu *v;
	unsigned int i;

	printk_always("Domain %u \"%s\": %u references, pause count %u, %lu frames%s%s\n", d->id,
		      d->config.name, d->refs, d->pause_count, d->nr_pages,
		      d->shutting_down ? ", shut down" : "", d->dying ? ", dying" : "");
	for_each_vcpu (d, v, i)
		console_show_vcpu(v);
}

static void key_domains(void)
{
	domain_for_each(show_domain, NULL);
}

static void show_registers(struct domain *d, void *arg)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		printk_always("d%uv%u (%s, CPU %u):\n", d->id, v->id, pause_text(v), v->cpu);
		arch_vcpu_dump(v);
	}
}

static void key_registers(void)
{
	domain_for_each(show_registers, NULL);
	printk_always("CPU %u, here:\n", smp_processor_id());
	backtrace();
}

static void show_initial(struct domain *d, void *arg)
{
	if (d->config.initial)
		show_registers(d, arg);
}

static void key_initial(void)
{
	domain_for_each(show_initial, NULL);
}

static void show_ports(struct domain *d, void *arg)
{
	static const char *const names[] = {
		[EVTCHN_FREE] = "free",       [EVTCHN_RESERVED] = "reserved",
		[EVTCHN_UNBOUND] = "unbound", [EVTCHN_INTERDOMAIN] = "interdomain",
		[EVTCHN_VIRQ] = "virq",       [EVTCHN_IPI] = "ipi",
		[EVTCHN_IPI_FIFO] = "ipi",    [EVTCHN_PIRQ] = "pirq",
		[EVTCHN_TINE] = "hypervisor",
	};

	printk_always("Domain %u: pollers %#x\n", d->id, d->evtchn.polling);
	for (u32 port = 0; port < EVTCHN_PORTS; port++) {
		struct evtchn e;

		if (evtchn_lookup(d, port, &e) || e.state == EVTCHN_FREE)
			continue;
		printk_always("  %4u: %-11s v%u virq %u remote d%u port %u%s%s\n", port,
			      names[e.state], e.vcpu, e.virq, e.remote_dom, e.remote_port,
			      evtchn_port_pending(d, port) ? " pending" : "",
			      evtchn_port_masked(d, port) ? " masked" : "");
	}
}

static void key_events(void)
{
	domain_for_each(show_ports, NULL);
}

/* ---- CPUs ---- */

static void key_queues(void)
{
	unsigned int cpu;

	for_each_online_cpu (cpu)
		sched_dump(cpu);
}

static void key_timers(void)
{
	unsigned int cpu;

	for_each_online_cpu (cpu)
		timer_dump(cpu);
}

static void key_time(void)
{
	stime_t now = system_time();
	u64 sec;
	u32 nsec;

	wallclock_at_boot(&sec, &nsec);
	printk_always("System time %lld.%09lld s, cycles %llu; UTC at boot %llu.%09u\n",
		      (long long)(now / NSEC_PER_SEC), (long long)(now % NSEC_PER_SEC),
		      (unsigned long long)arch_cycles(), (unsigned long long)sec, nsec);
}

/* ---- Memory ---- */

static void key_memory(void)
{
	for (unsigned int node = 0; node < numa_nr_nodes(); node++) {
		struct heap_node_stats stats;

		heap_node_stats((nodeid_t)node, &stats);
		printk_always("Node %u: %lu frames, %lu free, %lu of these dirty, %lu offline\n",
			      node, stats.total_pages, stats.free_pages, stats.dirty_pages,
			      stats.offline_pages);
		for (unsigned int order = 0; order <= HEAP_MAX_ORDER; order++) {
			if (stats.free_blocks[order])
				printk_always("  order %2u: %lu free blocks\n", order,
					      stats.free_blocks[order]);
		}
	}
}

static void key_heap_check(void)
{
	printk_always("Heap: %lu differences found\n", heap_check());
}

static void key_numa(void)
{
	unsigned int cpu, nodes = numa_nr_nodes();

	for (unsigned int from = 0; from < nodes; from++) {
		for (unsigned int to = 0; to < nodes; to++)
			printk_always("Distance from node %u to %u: %u\n", from, to,
				      numa_distance((nodeid_t)from, (nodeid_t)to));
	}
	for_each_online_cpu (cpu)
		printk_always("CPU %u: node %u\n", cpu, cpu_to_node(cpu));
}

/* ---- The table ---- */

static void key_reboot(void)
{
	printk_always("Rebooting: asked for on the console\n");
	arch_reboot();
}

static void key_all(void);
static void key_help(void);

static const struct debug_key keys[] = {
	{ 'h', "this list", key_help },
	{ ':', "a command line (help lists the commands)", console_cmd_start },
	{ '*', "all that only shows something", key_all },
	{ '0', "registers of the initial domain's vCPUs", key_initial },
	{ 'C', "check references, counts and the heap, all domains paused", consistency_check_all },
	{ 'a', "timers", key_timers },
	{ 'd', "registers of all vCPUs, backtrace of this CPU", key_registers },
	{ 'e', "event channels", key_events },
	{ 'H', "check the heap's lists and counts", key_heap_check },
	{ 'm', "memory by node and block size", key_memory },
	{ 'q', "domains and vCPUs", key_domains },
	{ 'r', "run queues", key_queues },
	{ 'R', "reboot the machine", key_reboot },
	{ 't', "clocks", key_time },
	{ 'u', "NUMA nodes and distances", key_numa },
};

static void key_help(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(keys); i++)
		printk_always("  %c  %s\n", keys[i].key, keys[i].help);
}

static void key_all(void)
{
	key_time();
	key_timers();
	key_queues();
	key_domains();
	key_events();
	key_registers();
	key_numa();
	key_memory();
}

void console_key(char c)
{
	if (console_cmd_key(c))
		return;
	for (unsigned int i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].key == c) {
			keys[i].fn();
			return;
		}
	}
	if (c >= ' ' && c <= '~')
		printk_always("no debug key '%c'; h lists them\n", c);
}
