// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random changes of a p2m, one at a time and in batches, with splits, filling, faults and a guest that touches pages: it stays as the model says, with both
 * codecs.
 */
#include "host_machine.h"
#include "p2m_model.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/errno.h>

void arch_p2m_flush(struct p2m *p)
{
	model_flush(p);
}

/* Nobody else has what is shared: who writes to it gets the whole leaf, but of 1 GiB, which becomes pieces. */
static void take_leaf(unsigned long i)
{
	enum p2m_type type;
	unsigned int order;

	(void)p2m_lookup(&p2m, model_gfn(i), &type, &order);
	if (type != P2M_SHARED || p2m_fault(&p2m, model_gfn(i), true))
		return;
	(void)p2m_lookup(&p2m, model_gfn(i), &type, &order);
	i &= ~(BIT(order) - 1);
	for (unsigned long n = i; n < i + BIT(order); n++)
		model[n].type = P2M_RAM;
}

static unsigned int random_order(void)
{
	unsigned long n = rnd_below(400);

	return n == 0 ? 18 : n < 60 ? 9 : 0;
}

/* Mostly where others were before. */
static unsigned long random_place(unsigned int order)
{
	unsigned long i = rnd_below(2) ? rnd_below(WINDOW) : rnd_below(4096);

	return i & ~(BIT(order) - 1);
}

static int random_set(struct p2m_batch *b)
{
	static const enum p2m_type types[] = { P2M_RAM, P2M_RAM, P2M_RO, P2M_SHARED, P2M_IO };
	enum p2m_type type = types[rnd_below(ARRAY_SIZE(types))];
	unsigned int order = random_order();
	unsigned long i = random_place(order);
	mfn_t mfn = _mfn(IO_MFN + (rnd_below(64) << order));
	int ret;

	if (type != P2M_IO && model_frames_get(order, &mfn))
		return -ENOMEM;
	ret = b ? p2m_batch_set(b, model_gfn(i), mfn, order, type)
		: p2m_set(&p2m, model_gfn(i), mfn, order, type);
	if (!ret)
		model_set(i, order, mfn, type);
	else if (type != P2M_IO)
		model_frames_free(NULL, mfn, order);
	return ret;
}

static int random_clear(struct p2m_batch *b)
{
	unsigned int order = random_order();
	unsigned long i = random_place(order);
	gfn_t gfn = model_gfn(i);
	int ret = b ? p2m_batch_clear(b, gfn, order) : p2m_clear(&p2m, gfn, order);

	if (!ret)
		model_clear(i, order);
	return ret;
}

static int random_batch(void)
{
	struct p2m_batch b;
	int ret = 0;

	p2m_begin(&b, &p2m);
	for (unsigned long n = rnd_below(300); n && !ret; n--)
		ret = rnd_below(2) ? random_set(&b) : random_clear(&b);
	p2m_end(&b);
	return ret;
}

static int random_populate(void)
{
	unsigned long i = random_place(0), count = 1 + rnd_below(rnd_below(50) ? 2000 : WINDOW);
	unsigned long n = 0;
	int ret;

	count = min(count, WINDOW - i);
	ret = p2m_populate(&p2m, model_gfn(i), count);
	for (; n < count && model[i + n].type == P2M_HOLE; n++) {
		enum p2m_type type;
		mfn_t mfn = p2m_lookup(&p2m, model_gfn(i + n), &type, NULL);

		if (ret == -ENOMEM && type == P2M_HOLE)
			return ret;
		assert_int_equal(type, P2M_RAM);
		model_set(i + n, 0, mfn, type);
	}
	if (ret != -ENOMEM)
		assert_int_equal(ret, n < count ? -EEXIST : 0);
	return ret == -EEXIST ? 0 : ret;
}

static int random_step(void)
{
	switch (rnd_below(40)) {
	case 0:
		return random_batch();
	case 1:
		return random_populate();
	default:
		return rnd_below(3) ? random_set(NULL) : random_clear(NULL);
	}
}

static void as_the_model_says(const struct p2m_codec *codec)
{
	unsigned long before = heap_free_total(), steps = 0, failed = 0;
	double end = machine_now() + machine_seconds(4);

	machine_seed();
	model_start(codec);
	for (; machine_now() < end; steps++) {
		failed += random_step() != 0;
		for (unsigned int i = 0; i < 8; i++)
			model_touch(random_place(0));
		take_leaf(random_place(0));
		model_check_leaf(random_place(0));
		if (steps % 2000 == 0)
			model_check();
	}
	model_check();
	model_stop(before);
	printf("# %lu steps, %lu out of memory, %lu flushes\n", steps, failed, flushes);
	assert_true(steps > 100 && failed < steps / 4);
}

static void nested_paging_as_the_model_says(void **state)
{
	as_the_model_says(&svm_npt_codec);
}

static void stage2_as_the_model_says(void **state)
{
	as_the_model_says(&stage2_codec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_paging_as_the_model_says),
		cmocka_unit_test(stage2_as_the_model_says),
	};

	return cmocka_run_group_tests(tests, model_boot, NULL);
}
