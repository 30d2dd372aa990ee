// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a debug build stops at: a wrong order of locks, a lock taken twice, the release of a lock that is not held. The stops are panics,
 * which are caught here. Built only where the checks are (CONFIG_DEBUG_LOCKS).
 */
#include <tine/console.h>
#include <tine/cpu.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/spinlock.h>
#include <tine/string.h>

static struct spinlock outer = SPINLOCK_INIT(LOCK_RUN_QUEUE);
static struct spinlock inner = SPINLOCK_INIT(LOCK_TIMER);
static struct spinlock inner_too = SPINLOCK_INIT(LOCK_TIMER);
static struct spinlock innermost = SPINLOCK_INIT(LOCK_IPI);

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

static void type_nothing(void)
{
	console_input('\0');
}

static void release_inner(void)
{
	spin_unlock(&inner);
}

SELFTEST(locks, wrong_order_is_stopped)
{
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

/* The interrupt comes whenever somebody types: under any lock that is held with interrupts on. */
SELFTEST(locks, typing_is_taken_whatever_is_held)
{
	spin_lock(&innermost);
	EXPECT(!panics(type_nothing));
	spin_unlock(&innermost);
}

SELFTEST(locks, two_of_a_level_are_stopped_unless_taken_together)
{
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
	EXPECT(panics(release_inner));
	spin_lock(&inner);
	spin_unlock(&inner);
}
