// SPDX-License-Identifier: GPL-2.0-or-later
/* What tests of grants begin with. */
#include "tiny_grant.h"
#include "tiny_guest.h"
#include "tiny_page.h"

uint64_t *grant_shared, *grant_window;

void grant_pages_take(void)
{
	grant_shared = page_alloc();
	grant_window = window_take();
	grant_shared[0] = GRANT_SHOWN;
}

void grant_pages_give(void)
{
	window_give(grant_window);
	page_free(grant_shared);
}
