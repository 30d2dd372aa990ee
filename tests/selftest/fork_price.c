// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the memory side of a fork costs, without vCPUs and whatever else a domain has: a p2m of 512 MiB (and of all that is free, for comparison) is forked,
 * written to, reset and destroyed. In ticks, which under icount are instructions.
 */
#include <asm/npt.h>
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/selftest.h>

#define DIRTY 64

static struct p2m parent, child;

static bool start(struct p2m *p2m, struct domain *d)
{
	return !p2m_init(p2m, d, &svm_npt_codec, &domain_p2m_frames);
}

static bool end(struct p2m *p2m)
{
	int ret;

	do
		ret = p2m_destroy(p2m);
	while (ret == -ERESTART);
	return !ret;
}

static u64 price_of_write(struct p2m *p2m, unsigned long gfn)
{
	u64 from = arch_cycles();

	EXPECT(!p2m_fault(p2m, _gfn(gfn), true));
	return arch_cycles() - from;
}

static u64 price_of_reset(unsigned long stride)
{
	u64 from;

	for (unsigned long i = 0; i < DIRTY; i++)
		EXPECT(!p2m_fault(&child, _gfn(i * stride), true));
	from = arch_cycles();
	EXPECT(!p2m_reset(&child));
	return arch_cycles() - from;
}

static u64 price_of_fork(bool checkpoint)
{
	u64 from = arch_cycles();

	EXPECT(!p2m_fork(&child, &parent));
	EXPECT(!checkpoint || !p2m_checkpoint(&child));
	return arch_cycles() - from;
}

static void price(struct domain *d, unsigned long frames)
{
	unsigned long free;
	u64 fork, first, second, scattered, close, again, destroy;

	REQUIRE(start(&parent, d));
	REQUIRE(!p2m_populate(&parent, _gfn(0), frames));
	free = heap_free_total();
	REQUIRE(start(&child, d));
	fork = price_of_fork(true);
	free -= heap_free_total();
	first = price_of_write(&child, 5);
	second = price_of_write(&child, 6);
	close = price_of_reset(1);
	scattered = price_of_reset(frames / DIRTY);
	again = price_of_reset(frames / DIRTY);
	destroy = arch_cycles();
	REQUIRE(end(&child));
	destroy = arch_cycles() - destroy;
	printk_always(
		"fork: strategy=%s frames=%lu fork=%lu idle-frames=%lu first-write=%lu write=%lu "
		"reset-%u-close=%lu scattered=%lu again=%lu destroy=%lu parent-write=%lu\n",
		p2m_fork_strategy(), frames, fork, free, first, second, DIRTY, close, scattered,
		again, destroy, price_of_write(&parent, 5));
	REQUIRE(end(&parent));
}

SELFTEST(fork, price, true)
{
	struct domain_config config = { .name = "fork", .vcpus = 1, .memory = MiB(512) };
	struct domain *d = domain_create(&config);

	REQUIRE(d);
	d->max_pages = heap_free_total();
	price(d, MiB(512) >> PAGE_SHIFT);
	price(d, ROUND_DOWN(heap_free_total() / 8 * 7, BIT(18)));
}
