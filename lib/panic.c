// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of the hypervisor: says why and where, then stops or restarts the machine as `noreboot` asks. */
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>

bool opt_noreboot;
CMDLINE_BOOL_OPTION("noreboot", noreboot, opt_noreboot);

void (*panic_intercept)(const char *text);

/* A self-test that wants to see this panic does not return from here. */
static void offer_to_selftest(const char *fmt, va_list args)
{
	char text[128];

	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	panic_intercept(text);
}

void panic(const char *fmt, ...)
{
	static unsigned int entered;
	char text[512];
	va_list args;

	if (unlikely(panic_intercept)) {
		va_start(args, fmt);
		offer_to_selftest(fmt, args);
		va_end(args);
	}
	local_irq_disable();
	if (__atomic_fetch_add(&entered, 1, __ATOMIC_SEQ_CST) > 0)
		arch_halt(); /* another CPU is at it, or the panic itself went wrong */
	printk_panic_mode();
	arch_stop_others();

	va_start(args, fmt);
	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	printk_always("Panic on CPU %u: %s", smp_processor_id(), text);
	backtrace();
	if (opt_noreboot) {
		printk_always("Halted (noreboot).");
		arch_halt();
	}
	arch_panic_end();
}
