// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain's side of the console: what it prints, and what was typed for it and waits to be read.
 *
 * struct guest_console has its own lock (LOCK_CONSOLE_INPUT) for the input ring. Output keeps no state here: printk_stream() knows whose
 * line is open.
 */
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/evtchn.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/string.h>
#include "internal.h"

#define INPUT_SIZE 512U /* a power of two */

struct guest_console {
	struct spinlock lock;
	u32 in, out; /* free-running: in - out bytes wait */
	char input[INPUT_SIZE];
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

void console_guest_write(struct domain *d, const char *text, size_t len)
{
	char chunk[128];
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (!d->config.initial) {
			if (c == '\r')
				continue;
			c = harmless(c);
		}
		chunk[n++] = c;
		if (n == sizeof(chunk)) {
			printk_stream(d, d->console->prefix, chunk, n);
			n = 0;
		}
	}
	printk_stream(d, d->console->prefix, chunk, n);
}

void console_guest_flush(struct domain *d)
{
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
}

int console_domain_init(struct domain *d)
{
	d->console = kzalloc(sizeof(*d->console));
	if (!d->console)
		return -ENOMEM;
	spin_lock_init(&d->console->lock, LOCK_CONSOLE_INPUT);
	(void)tine_snprintf(d->console->prefix, sizeof(d->console->prefix), "(d%u) ", d->id);
	console_domain_arrived(d);
	return 0;
}

void console_domain_free(struct domain *d)
{
	printk_stream_end(d);
	kfree(d->console);
}
