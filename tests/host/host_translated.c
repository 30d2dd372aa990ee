// SPDX-License-Identifier: GPL-2.0-or-later
/* See host_translated.h. A p2m belongs to a domain's structure from its creation until it is taken apart. */
#include "host_translated.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <asm/npt.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include "host_sched.h"

static struct {
	const struct domain *d;
	struct p2m p2m;
} used[HOST_P2MS];

static unsigned int find(const struct domain *d)
{
	unsigned int i = 0;

	while (i < HOST_P2MS && used[i].d != d)
		i++;
	return i;
}

struct p2m *host_p2m(const struct domain *d)
{
	unsigned int i = find(d);

	return i < HOST_P2MS ? &used[i].p2m : NULL;
}

static int create(struct domain *d)
{
	unsigned int i = find(NULL);
	int ret;

	assert_true(i < HOST_P2MS);
	ret = p2m_init(&used[i].p2m, d, &svm_npt_codec, &domain_p2m_frames);
	if (!ret)
		used[i].d = d;
	return ret;
}

static int destroy(struct domain *d)
{
	struct p2m *p2m = host_p2m(d);
	int ret = p2m ? p2m_destroy(p2m) : 0;

	if (p2m && !ret)
		used[find(d)].d = NULL;
	return ret;
}

static int fork_memory(struct domain *child, struct domain *parent)
{
	return p2m_fork(host_p2m(child), host_p2m(parent));
}

static int checkpoint(struct domain *child)
{
	return p2m_checkpoint(host_p2m(child));
}

static int reset(struct domain *child)
{
	return p2m_reset(host_p2m(child));
}

static int map(struct domain *d, unsigned long frame, struct page **pg)
{
	struct p2m *p2m = host_p2m(d);
	int ret = p2m_unshare(p2m, _gfn(frame));

	if (ret)
		return ret;
	*pg = mfn_to_page(p2m_lookup(p2m, _gfn(frame), NULL, NULL));
	if (!page_get(*pg, d))
		return -EINVAL;
	(*pg)->type_info++;
	return 0;
}

static void unmap(struct page *pg)
{
	pg->type_info--;
}

void host_translated(void)
{
	static const struct host_memory memory = { create, destroy, fork_memory, checkpoint,
						   reset,  map,     unmap,       host_p2m };

	host_memory = &memory;
}
