// SPDX-License-Identifier: GPL-2.0-or-later
/* The contract's part about caches: which frames are what memory holds, a byte a frame; whoever allocates one for a guest says that it is not any more. */
#include <string.h>
#include <tine/p2m.h>
#include <tine/page.h>
#include "host_caches.h"

#define FRAMES (8UL << 18)

static u8 clean[FRAMES];

static void set(mfn_t mfn, unsigned int order, u8 value)
{
	if (mfn_x(mfn) + BIT(order) <= FRAMES)
		memset(clean + mfn_x(mfn), value, BIT(order));
}

void host_caches_have(mfn_t mfn, unsigned int order)
{
	set(mfn, order, 0);
}

bool host_caches_are_clean(mfn_t mfn)
{
	return clean[mfn_x(mfn)];
}

void arch_p2m_clean(mfn_t mfn, unsigned int order)
{
	set(mfn, order, 1);
}

void arch_p2m_copy(mfn_t to, mfn_t from)
{
	memcpy(mfn_to_virt(to), mfn_to_virt(from), PAGE_SIZE);
	set(to, 0, 1);
}
