// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How much memory a domain without a figure gets: dom0_mem= for the initial one, else what is free less a reserve. Not all of a
 * huge machine, though: building touches every frame, so what nobody asked for is capped.
 */
#include "internal.h"
#include <tine/cmdline.h>
#include <tine/heap.h>
#include <tine/string.h>

#define RESERVE_MIN MiB(64)
#define RESERVE_SHARE 16 /* one part in so many */
#define DEFAULT_MAX GiB(4)

static unsigned long dom0_mem;

/* As on Xen: SIZE[,min:SIZE][,max:SIZE]. The minimum is not needed, and a maximum alone caps the default. */
static unsigned long dom0_mem_max = DEFAULT_MAX;

static int parse_part(const char **text)
{
	unsigned long size, *to = &dom0_mem;
	int rc;

	if (!strncmp(*text, "max:", 4) || !strncmp(*text, "min:", 4)) {
		to = **text == 'm' && (*text)[1] == 'a' ? &dom0_mem_max : NULL;
		*text += 4;
	}
	rc = str_to_size(text, KiB(1), &size);
	if (rc)
		return rc;
	if (size < MiB(1))
		return -EINVAL;
	if (to)
		*to = size;
	return 0;
}

static int parse_dom0_mem(const char *text)
{
	int rc;

	for (;;) {
		rc = parse_part(&text);
		if (rc)
			return rc;
		if (*text == '\0')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}
CMDLINE_CUSTOM_OPTION("dom0_mem", dom0_mem, parse_dom0_mem);

unsigned long pv_memory_wanted(const struct domain *d)
{
	unsigned long free = heap_free_total() << PAGE_SHIFT;
	unsigned long reserve = max(RESERVE_MIN, free / RESERVE_SHARE);

	if (d->config.memory)
		return ROUND_DOWN(d->config.memory, PAGE_SIZE);
	if (d->config.initial && dom0_mem)
		return ROUND_DOWN(dom0_mem, PAGE_SIZE);
	return free > 2 * reserve ? min(free - reserve, dom0_mem_max) : free / 2;
}
