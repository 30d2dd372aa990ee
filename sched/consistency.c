// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor checks itself: references of domains' frames against what they are for (the
 * architecture does that), a domain's figures against its frames, the heap against its lists. On the
 * console by a key, with all domains paused; at each domain's end and the machine's in debug builds, or
 * with `consistency`. All on CPU 0, so one at a time.
 */
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/heap.h>
#include <tine/p2m.h>
#include <tine/printk.h>
#include "internal.h"

static bool opt_consistency = IS_ENABLED(CONFIG_DEBUG);
CMDLINE_BOOL_OPTION("consistency", consistency, opt_consistency);

static unsigned long wrong_so_far;

/* Its list of frames and the number of them. A frame that is going leaves both at the same time. */
static unsigned long check_list(struct domain *d)
{
	unsigned long n = 0, wrong = 0;
	u32 prev = PAGE_LINK_END;

	spin_lock(&d->page_lock);
	for (u32 at = d->pages; at != PAGE_LINK_END && n <= d->nr_pages; n++) {
		const struct page *pg = mfn_to_page(_mfn(at));

		if (pg->owner != d->id || pg->prev != prev) {
			pr_err("consistency: domain %u: frame %x is on its list, owner %u, behind "
			       "%x instead of %x\n",
			       d->id, at, pg->owner, pg->prev, prev);
			wrong++;
			break;
		}
		prev = at;
		at = pg->next;
	}
	if (!wrong && n != d->nr_pages) {
		pr_err("consistency: domain %u: has %lu frames, on its list are %lu\n", d->id,
		       d->nr_pages, n);
		wrong++;
	}
	spin_unlock(&d->page_lock);
	return wrong;
}

static unsigned long check_domain(struct domain *d)
{
	return check_list(d) + arch_domain_check(d);
}

void consistency_of_ended(struct domain *d)
{
	if (opt_consistency)
		wrong_so_far += check_domain(d);
}

/* No domain is left, so nothing has a p2m. */
static unsigned long check_shared_memory(void)
{
	if (!domain_cow_pages() && !p2m_tables_in_use())
		return 0;
	pr_err("consistency: %lu frames that forks shared and %lu tables of p2ms are left\n",
	       domain_cow_pages(), p2m_tables_in_use());
	return 1;
}

unsigned long consistency_at_end(void)
{
	if (!opt_consistency)
		return 0;
	wrong_so_far += check_shared_memory();
	wrong_so_far += heap_check();
	printk_always("consistency: %lu differences\n", wrong_so_far);
	return wrong_so_far;
}

/* ---- By hand ---- */

static void pause(struct domain *d, void *arg)
{
	domain_pause(d);
}

static void unpause(struct domain *d, void *arg)
{
	domain_unpause(d);
}

/* One that is being taken apart has no figures that must agree. */
static void check_one(struct domain *d, void *arg)
{
	unsigned long *wrong = arg;

	if (!d->end_step)
		*wrong += check_domain(d);
}

void consistency_check_all(void)
{
	unsigned long wrong = 0;

	domain_for_each(pause, NULL);
	domain_for_each(check_one, &wrong);
	wrong += heap_check();
	domain_for_each(unpause, NULL);
	wrong_so_far += wrong;
	printk_always("consistency: %lu differences\n", wrong);
}
