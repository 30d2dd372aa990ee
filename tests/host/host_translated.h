/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Domains of host tests whose memory is a p2m, with AMD's codec, as PVH guests' is: forked, reset and taken apart with them. Nobody walks it but the test, which
 * has an arch_p2m_flush() of its own.
 */
#ifndef HOST_TRANSLATED_H
#define HOST_TRANSLATED_H

#include <tine/domain.h>
#include <tine/p2m.h>

#define HOST_P2MS 40 /* domains at a time */

/* Domains made from now on are such. */
void host_translated(void);
struct p2m *host_p2m(const struct domain *d);

#endif
