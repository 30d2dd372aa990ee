// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start of day: the order in which the hypervisor comes up, on CPU 0 with interrupts off, from
 * boot_info as the parsers left it to the first entry into the scheduler.
 */
#include "internal.h"
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/bootmem.h>
#include <tine/cmdline.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/phases.h>
#include <tine/printk.h>
#include <tine/sched.h>
#include <tine/selftest.h>
#include <tine/version.h>

static void banner(void)
{
	printk_always("Tine %s (%s, GCC %s), booted by %s (%s)", tine_version, tine_variant,
		      tine_compiler, boot_info.loader[0] ? boot_info.loader : "an unnamed loader",
		      boot_info.protocol);
	if (boot_info.cmdline[0])
		printk_always("Command line: %s", boot_info.cmdline);
}

static void check_memory_map(void)
{
	int rc = boot_info_sanitize(&boot_info);

	boot_info_log(&boot_info);
	if (rc)
		panic("The firmware reports no usable memory (error %d)", rc);
}

/* The log line is for people and for tools/tine bench: ticks are of arch_cycles(). */
static void timed_heap_init(void)
{
	struct heap_init_stats stats;
	u64 start = arch_cycles(), end;

	heap_init(&stats);
	end = arch_cycles();
	printk_always(
		"heap-init: strategy=%s ticks=%lu chunks=%lu pages=%lu nodes=%u boot-ticks=%lu",
		stats.strategy, end - start, stats.chunks, stats.pages, stats.nodes,
		end - arch_boot_cycles());
	phase_done("heap");
	heap_boot_scrub();
}

static void enter_scheduler(void)
{
	if (IS_ENABLED(CONFIG_SELFTEST) && selftest_wanted())
		selftest_run();
	boot_domains(&boot_info);
	arch_free_init();
	phases_log();
	sched_run();
}

void start_of_day(void)
{
	phase_done("entry");
	cmdline_parse_all(boot_info.cmdline);
	arch_console_init();
	banner();
	phase_done("console");
	check_memory_map();
	bootmem_init(&boot_info, arch_direct_map_limit());
	phase_done("memory-map");
	arch_firmware_tables(&boot_info);
	numa_init(&boot_info);
	phase_done("firmware");
	arch_paging_init(&boot_info);
	phase_done("paging");
	timed_heap_init();
	arch_traps_init();
	phase_done("traps");
	arch_time_init();
	phase_done("clock");
	sched_init();
	sched_cpu_init(smp_processor_id());
	local_irq_enable();
	arch_console_start_input();
	phase_done("scheduler");
	arch_start_cpus(&boot_info);
	phase_done("cpus");
	enter_scheduler();
	__builtin_unreachable();
}
