// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain's side of the console: what it prints, and what was typed for it and waits to be read.
 *
 * The initial domain's output is shown at once and as it is: it is an interactive console. Others'
 * waits for the end of its line, or a moment, so that domains which print at the same time do not
 * tear each other's lines. What moves a terminal's cursor passes only from those two that somebody
 * talks to: the initial domain, and the one that has the input.
 *
 * struct guest_console has its own lock (LOCK_GUEST_CONSOLE) for the input ring and the line.
 */
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/evtchn.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/string.h>
#include "internal.h"

#define INPUT_SIZE 512U /* a power of two */
#define LINE_SIZE 256
#define LINE_PATIENCE (20 * NSEC_PER_MSEC) /* a prompt has no newline */

struct guest_console {
	struct spinlock lock;
	u32 in, out; /* free-running: in - out bytes wait */
	char input[INPUT_SIZE];
	char line[LINE_SIZE];
	size_t line_len;
	struct timer patience; /* set while the line holds something */
	char prefix[12];
};

/* Guests print at the level "info", as it were. */
static bool guests_print = true;

static int parse_guest_loglvl(const char *value)
{
	static const struct {
		const char *name;
		bool print;
	} levels[] = {
		{ "none", false }, { "error", false }, { "warning", false },
		{ "info", true },  { "debug", true },  { "all", true },
	};
	const char *slash = strchr(value, '/'); /* Xen's lower/upper limits: the first counts */
	size_t len = slash ? (size_t)(slash - value) : strlen(value);

	for (unsigned int i = 0; i < ARRAY_SIZE(levels); i++) {
		if (strlen(levels[i].name) == len && !strncmp(value, levels[i].name, len)) {
			guests_print = levels[i].print;
			return 0;
		}
	}
	return -EINVAL;
}
CMDLINE_CUSTOM_OPTION("guest_loglvl", guest_loglvl, parse_guest_loglvl);

bool console_guest_allowed(const struct domain *d)
{
	return d->config.initial || guests_print;
}

static char harmless(char c)
{
	return (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || (c & 0x80) ? c : '?';
}

static void show_line(struct domain *d)
{
	struct guest_console *con = d->console;

	printk_stream(d, con->prefix, con->line, con->line_len);
	con->line_len = 0;
}

static void patience_over(void *arg)
{
	struct domain *d = arg;
	unsigned long flags = spin_lock_irqsave(&d->console->lock);

	show_line(d);
	spin_unlock_irqrestore(&d->console->lock, flags);
}

static void add_to_line(struct domain *d, char c)
{
	struct guest_console *con = d->console;

	con->line[con->line_len++] = c;
	if (c == '\n' || con->line_len == LINE_SIZE)
		show_line(d);
}

void console_guest_write(struct domain *d, const char *text, size_t len)
{
	struct guest_console *con = d->console;
	unsigned long flags;
	bool waits, as_it_is = console_has_focus(d);

	if (d->config.initial) {
		printk_stream(d, con->prefix, text, len);
		return;
	}
	flags = spin_lock_irqsave(&con->lock);
	waits = con->line_len != 0;
	for (size_t i = 0; i < len; i++) {
		if (as_it_is)
			add_to_line(d, text[i]);
		else if (text[i] != '\r')
			add_to_line(d, harmless(text[i]));
	}
	waits = con->line_len && !waits;
	spin_unlock_irqrestore(&con->lock, flags);
	if (!waits)
		return;
	timer_migrate(&con->patience, smp_processor_id());
	timer_set(&con->patience, system_time() + LINE_PATIENCE);
}

void console_guest_flush(struct domain *d)
{
	console_ring_poll(d);
	patience_over(d);
	printk_stream_end(d);
}

size_t console_guest_read(struct domain *d, char *buf, size_t size)
{
	struct guest_console *con = d->console;
	unsigned long flags = spin_lock_irqsave(&con->lock);
	size_t n = 0;

	while (n < size && con->out != con->in)
		buf[n++] = con->input[con->out++ % INPUT_SIZE];
	spin_unlock_irqrestore(&con->lock, flags);
	return n;
}

/* What does not fit is lost, as on a serial line that nobody reads. */
void console_guest_type(struct domain *d, char c)
{
	struct guest_console *con = d->console;
	unsigned long flags = spin_lock_irqsave(&con->lock);

	if (con->in - con->out < INPUT_SIZE)
		con->input[con->in++ % INPUT_SIZE] = c;
	spin_unlock_irqrestore(&con->lock, flags);
	evtchn_send_virq(d->vcpus[0], VIRQ_CONSOLE);
	console_ring_feed(d);
}

int console_domain_init(struct domain *d)
{
	d->console = kzalloc(sizeof(*d->console));
	if (!d->console)
		return -ENOMEM;
	spin_lock_init(&d->console->lock, LOCK_GUEST_CONSOLE);
	timer_init(&d->console->patience, patience_over, d, smp_processor_id());
	(void)tine_snprintf(d->console->prefix, sizeof(d->console->prefix), "(d%u) ", d->id);
	console_domain_arrived(d);
	return 0;
}

void console_domain_free(struct domain *d)
{
	if (!d->console)
		return;
	timer_kill(&d->console->patience);
	console_guest_flush(d);
	console_ring_free(d);
	kfree(d->console);
}
