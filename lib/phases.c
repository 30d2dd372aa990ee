// SPDX-License-Identifier: GPL-2.0-or-later
/* The stopwatch of start of day: a table of phases in the order in which they first ended. */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/phases.h>
#include <tine/printk.h>
#include <tine/string.h>

#define MAX_PHASES 32 /* the last one takes what has no room */
#define LINE_SIZE 800

static struct phase {
	const char *name;
	u64 ticks;
} phases[MAX_PHASES];
static unsigned int nr_phases;
static u64 last;
static bool logged;

static struct phase *find(const char *name)
{
	for (unsigned int i = 0; i < nr_phases; i++) {
		if (!strcmp(phases[i].name, name))
			return &phases[i];
	}
	if (nr_phases == MAX_PHASES)
		return &phases[MAX_PHASES - 1];
	phases[nr_phases].name = name;
	return &phases[nr_phases++];
}

void phase_done(const char *name)
{
	u64 now;

	if (logged)
		return;
	now = arch_cycles();
	find(name)->ticks += now - (last ? last : arch_boot_cycles());
	last = now;
}

void phases_log(void)
{
	char line[LINE_SIZE];
	size_t at = 0;

	if (logged)
		return;
	phase_done("rest");
	logged = true;
	for (unsigned int i = 0; i < nr_phases && at < sizeof(line); i++)
		at += (size_t)tine_snprintf(line + at, sizeof(line) - at, " %s=%lu", phases[i].name,
					    phases[i].ticks);
	printk_always("boot-phases: start=%lu%s total=%lu", arch_boot_cycles(), line,
		      last - arch_boot_cycles());
}
