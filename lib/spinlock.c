// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks with levels. Each CPU keeps a bit per level it holds; taking a lock whose level is not above all of them, or
 * releasing one that another CPU owns, is a bug that debug builds stop at: an order that can deadlock is found the
 * first time it is taken, not the first time it does.
 *
 * Whoever comes first takes a free lock; there is no queue. With tickets a lock passes only to the one CPU whose turn it
 * is, and on a machine whose CPUs are a host's threads, more than the host has cores, that CPU is often not
 * running: each hand-over then costs a time slice of the host's. (Four CPUs on two cores that hammered the heap took minutes
 * instead of seconds.) Sections are short and CPUs few, so nobody starves for long.
 *
 * Two locks of one level are taken only through spin_lock_both(), which orders them by address.
 */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/spinlock.h>

_Static_assert(LOCK_LEVELS <= 32, "a bit per level");

DEFINE_PERCPU(u32, locks_held); /* bit per level */

static void check_order(const struct spinlock *lock)
{
	u32 held = this_cpu(locks_held);

	BUG_ON(held >> lock->level);
}

static void note_taken(struct spinlock *lock)
{
	lock->owner = (u16)smp_processor_id();
	this_cpu(locks_held) |= 1U << lock->level;
}

static void note_released(struct spinlock *lock)
{
	BUG_ON(lock->owner != (u16)smp_processor_id());
	lock->owner = LOCK_NO_OWNER;
	this_cpu(locks_held) &= ~(1U << lock->level);
}

static bool try_take(struct spinlock *lock)
{
	return !__atomic_load_n(&lock->held, __ATOMIC_RELAXED) &&
	       !__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE);
}

static void wait_until_free(const struct spinlock *lock)
{
	while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED))
		cpu_relax();
}

static void take(struct spinlock *lock)
{
	while (!try_take(lock))
		wait_until_free(lock);
}

static void give(struct spinlock *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

void spin_lock(struct spinlock *lock)
{
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		check_order(lock);
	take(lock);
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_taken(lock);
}

bool spin_trylock(struct spinlock *lock)
{
	if (!try_take(lock))
		return false;
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_taken(lock);
	return true;
}

void spin_unlock(struct spinlock *lock)
{
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_released(lock);
	give(lock);
}

/* Interrupts are as before while it waits: the owner may be waiting for this CPU to answer one. */
unsigned long spin_lock_irqsave(struct spinlock *lock)
{
	unsigned long flags = local_irq_save();

	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		check_order(lock);
	while (!try_take(lock)) {
		local_irq_restore(flags);
		wait_until_free(lock);
		local_irq_disable();
	}
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_taken(lock);
	return flags;
}

void spin_unlock_irqrestore(struct spinlock *lock, unsigned long flags)
{
	spin_unlock(lock);
	local_irq_restore(flags);
}

bool spin_is_mine(const struct spinlock *lock)
{
	return !IS_ENABLED(CONFIG_DEBUG_LOCKS) || lock->owner == (u16)smp_processor_id();
}

void spin_lock_both(struct spinlock *a, struct spinlock *b)
{
	struct spinlock *first = (uintptr_t)a < (uintptr_t)b ? a : b;
	struct spinlock *second = first == a ? b : a;

	spin_lock(first);
	if (second == first)
		return;
	take(second);
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		second->owner = (u16)smp_processor_id(); /* the level's bit is set already */
}

void spin_unlock_both(struct spinlock *a, struct spinlock *b)
{
	if (b != a) {
		if (IS_ENABLED(CONFIG_DEBUG_LOCKS)) {
			BUG_ON(b->owner != (u16)smp_processor_id());
			b->owner = LOCK_NO_OWNER;
		}
		give(b);
	}
	spin_unlock(a);
}
