// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How domains end: shutdown for a reason, what the configuration wants done about it, destruction
 * in steps that never hold a CPU for long, and the end of the machine with its last domain.
 *
 * Anybody may set a domain's `shutting_down` or `dying` and raise SOFTIRQ_DOMAIN on CPU 0.
 * Everything after that happens there, one domain after another, so it needs no lock of its own.
 */
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/domain_fork.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <xen/sched.h>
#include "internal.h"

#define END_CPU 0
#define REAP_BATCH 256 /* frames, or mappings of others' frames, between two looks at other work */
#define REAP_PAUSE (100 * NSEC_PER_USEC) /* while others want the CPU, or vCPUs have yet to stop */

enum end_step { END_STOP, END_DETACH, END_ARCH, END_GRANTS, END_PAGES, END_DONE };

static bool boot_done;
static bool all_clean = true; /* every domain that ended powered itself off */
static bool reboot_wanted;
static bool look_again; /* a domain has come that the survey under way may have passed over */
static struct domain *dead_list; /* atomic */
static struct timer retry_timer;
static int (*rebuilder)(const struct domain_config *config);

void domain_set_rebuilder(int (*fn)(const struct domain_config *config))
{
	rebuilder = fn;
}

static void look_soon(void)
{
	softirq_raise_on(END_CPU, SOFTIRQ_DOMAIN);
}

void domain_boot_done(bool complete)
{
	all_clean &= complete;
	WRITE_ONCE(boot_done, true);
	look_soon();
}

/* ---- What others call ---- */

static void stop_vcpus(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i)
		vcpu_stop(v, VCPU_ENDED);
}

void domain_set_shutdown_code(struct domain *d, u32 reason)
{
	u32 none = SHUTDOWN_NONE;

	/* The first reason counts. */
	(void)__atomic_compare_exchange_n(&d->shutdown_code, &none, reason, false, __ATOMIC_RELEASE,
					  __ATOMIC_RELAXED);
}

void domain_shutdown(struct domain *d, u32 reason)
{
	domain_set_shutdown_code(d, reason);
	if (__atomic_exchange_n(&d->shutting_down, true, __ATOMIC_SEQ_CST))
		return;
	stop_vcpus(d);
	domain_fork_ended(d);
	look_soon();
}

void domain_crash(struct domain *d, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (READ_ONCE(d->shutting_down))
		return;
	if (current->domain == d) {
		pr_err("d%uv%u crashed: %s\n", d->id, current->id, text);
		arch_vcpu_dump(current);
	} else {
		pr_err("d%u crashed: %s\n", d->id, text);
	}
	domain_shutdown(d, SHUTDOWN_crash);
}

void domain_destroy(struct domain *d)
{
	if (__atomic_exchange_n(&d->dying, true, __ATOMIC_SEQ_CST))
		return;
	stop_vcpus(d);
	domain_fork_ended(d);
	look_soon();
}

/* From domain_put(), any context: freed later, where locks may be taken. */
void domain_last_put(struct domain *d)
{
	d->dead = __atomic_load_n(&dead_list, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&dead_list, &d->dead, d, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	look_soon();
}

static void free_domain(struct domain *d)
{
	domain_unlink(d);
	for (unsigned int i = 0; i < d->nr_vcpus; i++)
		vcpu_destroy(d->vcpus[i]);
	domain_fork_free(d);
	console_domain_free(d);
	xenstore_free(d);
	grant_domain_free(d);
	evtchn_domain_free(d);
	if (d->shared_info)
		page_put(mfn_to_page(virt_to_mfn(d->shared_info)));
	kfree(d);
}

static void free_dead(void)
{
	struct domain *d = __atomic_exchange_n(&dead_list, NULL, __ATOMIC_ACQUIRE);

	while (d) {
		struct domain *next = d->dead;

		free_domain(d);
		d = next;
	}
}

/* ---- Acting on an end ---- */

static const char *reason_name(u32 code)
{
	static const char *const names[] = {
		[SHUTDOWN_poweroff] = "poweroff", [SHUTDOWN_reboot] = "reboot",
		[SHUTDOWN_suspend] = "suspend",   [SHUTDOWN_crash] = "crash",
		[SHUTDOWN_watchdog] = "watchdog", [SHUTDOWN_soft_reset] = "soft_reset",
	};

	return code < ARRAY_SIZE(names) ? names[code] : "unknown reason";
}

/* Suspending has no one to resume it here; it ends the domain like a power-off that failed. */
static enum domain_action action_for(const struct domain *d)
{
	switch (d->shutdown_code) {
	case SHUTDOWN_poweroff:
	case SHUTDOWN_suspend:
		return d->config.on_poweroff;
	case SHUTDOWN_reboot:
	case SHUTDOWN_soft_reset:
		return d->config.on_reboot;
	case SHUTDOWN_watchdog:
		return d->config.on_watchdog;
	case SHUTDOWN_NONE: /* destroyed by hand */
		return ACTION_DESTROY;
	default:
		return d->config.on_crash;
	}
}

/* A fork may come and go as it likes, as long as it does not crash; one that its parent made by itself is that one's affair. */
static bool ended_badly(const struct domain *d, enum domain_action action)
{
	if (domain_is_fork(d))
		return d->shutdown_code == SHUTDOWN_crash && !d->fork->self_made;
	return d->shutdown_code != SHUTDOWN_poweroff && action != ACTION_RESTART;
}

static void see_end(struct domain *d)
{
	enum domain_action action = action_for(d);

	d->end_seen = true;
	printk_always("Domain %u shut down: %s%s\n", d->id, reason_name(d->shutdown_code),
		      action == ACTION_PRESERVE ? " (preserved)" : "");
	console_guest_flush(d);
	if (ended_badly(d, action))
		all_clean = false;
	if (action != ACTION_PRESERVE)
		domain_destroy(d);
}

/* ---- Destruction ---- */

static bool any_running(const struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (!sched_is_gone(v))
			return true;
	}
	return false;
}

