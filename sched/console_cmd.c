// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line behind ':' on the console: one line is edited, then looked up in a table. Runs
 * in SOFTIRQ_CONSOLE on one CPU, hence no lock.
 */
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/console.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/store.h>
#include <tine/string.h>
#include <tine/xenstore.h>
#include <xen/sched.h>
#include "fork_family.h"
#include "internal.h"

static char line[80];
static size_t line_len;
static bool editing;

struct command {
	const char *name, *args, *help;
	/* D: the domain that ID names, NULL for commands without; REST: what follows. */
	void (*fn)(struct domain *d, const char *rest);
};

static unsigned long mib(unsigned long pages)
{
	return pages >> (20 - PAGE_SHIFT);
}

static u64 seconds_run(struct domain *d, unsigned int *tenths)
{
	struct vcpu *v;
	unsigned int i;
	u64 ns = 0;

	for_each_vcpu (d, v, i) {
		vcpu_runstate_info_t rec;

		vcpu_get_runstate(v, &rec);
		ns += rec.time[RUNSTATE_running];
	}
	*tenths = (unsigned int)(ns / (NSEC_PER_SEC / 10) % 10);
	return ns / NSEC_PER_SEC;
}

static const char *state_of(const struct domain *d)
{
	struct vcpu *v;
	unsigned int i;
	bool runnable = false;

	if (READ_ONCE(d->dying))
		return "dying";
	if (READ_ONCE(d->shutting_down))
		return d->shutdown_code == SHUTDOWN_crash ? "crashed" : "shut down";
	if (READ_ONCE(d->pause_count))
		return "paused";
	for_each_vcpu (d, v, i) {
		if (READ_ONCE(v->running))
			return "running";
		runnable |= vcpu_runnable(v);
	}
	return runnable ? "waiting" : "blocked";
}

static void list_one(struct domain *d, void *arg)
{
	unsigned int tenths;
	u64 secs = seconds_run(d, &tenths);

	char origin[24] = "";

	if (d->fork)
		(void)tine_snprintf(origin, sizeof(origin), "  fork of %u", d->fork->parent->id);
	printk_always("%5u %-20s %8lu %5u  %-9s %6llu.%u%s\n", d->id, d->config.name,
		      mib(d->nr_pages), d->nr_vcpus, state_of(d), (unsigned long long)secs, tenths,
		      origin);
}

static void cmd_list(struct domain *d, const char *rest)
{
	printk_always("%5s %-20s %8s %5s  %-9s %8s\n", "ID", "Name", "Mem(MiB)", "vCPUs", "State",
		      "Time(s)");
	domain_for_each(list_one, NULL);
}

static void show_services(struct domain *d)
{
	struct store_stats store;
	unsigned int status_frames;

	if (xenstore_get_stats(d, &store))
		printk_always("  store: %u nodes, %u watches, %u transactions, %zu of %zu bytes; "
			      "%lu requests, %lu events "
			      "lost\n",
			      store.nodes, store.watches, store.transactions, store.bytes_used,
			      store.bytes_max, store.requests, store.lost_events);
	printk_always("  grants: %u frames, %lu in use by others; has mapped %u of others\n",
		      grant_table_frames(d, &status_frames), grant_table_uses(d),
		      grant_mappings(d));
}

/* Of a fork, and of its parent. Only then is the whole tree looked at: asked often, that keeps the CPU from its guests. */
static void show_fork(struct domain *d)
{
	unsigned long own, common;

	if (!d->fork && !fork_family_of(d)->nr_forks)
		return;
	if (d->fork)
		printk_always("  fork of domain %u%s, reset %lu times%s\n", d->fork->parent->id,
			      READ_ONCE(d->fork->parent->dying) ? ", which has ended" : "",
			      d->fork->resets, d->fork->waiting ? ", waits for its first" : "");
	if (fork_family_of(d)->nr_forks)
		printk_always("  family of domain %u: %u forks (%u by itself at most), %lu KiB of "
			      "them all\n",
			      fork_family_of(d)->id, fork_family_of(d)->nr_forks,
			      d->config.max_forks,
			      fork_family_used(fork_family_of(d)) << (PAGE_SHIFT - 10));
	if (arch_memory_share(d, &own, &common))
		printk_always("  memory: %lu KiB for itself, %lu KiB in common with forks\n",
			      own << (PAGE_SHIFT - 10), common << (PAGE_SHIFT - 10));
}

static void cmd_info(struct domain *d, const char *rest)
{
	struct vcpu *v;
	unsigned int i;

	printk_always("Domain %u \"%s\": %s, %s%s\n", d->id, d->config.name,
		      d->config.type == DOMAIN_PV ? "PV" : "PVH", state_of(d),
		      d->config.initial ? ", the initial domain" : "");
	printk_always("  %lu frames (%lu MiB), at most %lu; weight %u; %llu unknown hypercalls\n",
		      d->nr_pages, mib(d->nr_pages), d->max_pages, d->config.cpu_weight,
		      (unsigned long long)d->unknown_hypercalls);
	show_services(d);
	show_fork(d);
	for_each_vcpu (d, v, i)
		console_show_vcpu(v);
}

static void cmd_memory(struct domain *d, const char *rest)
{
	unsigned long pages = heap_free_total();

	printk_always("Free: %lu frames (%lu MiB)\n", pages, mib(pages));
}

