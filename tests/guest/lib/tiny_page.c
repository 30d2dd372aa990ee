// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page allocator: free pages are linked through their first word. Every page on the list is
 * mapped writable; whoever made a page read-only makes it writable again before giving it back.
 */
#include "tiny_page.h"
#include "tiny_lib.h"

struct free_page {
	struct free_page *next;
};

static struct free_page *free_list;
static size_t free_pages;

void page_add_range(void *start, void *end)
{
	char *page = (char *)end - PAGE_SIZE;

	/* Backwards, so that pages come out by rising address. */
	for (; page >= (char *)start; page -= PAGE_SIZE)
		page_free(page);
}

void *page_alloc(void)
{
	struct free_page *page = free_list;

	if (!page)
		tiny_fail("out of pages");
	free_list = page->next;
	free_pages--;
	return memset(page, 0, PAGE_SIZE);
}

void page_free(void *page)
{
	struct free_page *entry = page;

	entry->next = free_list;
	free_list = entry;
	free_pages++;
}

size_t page_free_count(void)
{
	return free_pages;
}
