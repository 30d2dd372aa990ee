// SPDX-License-Identifier: GPL-2.0-or-later
/* Spin locks on the real machine: they exclude, and two at a time do not deadlock. */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/spinlock.h>

static struct spinlock inner = SPINLOCK_INIT(LOCK_TIMER);

SELFTEST(locks, trylock_takes_only_what_is_free)
{
	REQUIRE(spin_trylock(&inner));
	EXPECT(!spin_trylock(&inner));
	EXPECT(spin_is_mine(&inner));
	spin_unlock(&inner);
	REQUIRE(spin_trylock(&inner));
	spin_unlock(&inner);
}

/* ---- All CPUs at once, inside an IPI: interrupts are off ---- */

#define ROUNDS 2000

static struct spinlock hot = SPINLOCK_INIT(LOCK_IPI), hot_too = SPINLOCK_INIT(LOCK_IPI);
static unsigned long counter, counter_too;
static unsigned int inside;

/* What only a lock makes right: not atomic, with time in between for others to come. */
static void count_slowly(unsigned long *what)
{
	unsigned long n = READ_ONCE(*what);

	cpu_relax();
	WRITE_ONCE(*what, n + 1);
}

static void hammer_one(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned long flags = spin_lock_irqsave(&hot);

		EXPECT(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED) == 0);
		count_slowly(&counter);
		__atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
		spin_unlock_irqrestore(&hot, flags);
	}
}

static unsigned int online(void)
{
	unsigned int cpu, n = 0;

	for_each_online_cpu (cpu)
		n++;
	return n;
}

SELFTEST(locks, one_cpu_at_a_time)
{
	counter = 0;
	smp_call(&cpu_online_map, hammer_one, NULL);
	EXPECT(counter == (unsigned long)ROUNDS * online());
}

/* Each in its own order of arguments: taken naively, CPUs would wait for one another. */
static void hammer_two(void *arg)
{
	bool turn = smp_processor_id() & 1;

	(void)arg;
	for (unsigned int i = 0; i < ROUNDS; i++, turn = !turn) {
		struct spinlock *a = turn ? &hot : &hot_too, *b = turn ? &hot_too : &hot;
		unsigned long flags = local_irq_save();

		spin_lock_both(a, b);
		count_slowly(&counter);
		count_slowly(&counter_too);
		spin_unlock_both(a, b);
		local_irq_restore(flags);
	}
}

SELFTEST(locks, pairs_in_any_order_do_not_deadlock)
{
	counter = counter_too = 0;
	smp_call(&cpu_online_map, hammer_two, NULL);
	EXPECT(counter == (unsigned long)ROUNDS * online());
	EXPECT(counter_too == counter);
}
