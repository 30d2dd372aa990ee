// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Softirqs: one word of pending bits a CPU, set by anybody with an atomic or, taken whole by the
 * CPU itself. No lock. A bit that is raised while its handler runs makes it run again, so a handler
 * may take what it finds and leave.
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

void softirq_process(void)
{
	u32 *word = &per_cpu(softirq_pending, smp_processor_id());
	u32 pending;

	local_irq_enable();
	while ((pending = __atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST)) != 0) {
		while (pending) {
			unsigned int nr = lsb(pending);

			pending &= pending - 1;
			if (handlers[nr])
				handlers[nr]();
		}
	}
}
