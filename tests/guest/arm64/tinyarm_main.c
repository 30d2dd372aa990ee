// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arm64 guest from its first C function to its end: read the device tree, have interrupts and events, do what the command line says, report. The
 * words it knows are in `works`; with none of them it tests.
 */
#include "tiny_event.h"
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tiny_places.h"
#include "tiny_work.h"
#include "tinyarm.h"
#include <xen/memory.h>

#define PATTERN_AT 0x1000000ul /* from the image, which is far shorter */
#define HOLE_PAGE 40           /* of the free addresses, behind what the grant table may take */
#define FAR_PAGE 50

extern char tinyarm_image[], tinyarm_arena_start[], tinyarm_end[];
void __noreturn tinyarm_start(const void *tree);

shared_info_t *tiny_shared;
struct tiny_places tiny_places;

static char shared_info_window[PAGE_SIZE] __page_aligned;

static const char *test(const char *line)
{
	timer_init();
	return work_test(line);
}

static const char *share(const char *line)
{
	timer_init();
	return work_share(line);
}

#define PSCI_SYSTEM_OFF 0x84000008
#define PSCI_SYSTEM_RESET 0x84000009

static const char *end_by_firmware(const char *line)
{
	bool reset = cmdline_has_word(line, "firmware-reset");

	firmware_call(reset ? PSCI_SYSTEM_RESET : PSCI_SYSTEM_OFF, 0, 0, 0);
	return "firmware does not end it";
}

static const struct work {
	const char *word;
	const char *(*run)(const char *line);
} works[] = {
	{ "test", test },
	{ "linger", work_linger },
	{ "fail", work_fail },
	{ "oops", work_oops },
	{ "share", share },
	{ "attack", tinyarm_attack },
	{ "firmware-off", end_by_firmware },
	{ "firmware-reset", end_by_firmware },
	{ "fork", work_fork },
	{ "may-not", work_may_not },
	{ "fork-bench", work_fork_bench },
};

/* Gives up a page's frame for the one of shared_info. */
static void map_shared_info(void)
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = XENMAPSPACE_shared_info,
					  .gpfn = (uint64_t)shared_info_window / PAGE_SIZE };
	long rc = hypercall2(__HYPERVISOR_memory_op, XENMEM_add_to_physmap, (uint64_t)&add);

	if (rc)
		tiny_fail("mapping shared_info: %ld", rc);
	tiny_shared = (shared_info_t *)shared_info_window;
}

static void find_places(void)
{
	tiny_places.pattern = (uint64_t *)(tinyarm_image + PATTERN_AT);
	tiny_places.memory = (const void *)tinyarm_machine.memory;
	tiny_places.memory_size = tinyarm_machine.memory_size;
	tiny_places.hole = (void *)(tinyarm_machine.free + HOLE_PAGE * PAGE_SIZE);
	tiny_places.far = (void *)(tinyarm_machine.free + FAR_PAGE * PAGE_SIZE);
	tiny_places.unmapped = (void *)0xffff820000000000ul;
}

static void run_one(const char *(*run)(const char *line), const char *line)
{
	const char *failure = run(line);

	if (failure)
		tiny_fail("%s", failure);
}

void tinyarm_start(const void *tree)
{
	const char *line;
	unsigned int i, done = 0;

	if (!tinyarm_read_tree(tree))
		tiny_fail("a guest without a machine");
	line = tinyarm_machine.line;
	printf("tiny: arm64 at %p, GICv%u, %lu MiB, %u CPUs, command line \"%s\"\n", tinyarm_image,
	       tinyarm_machine.gic_v3 ? 3 : 2, tinyarm_machine.memory_size >> 20,
	       tinyarm_machine.cpus, line);
	find_places();
	page_add_range(tinyarm_arena_start, tinyarm_end);
	map_shared_info();
	rings_init();
	event_init(tiny_shared);
	gic_init();
	gic_enable(tinyarm_machine.events);
	events_on();
	for (i = 0; i < ARRAY_SIZE(works); i++)
		if (cmdline_has_word(line, works[i].word)) {
			run_one(works[i].run, line);
			done++;
		}
	if (!done)
		run_one(test, line);
	tiny_succeed();
}
