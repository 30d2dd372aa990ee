// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Spin locks on the real machine: they exclude, two at a time do not deadlock, and debug builds stop at a wrong order,
 * at a lock taken twice and at the release of a lock that is not held. Those stops are panics, which are caught here.
 */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/spinlock.h>
#include <tine/string.h>

static struct spinlock outer = SPINLOCK_INIT(LOCK_RUN_QUEUE);
static struct spinlock inner = SPINLOCK_INIT(LOCK_TIMER);
static struct spinlock inner_too = SPINLOCK_INIT(LOCK_TIMER);

/* ---- Panics that are expected ---- */

static void *way_back[5];
static unsigned int expecting_cpu;
static char said[128];

static void take_panic(const char *text)
{
	if (smp_processor_id() != expecting_cpu)
		return;
	panic_intercept = NULL;
	(void)str_copy(said, text, sizeof(said));
	__builtin_longjmp(way_back, 1);
}

static __noinline bool panics(void (*fn)(void))
{
	expecting_cpu = smp_processor_id();
	said[0] = '\0';
	if (__builtin_setjmp(way_back))
		return true;
	panic_intercept = take_panic;
	fn();
	panic_intercept = NULL;
	return false;
}

static bool order_is_checked(void)
{
	if (!IS_ENABLED(CONFIG_DEBUG_LOCKS))
		selftest_skip("lock order is checked in debug builds only");
	return IS_ENABLED(CONFIG_DEBUG_LOCKS);
}

static void take_outer(void)
{
	spin_lock(&outer);
}

static void take_inner(void)
{
	spin_lock(&inner);
}

static void take_inner_too(void)
{
	spin_lock(&inner_too);
}

static void release_inner(void)
{
	spin_unlock(&inner);
}

SELFTEST(locks, wrong_order_is_stopped)
{
	if (!order_is_checked())
		return;
	spin_lock(&inner);
	EXPECT(panics(take_outer));
	EXPECT(!strncmp(said, "BUG at lib/spinlock.c", 21));
	spin_unlock(&inner);

	/* And nothing is wrong with the right order, before and after. */
	spin_lock(&outer);
	EXPECT(!panics(take_inner));
	spin_unlock(&inner);
	spin_unlock(&outer);
}

SELFTEST(locks, two_of_a_level_are_stopped_unless_taken_together)
{
	if (!order_is_checked())
		return;
	spin_lock(&inner);
	EXPECT(panics(take_inner)); /* itself: would wait for ever */
	EXPECT(panics(take_inner_too));
	spin_unlock(&inner);

	spin_lock_both(&inner, &inner_too);
	EXPECT(spin_is_mine(&inner) && spin_is_mine(&inner_too));
	EXPECT(panics(take_outer));
	spin_unlock_both(&inner, &inner_too);
	spin_lock_both(&inner, &inner);
	spin_unlock_both(&inner, &inner);
	spin_lock(&outer);
	spin_unlock(&outer);
}

SELFTEST(locks, release_of_a_free_lock_is_stopped)
{
	if (!order_is_checked())
		return;
	EXPECT(panics(release_inner));
	spin_lock(&inner);
	spin_unlock(&inner);
}

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
