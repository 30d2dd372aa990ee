// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ticket locks with levels. Each CPU keeps a bit per level it holds; taking a lock whose level is not above all of
 * them, or releasing one that another CPU owns, is a bug that debug builds stop at: an order that can deadlock is found
 * the first time it is taken, not the first time it does.
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

static void take(struct spinlock *lock)
{
	u32 ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != ticket)
		cpu_relax();
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
	u32 serving = __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);
	u32 expected = serving;

	if (!__atomic_compare_exchange_n(&lock->next, &expected, serving + 1, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_taken(lock);
	return true;
}

void spin_unlock(struct spinlock *lock)
{
	if (IS_ENABLED(CONFIG_DEBUG_LOCKS))
		note_released(lock);
	__atomic_store_n(&lock->serving, lock->serving + 1, __ATOMIC_RELEASE);
}

unsigned long spin_lock_irqsave(struct spinlock *lock)
{
	unsigned long flags = local_irq_save();

	spin_lock(lock);
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
		__atomic_store_n(&b->serving, b->serving + 1, __ATOMIC_RELEASE);
	}
	spin_unlock(a);
}
