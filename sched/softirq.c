// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Softirqs: one word of pending bits a CPU, set by anybody with an atomic or, taken one by one by
 * the CPU itself. No lock. A bit that is raised while its handler runs makes it run again, so a
 * handler may take what it finds and leave.
 */
#include <tine/arch.h>
#include <tine/softirq.h>

DEFINE_PERCPU(u32, softirq_pending);

static void (*handlers[SOFTIRQ_COUNT])(void);

void softirq_register(enum softirq nr, void (*handler)(void))
{
	ASSERT(!handlers[nr] || handlers[nr] == handler);
	handlers[nr] = handler;
}

void softirq_raise(enum softirq nr)
{
	(void)__atomic_fetch_or(&per_cpu(softirq_pending, smp_processor_id()), 1U << nr,
				__ATOMIC_SEQ_CST);
}

void softirq_raise_on(unsigned int cpu, enum softirq nr)
{
	u32 bit = 1U << nr;
	u32 old = __atomic_fetch_or(&per_cpu(softirq_pending, cpu), bit, __ATOMIC_SEQ_CST);

	/* A bit that was set already had its IPI, and the CPU has not come to look yet. */
	if (!(old & bit) && cpu != smp_processor_id())
		arch_send_ipi(cpu, IPI_RESCHEDULE);
}

/*
 * Each bit goes just before its handler runs: until then softirq_waiting() is true for the handlers
 * before it, too, and long work among them gives way. Rounds, so that one that raises itself again
 * does not keep the others waiting.
 */
void softirq_process(void)
{
	u32 *word = &per_cpu(softirq_pending, smp_processor_id());
	u32 round;

	local_irq_enable();
	while ((round = __atomic_load_n(word, __ATOMIC_SEQ_CST)) != 0) {
		for (; round; round &= round - 1) {
			unsigned int nr = lsb(round);

			(void)__atomic_fetch_and(word, ~(1U << nr), __ATOMIC_SEQ_CST);
			if (handlers[nr])
				handlers[nr]();
		}
	}
}
