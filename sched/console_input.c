// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where typed bytes go. The interrupt puts them into a ring and raises SOFTIRQ_CONSOLE; there they
 * are a debug key, part of a command, or a domain's input, depending on who has the focus. Ctrl-A
 * three times passes the focus on: hypervisor, then each domain.
 *
 * input_lock (LOCK_INPUT) guards the ring. The rest belongs to the softirq of the CPU that
 * the serial interrupt goes to.
 */
#include <tine/console.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include "internal.h"

#define RING_SIZE 4096U /* a power of two; a page that is pasted at once */
#define SWITCH_KEY '\x01'
#define SWITCH_COUNT 3
#define FOCUS_HYPERVISOR (-1)

static struct spinlock input_lock = SPINLOCK_INIT(LOCK_INPUT);
static char ring[RING_SIZE];
static u32 ring_in, ring_out;

static int focus = FOCUS_HYPERVISOR; /* or a domain's id */
static bool focus_given;             /* some domain has had it */
static unsigned int switch_keys;     /* Ctrl-As in a row, not passed on yet */

bool console_input_room(void)
{
	unsigned long flags = spin_lock_irqsave(&input_lock);
	bool room = ring_in - ring_out < RING_SIZE;

	spin_unlock_irqrestore(&input_lock, flags);
	return room;
}

void console_input(char c)
{
	unsigned long flags = spin_lock_irqsave(&input_lock);

	if (ring_in - ring_out < RING_SIZE)
		ring[ring_in++ % RING_SIZE] = c;
	spin_unlock_irqrestore(&input_lock, flags);
	softirq_raise(SOFTIRQ_CONSOLE);
}

static bool next_byte(char *c)
{
	unsigned long flags = spin_lock_irqsave(&input_lock);
	bool some = ring_out != ring_in;

	if (some)
		*c = ring[ring_out++ % RING_SIZE];
	spin_unlock_irqrestore(&input_lock, flags);
	return some;
}

void console_set_focus(int id)
{
	WRITE_ONCE(focus, id);
	if (id == FOCUS_HYPERVISOR)
		printk_always("Console input goes to the hypervisor (h for help); "
			      "Ctrl-A three times switches\n");
	else
		printk_always("Console input goes to domain %d; Ctrl-A three times switches\n", id);
}

bool console_has_focus(const struct domain *d)
{
	return READ_ONCE(focus) == d->id;
}

static bool focus_is_dead(void)
{
	const struct domain *d = focus == FOCUS_HYPERVISOR ? NULL : domain_of_id((domid_t)focus);

	return focus != FOCUS_HYPERVISOR && (!d || READ_ONCE(d->dying));
}

/*
 * The initial domain gets the focus, or else the first that comes, or the one that comes for one
 * that had it and has gone.
 */
void console_domain_arrived(const struct domain *d)
{
	if (focus_given && !d->config.initial && !focus_is_dead())
		return;
	focus_given = true;
	console_set_focus(d->id);
}

static void find_next(struct domain *d, void *arg)
{
	int *next = arg;

	if (*next == FOCUS_HYPERVISOR && d->id > focus && !READ_ONCE(d->dying))
		*next = d->id;
}

static void switch_focus(void)
{
	int next = FOCUS_HYPERVISOR;

	domain_for_each(find_next, &next);
	console_set_focus(next);
}

static void deliver(char c)
{
	struct domain *d;

	if (focus == FOCUS_HYPERVISOR) {
		console_key(c);
		return;
	}
	d = domain_get((domid_t)focus);
	if (!d) {
		console_set_focus(FOCUS_HYPERVISOR);
		return;
	}
	console_guest_type(d, c);
	domain_put(d);
}

static void console_softirq(void)
{
	char c;

	while (next_byte(&c)) {
		if (c == SWITCH_KEY && ++switch_keys == SWITCH_COUNT) {
			switch_keys = 0;
			switch_focus();
			continue;
		}
		if (c == SWITCH_KEY)
			continue;
		for (; switch_keys; switch_keys--)
			deliver(SWITCH_KEY);
		deliver(c);
	}
}

void console_init(void)
{
	softirq_register(SOFTIRQ_CONSOLE, console_softirq);
	console_ring_init();
	xenstore_init();
}
