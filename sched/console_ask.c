// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands of the console that ask a guest to do something: it reads in its store what is wanted,
 * and does it if it likes. Whether anybody there is listening is told.
 */
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/string.h>
#include <tine/xenstore.h>
#include "internal.h"

static void ask(struct domain *d, const char *path, const char *value)
{
	int watches = xenstore_write(d, path, value);

	if (watches == -ENOTCONN)
		printk_always("Domain %u has no store to be asked in\n", d->id);
	else if (watches < 0)
		printk_always("Domain %u: %s cannot be written: error %d\n", d->id, path, -watches);
	else if (watches == 0)
		printk_always("Domain %u does not watch %s: it will not notice\n", d->id, path);
	else
		printk_always("Domain %u is asked: %s = %s\n", d->id, path, value);
}

void console_ask_poweroff(struct domain *d, const char *rest)
{
	ask(d, "control/shutdown", "poweroff");
}

void console_ask_reboot(struct domain *d, const char *rest)
{
	ask(d, "control/shutdown", "reboot");
}

/*
 * SIZE as on the command line, in MiB without a letter; the store has KiB. More than the domain may
 * ever have is refused.
 */
void console_ask_balloon(struct domain *d, const char *size)
{
	unsigned long max = d->max_pages << PAGE_SHIFT, bytes;
	const char *end = size;
	char text[24];

	if (str_to_size(&end, MiB(1), &bytes) || *end || !bytes) {
		printk_always("\"%s\" is not a size\n", size);
		return;
	}
	if (bytes > max) {
		printk_always("Domain %u may have %lu KiB at most\n", d->id, max >> 10);
		return;
	}
	(void)tine_snprintf(text, sizeof(text), "%lu", bytes >> 10);
	ask(d, "memory/target", text);
}
