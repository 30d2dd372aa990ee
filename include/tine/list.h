/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A circular doubly linked list with the head as one of its nodes. Not locked: whoever owns the head owns the list. */
#ifndef TINE_LIST_H
#define TINE_LIST_H

#include <tine/lib.h>

struct list {
	struct list *next, *prev;
};

#define LIST_INIT(name)                                                                            \
	{                                                                                          \
		&(name), &(name)                                                                   \
	}

static inline void list_init(struct list *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list *head)
{
	return head->next == head;
}

static inline void list_insert_after(struct list *at, struct list *node)
{
	node->next = at->next;
	node->prev = at;
	at->next->prev = node;
	at->next = node;
}

static inline void list_add_head(struct list *head, struct list *node)
{
	list_insert_after(head, node);
}

static inline void list_add_tail(struct list *head, struct list *node)
{
	list_insert_after(head->prev, node);
}

/* Takes NODE out and leaves it an empty list of its own, so that removing twice is harmless. */
static inline void list_del(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first(head, type, member) list_entry((head)->next, type, member)

#define list_for_each(pos, head, member)                                                           \
	for (pos = list_entry((head)->next, __typeof__(*pos), member); &pos->member != (head);     \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))

/* Safe against removal of POS itself. */
#define list_for_each_safe(pos, tmp, head, member)                                                 \
	for (pos = list_entry((head)->next, __typeof__(*pos), member),                             \
	    tmp = list_entry(pos->member.next, __typeof__(*pos), member);                          \
	     &pos->member != (head);                                                               \
	     pos = tmp, tmp = list_entry(pos->member.next, __typeof__(*pos), member))

#endif
