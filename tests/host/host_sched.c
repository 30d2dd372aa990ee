// SPDX-License-Identifier: GPL-2.0-or-later
/* See host_sched.h. */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include <xen/xen.h>
#include "host_log.h"
#include "host_machine.h"

stime_t host_time;
stime_t host_timer[MAX_CPUS];
unsigned int host_ipis[MAX_CPUS];
void (*host_on_ipi)(void);
unsigned int host_guest_frames;
unsigned long host_spent;
enum host_end host_end;
const struct host_memory *host_memory;

cpumask_t cpu_online_map;
unsigned int nr_cpus;

static jmp_buf end_jump;

/* ---- tine/arch.h ---- */

void arch_timer_program(stime_t when)
{
	host_timer[host_cpu] = when;
}

void arch_send_ipi(unsigned int cpu, enum ipi kind)
{
	__atomic_fetch_add(&host_ipis[cpu], 1, __ATOMIC_RELAXED);
	if (host_on_ipi)
		host_on_ipi();
}

u64 arch_cycles(void)
{
	return (u64)system_time();
}

void arch_poweroff(bool success)
{
	host_end = success ? HOST_OFF_GOOD : HOST_OFF_BAD;
	longjmp(end_jump, 1);
}

void arch_reboot(void)
{
	host_end = HOST_REBOOT;
	longjmp(end_jump, 1);
}

void arch_idle(void)
{
}

void arch_vcpu_enter(struct vcpu *v)
{
}

void arch_backtrace(void)
{
}

int arch_domain_create(struct domain *d)
{
	return host_memory ? host_memory->create(d) : 0;
}

int arch_domain_destroy(struct domain *d)
{
	return host_memory ? host_memory->destroy(d) : 0;
}

unsigned long arch_domain_check(struct domain *d)
{
	return 0;
}

int arch_vcpu_create(struct vcpu *v)
{
	return 0;
}

void arch_vcpu_destroy(struct vcpu *v)
{
}

void arch_vcpu_dump(const struct vcpu *v)
{
}

void arch_context_switch(struct vcpu *prev, struct vcpu *next)
{
}

bool arch_nmi_waits(const struct vcpu *v)
{
	return false;
}

bool arch_event_deliverable(const struct vcpu *v)
{
	return !v->info->evtchn_upcall_mask;
}

void arch_time_record(struct vcpu_time_info *rec)
{
	rec->system_time = (u64)system_time();
	rec->tsc_timestamp = (u64)system_time();
	rec->tsc_to_system_mul = 1U << 31;
	rec->tsc_shift = 1;
}

int arch_map_guest_frame(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	if (host_memory) {
		int ret = host_memory->map(d, frame, pg);

		if (ret)
			return ret;
		host_guest_frames++;
		*va = mfn_to_virt(page_to_mfn(*pg));
		return 0;
	}
	host_guest_frames++;
	*pg = mfn_to_page(_mfn(frame));
	*va = mfn_to_virt(_mfn(frame));
	return page_get(*pg, d) ? 0 : -1;
}

int arch_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **pg)
{
	*pg = page_of_guest_mfn(frame);
	if (!*pg || !page_get(*pg, d))
		return -1;
	host_guest_frames++;
	return 0;
}

void arch_release_frame(struct page *pg, bool write)
{
	host_guest_frames--;
	page_put(pg);
}

int arch_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner)
{
	return host == HOST_BAD_ADDRESS ? -1 : 0;
}

int arch_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh)
{
	return arch_grant_unmap(host, flags, pg);
}

int arch_grant_unmap(u64 host, u32 flags, struct page *pg)
{
	return host == HOST_BAD_ADDRESS ? -1 : 0;
}

void arch_unmap_guest_frame(struct page *pg, void *va)
{
	host_guest_frames--;
	if (host_memory)
		host_memory->unmap(pg);
	page_put(pg);
}

void arch_forget_frames(struct domain *d)
{
}

void wallclock_at_boot(u64 *sec, u32 *nsec)
{
	*sec = 1700000000;
	*nsec = 5;
}

int copy_to_guest(gva_t dst, const void *src, size_t n)
{
	memcpy((void *)gva_x(dst), src, n);
	return 0;
}

void printk_stream(const void *who, const char *prefix, const char *text, size_t len)
{
	if (len)
		printk_raw("%s%.*s", prefix, (int)len, text);
}

void printk_stream_end(const void *who)
{
}

/* ---- Playing the machine ---- */

void host_be(unsigned int cpu)
{
	host_cpu = cpu;
}

/*
 * The small-object allocator keeps an empty page of each size, and an idle vCPU may fill a new one.
 */
#define KEPT_PAGES (9 + MAX_CPUS / 8)

static unsigned long free_at_start; /* of the program's first test */

static void destroy(struct domain *d, void *arg)
{
	domain_destroy(d);
}

void host_sched_start(unsigned int nr)
{
	static bool booted;

	host_be(0);
	if (!booted) {
		struct heap_init_stats stats;

		machine_new();
		machine_ram(0, MiB(64));
		machine_boot_heap("", 0, &stats);
		sched_init();
		booted = true;
	}
	memset(&cpu_online_map, 0, sizeof(cpu_online_map));
	nr_cpus = nr;
	host_time = 1000;
	host_end = HOST_UP;
	host_on_ipi = NULL;
	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		host_timer[cpu] = STIME_MAX;
		host_ipis[cpu] = 0;
		host_be(cpu);
		kfree(per_cpu(current_vcpu, cpu));
		sched_cpu_init(cpu);
		cpumask_set(&cpu_online_map, cpu);
	}
	host_be(0);
	host_log_clear();
	if (!free_at_start)
		free_at_start = heap_free_total();
}

static void count(struct domain *d, void *arg)
{
	++*(unsigned int *)arg;
}

void host_sched_stop(void)
{
	unsigned int left = 0;

	host_be(0);
	domain_for_each(destroy, NULL);
	host_run_until(host_time + NSEC_PER_SEC);
	domain_for_each(count, &left);
	assert_int_equal(left, 0);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		assert_true(vcpu_is_idle(per_cpu(current_vcpu, cpu)));
	assert_in_range(heap_free_total(), free_at_start - host_spent - KEPT_PAGES, free_at_start);
	assert_int_equal(heap_check(), 0);
	assert_int_equal(host_guest_frames, 0);
}

void host_settle(void)
{
	bool busy = true;

	if (setjmp(end_jump))
		return;
	while (busy && host_end == HOST_UP) {
		busy = false;
		for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
			host_be(cpu);
			if (softirq_waiting()) {
				softirq_process();
				busy = true;
			}
		}
	}
	host_be(0);
}

static stime_t next_interrupt(unsigned int *cpu)
{
	stime_t first = STIME_MAX;

	for (unsigned int i = 0; i < nr_cpus; i++) {
		if (host_timer[i] < first) {
			first = host_timer[i];
			*cpu = i;
		}
	}
	return first;
}

void host_run_until(stime_t when)
{
	unsigned int cpu = 0;
	stime_t due;

	host_settle();
	while (host_end == HOST_UP && (due = next_interrupt(&cpu)) <= when) {
		host_time = max(host_time, due);
		host_timer[cpu] = STIME_MAX;
		host_be(cpu);
		timer_interrupt();
		host_settle();
	}
	host_time = max(host_time, when);
}
