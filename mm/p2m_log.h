/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a tree has changed since its checkpoint, so that a reset need not look for it: places, as gfn and level, in pages of their own. It is a help only: when
 * there is no memory for another page, or the log is as long as it may be, it is `lost`, and the reset compares the trees instead. Under p2m->lock.
 */
#ifndef MM_P2M_LOG_H
#define MM_P2M_LOG_H

#include "p2m_internal.h"

#define P2M_LOG_PAGES 64 /* 32,000 places */

/* The entry of LEVEL at GFN is not what it was. Nothing to do without a checkpoint. */
void p2m_log(struct p2m *p2m, gfn_t gfn, unsigned int level);

/* The last place; false: there is none. */
bool p2m_log_last(const struct p2m *p2m, gfn_t *gfn, unsigned int *level) __must_check;
/* It is dealt with. */
void p2m_log_pop(struct p2m *p2m);

/* Empty, with no page, and not lost. */
void p2m_log_clear(struct p2m *p2m);

#endif
