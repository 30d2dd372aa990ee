/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spin locks. A lock has a level; a CPU may only take a lock whose level is higher than that of every lock it holds.
 * Debug builds assert this on every acquisition, and that the owner releases. Whoever comes first to a free lock has it.
 *
 * A lock that is ever taken in interrupt context must always be taken with the _irqsave forms, and its level be higher than that of
 * all that are held with interrupts on. While spinning, the plain form leaves interrupts as they are.
 */
#ifndef TINE_SPINLOCK_H
#define TINE_SPINLOCK_H

#include <tine/compiler.h>
#include <tine/types.h>

/* In the order in which they may be nested, outermost first. */
enum lock_level {
	LOCK_DOMAIN_LIST,
	LOCK_DOMAIN,     /* struct domain: lifecycle, configuration */
	LOCK_GUEST_RING, /* a ring that a guest shares with a service */
	LOCK_GUEST_CONSOLE,
	LOCK_GRANT, /* struct grant_table: either of its two */
	LOCK_P2M_CHILD,
	LOCK_P2M,
	LOCK_PAGE_TABLE, /* struct domain: one page-table change at a time */
	LOCK_EVTCHN,
	LOCK_EVENT_QUEUE, /* FIFO event channels: queues and words in the guest's pages */
	LOCK_RUN_QUEUE,
	LOCK_TIMER,
	LOCK_MAPCOUNT,   /* how often p2ms map a frame */
	LOCK_PAGE_ALLOC, /* struct domain: its list of pages */
	LOCK_MAPPING,    /* the hypervisor's own page tables */
	LOCK_SLAB,
	LOCK_HEAP,
	LOCK_IPI,
	LOCK_INPUT, /* what was typed: an interrupt takes it, whatever is held */
	LOCK_PRINTK,
	LOCK_LEVELS
};

struct spinlock {
	u32 held;  /* 1 while somebody has it */
	u16 owner; /* CPU that holds it, for debugging; LOCK_NO_OWNER */
	u8 level;
};

#define LOCK_NO_OWNER 0xffff
#define SPINLOCK_INIT(lvl)                                                                         \
	{                                                                                          \
		.owner = LOCK_NO_OWNER, .level = (lvl)                                             \
	}

static inline void spin_lock_init(struct spinlock *lock, enum lock_level level)
{
	*lock = (struct spinlock)SPINLOCK_INIT((u8)level);
}

void spin_lock(struct spinlock *lock);
bool spin_trylock(struct spinlock *lock) __must_check;
void spin_unlock(struct spinlock *lock);

/* Also disables interrupts on this CPU; the return value goes to the matching _irqrestore. */
unsigned long spin_lock_irqsave(struct spinlock *lock) __must_check;
void spin_unlock_irqrestore(struct spinlock *lock, unsigned long flags);

/* Held by this CPU? For assertions only; always true in release builds. */
bool spin_is_mine(const struct spinlock *lock);

/* Two locks of one level (two p2ms, two run queues): lowest address first. B may equal A. */
void spin_lock_both(struct spinlock *a, struct spinlock *b);
void spin_unlock_both(struct spinlock *a, struct spinlock *b);

#endif