static void cmd_console(struct domain *d, const char *rest)
{
	console_set_focus(d->id);
}

static void cmd_pause(struct domain *d, const char *rest)
{
	domain_pause_nowait(d);
	printk_always("Domain %u is paused\n", d->id);
}

static void cmd_unpause(struct domain *d, const char *rest)
{
	if (!READ_ONCE(d->pause_count)) {
		printk_always("Domain %u is not paused\n", d->id);
		return;
	}
	domain_unpause(d);
	printk_always("Domain %u: pause count %u\n", d->id, d->pause_count);
}

/* Also of one that has ended, whose forks go on. */
static void cmd_destroy(struct domain *d, const char *rest)
{
	domain_destroy(d);
	domain_destroy_own_forks(d);
}

static void say_refusal(const struct domain *d, const char *what, int error)
{
	static const struct {
		int error;
		const char *why;
	} reasons[] = {
		{ -EOPNOTSUPP, "only PVH guests can be" },
		{ -EBUSY, "it is being forked or reset" },
		{ -EINVAL, "it is no fork" },
		{ -ENOMEM, "there is no memory for it" },
		{ -ENOSPC, "there are as many as can be" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (reasons[i].error == error)
			printk_always("domain %u cannot be %s: %s\n", d->id, what, reasons[i].why);
	}
}

/* Both say themselves how it went. */
static void cmd_fork(struct domain *d, const char *rest)
{
	say_refusal(d, "forked", domain_fork_later(d));
}

static void cmd_reset(struct domain *d, const char *rest)
{
	say_refusal(d, "reset", domain_reset_later(d));
}

static void cmd_help(struct domain *d, const char *rest);

static const struct command commands[] = {
	{ "help", "", "this", cmd_help },
	{ "list", "", "all domains", cmd_list },
	{ "info", "ID", "one domain, its vCPUs", cmd_info },
	{ "console", "ID", "console input goes to it", cmd_console },
	{ "pause", "ID", "stop its vCPUs; nests", cmd_pause },
	{ "unpause", "ID", "let them go on", cmd_unpause },
	{ "shutdown", "ID", "ask it to power off", console_ask_poweroff },
	{ "reboot", "ID", "ask it to reboot", console_ask_reboot },
	{ "balloon", "ID SIZE", "ask it to have SIZE of memory", console_ask_balloon },
	{ "destroy", "ID", "end it at once, and the forks that it made of itself", cmd_destroy },
	{ "memory", "", "what is free", cmd_memory },
	{ "fork", "ID", "a copy of a PVH guest as it is now", cmd_fork },
	{ "reset", "ID", "a fork goes back to where it began", cmd_reset },
};

static void cmd_help(struct domain *d, const char *rest)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(commands); i++)
		printk_always("  %-8s %-7s %s\n", commands[i].name, commands[i].args,
			      commands[i].help);
}

/* The domain whose number TEXT begins with; *REST becomes what follows. */
static struct domain *domain_named(const char *text, const char **rest, bool ended_too)
{
	const char *end = text;
	unsigned long id;
	struct domain *d = NULL;

	if (str_to_ulong(&end, 10, &id) || (*end && *end != ' ') || id >= DOMID_FIRST_RESERVED) {
		printk_always("\"%s\" is not a domain's number\n", text);
		return NULL;
	}
	while (*end == ' ')
		end++;
	*rest = end;
	d = ended_too ? domain_get_any((domid_t)id) : domain_get((domid_t)id);
	if (!d)
		printk_always("there is no domain %lu\n", id);
	return d;
}

static void run_command(const struct command *cmd, const char *arg)
{
	const char *rest;
	struct domain *d;

	if (!*cmd->args) {
		cmd->fn(NULL, arg);
		return;
	}
	d = *arg ? domain_named(arg, &rest, cmd->fn == cmd_destroy) : NULL;
	if (d && !*rest == !strchr(cmd->args, ' '))
		cmd->fn(d, rest);
	else if (d || !*arg)
		printk_always("usage: %s %s\n", cmd->name, cmd->args);
	if (d)
		domain_put(d);
}

static void execute(char *text)
{
	char *arg = strchr(text, ' ');

	if (arg) {
		*arg++ = '\0';
		while (*arg == ' ')
			arg++;
	} else {
		arg = text + strlen(text);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(commands[i].name, text)) {
			run_command(&commands[i], arg);
			return;
		}
	}
	if (*text)
		printk_always("no command \"%s\"; help lists them\n", text);
}

static void echo(const char *text)
{
	printk_stream(line, "", text, strlen(text));
}

void console_cmd_start(void)
{
	editing = true;
	line_len = 0;
	echo(": ");
}

/* Takes C if a command line is being typed. */
bool console_cmd_key(char c)
{
	char shown[2] = { c, '\0' };

	if (!editing)
		return false;
	if (c == '\r' || c == '\n') {
		editing = false;
		line[line_len] = '\0';
		printk_stream_end(line);
		execute(line);
	} else if (c == '\b' || c == '\x7f') {
		if (line_len) {
			line_len--;
			echo("\b \b");
		}
	} else if (c == '\x03' || c == '\x1b') { /* Ctrl-C, Escape */
		editing = false;
		printk_stream_end(line);
	} else if (c >= ' ' && c <= '~' && line_len < sizeof(line) - 1) {
		line[line_len++] = c;
		echo(shown);
	}
	return true;
}