/* Cuts its vCPUs off from timers, and the hypervisor from the frames that it mapped. */
static void detach(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		timer_kill(&v->singleshot);
		timer_kill(&v->periodic);
		timer_kill(&v->poll_timer);
	}
	domain_watchdogs_kill(d);
	evtchn_domain_destroy(d);
	console_ring_disconnect(d);
	xenstore_disconnect(d);
	for_each_vcpu (d, v, i) {
		vcpu_info_t *mapped = v->info;

		if (!v->info_page)
			continue;
		v->info = vcpu_first_info(v);
		arch_unmap_guest_frame(v->info_page, mapped);
		v->info_page = NULL;
	}
	for_each_vcpu (d, v, i) {
		if (v->forgotten_info)
			arch_unmap_guest_frame(v->forgotten_info, NULL);
		v->forgotten_info = NULL;
	}
}

static void finish(struct domain *d)
{
	bool restart = d->end_seen && action_for(d) == ACTION_RESTART;

	if (d->nr_pages)
		pr_warn("Domain %u has ended; others still hold %lu of its frames\n", d->id,
			d->nr_pages);
	if (restart && d->config.initial)
		reboot_wanted = true; /* as on Xen, it takes the machine along */
	else if (restart && (!rebuilder || rebuilder(&d->config)))
		all_clean = false;
	look_again |= restart;
	domain_put(d); /* for its existence */
}

/* One bounded step; true: do the next at once. */
static bool destroy_step(struct domain *d)
{
	switch ((enum end_step)d->end_step) {
	case END_STOP:
		if (any_running(d) || __atomic_load_n(&d->fork_busy, __ATOMIC_ACQUIRE))
			return false;
		break;
	case END_DETACH:
		consistency_of_ended(d);
		detach(d);
		break;
	case END_ARCH:
		/* Who was chosen to run must not wait for all of it: then it is the least step. */
		if (!vcpu_is_idle(current))
			softirq_raise(SOFTIRQ_SCHEDULE);
		if (arch_domain_destroy(d))
			return false;
		break;
	case END_GRANTS:
		if (!grant_domain_reap(d, REAP_BATCH))
			return false;
		break;
	case END_PAGES:
		if (!domain_pages_reap(d, REAP_BATCH))
			return false;
		break;
	case END_DONE:
		return false;
	}
	d->end_step++;
	if (d->end_step == END_DONE)
		finish(d);
	return true;
}

/* ---- The softirq ---- */

struct survey {
	bool unfinished; /* a destruction goes on ... */
	bool waiting;    /* ... but not before some vCPU has stopped */
	bool alive;      /* somebody for whom the machine runs */
};

static void look_after(struct domain *d, void *arg)
{
	struct survey *survey = arg;
	bool kept = domain_fork_is_kept(d);
	bool down = __atomic_load_n(&d->shutting_down, __ATOMIC_ACQUIRE);

	if (down && !d->end_seen && !kept)
		see_end(d);
	if (domain_fork_is_orphan(d))
		domain_destroy(d);
	if (READ_ONCE(d->dying)) {
		if (!d->end_seen && d->ready) {
			d->end_seen = true;
			all_clean &= domain_is_fork(d);
			printk_always("Domain %u destroyed\n", d->id);
		}
		while (destroy_step(d))
			;
		if (d->end_step != END_DONE)
			survey->unfinished = true;
		if (d->end_step == END_STOP)
			survey->waiting = true;
	} else if (!d->end_seen && !(down && kept)) {
		survey->alive = true;
	}
}

static void end_machine(void)
{
	if (consistency_at_end())
		all_clean = false;
	if (reboot_wanted && !opt_noreboot) {
		printk_always("The initial domain wants a reboot\n");
		arch_reboot();
	}
	printk_always("No domain is left: %s\n",
		      reboot_wanted ? "a reboot was asked for, but noreboot forbids it"
		      : all_clean   ? "all powered off"
				    : "some were not started, crashed or were destroyed");
	arch_poweroff(all_clean && !reboot_wanted);
}

/* At once when the CPU has nothing better to do and it is not for others to move first. */
static void go_on_later(bool waiting)
{
	if (vcpu_is_idle(current) && !waiting)
		look_soon();
	else
		timer_set(&retry_timer, system_time() + REAP_PAUSE);
}

static void domain_softirq(void)
{
	struct survey survey = { .alive = false };

	if (smp_processor_id() != END_CPU) {
		look_soon();
		return;
	}
	free_dead();
	domain_for_each(look_after, &survey);
	free_dead();
	if (look_again) {
		look_again = false;
		look_soon();
		return;
	}
	if (survey.unfinished)
		go_on_later(survey.waiting);
	else if (reboot_wanted || (READ_ONCE(boot_done) && !survey.alive))
		end_machine();
}

static void retry(void *arg)
{
	look_soon();
}

void domain_end_init(void)
{
	timer_init(&retry_timer, retry, NULL, END_CPU);
	softirq_register(SOFTIRQ_DOMAIN, domain_softirq);
}
