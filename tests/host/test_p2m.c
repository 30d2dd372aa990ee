// SPDX-License-Identifier: GPL-2.0-or-later
/* Single properties of the p2m: leaves as large as can be, tables that leave when they are empty, when it flushes, numbers that it refuses, and its codecs. */
#include "host_machine.h"
#include "p2m_model.h"
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <tine/errno.h>

void arch_p2m_flush(struct p2m *p)
{
	model_flush(p);
}

static void leaves_are_as_large_as_can_be(void **state)
{
	unsigned long before = heap_free_total();

	model_start(&svm_npt_codec);
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 1UL << 18), 0);
	model_expect_leaves(0, 0, 1, 2);
	assert_int_equal(p2m_populate(&p2m, _gfn(1UL << 20), (3UL << 9) + 2), 0);
	model_expect_leaves(2, 3, 1, 4);
	assert_int_equal(p2m_populate(&p2m, _gfn((1UL << 19) - 513), 513), 0);
	model_expect_leaves(3, 4, 1, 6);
	/* One page taken out of 1 GiB, and put back: splits stay, a piece at each level is missing. */
	assert_int_equal(p2m_clear(&p2m, _gfn(70000), 0), 0);
	model_expect_leaves(3 + 511, 4 + 511, 0, 8);
	assert_int_equal(p2m_populate(&p2m, _gfn(70000), 1), 0);
	model_expect_leaves(3 + 512, 4 + 511, 0, 8);
	/* Whole subtrees go at once, with their tables. */
	assert_int_equal(p2m_clear(&p2m, _gfn(0), 18), 0);
	model_expect_leaves(3, 4, 0, 6);
	model_stop(before);

	model_start(&svm_npt_codec);
	p2m.largest_order = 9;
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 1UL << 18), 0);
	model_expect_leaves(0, 512, 0, 3);
	model_stop(before);
}

static void empty_tables_leave(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		model_start(codecs[c]);
		assert_int_equal(p2m_populate(&p2m, _gfn(5), 1), 0);
		assert_int_equal(p2m_populate(&p2m, _gfn((1UL << 18) + 5), 2), 0);
		model_expect_leaves(3, 0, 0, codecs[c]->levels == 4 ? 6 : 5);
		assert_int_equal(p2m_clear(&p2m, _gfn((1UL << 18) + 5), 0), 0);
		model_expect_leaves(2, 0, 0, codecs[c]->levels == 4 ? 6 : 5);
		assert_int_equal(p2m_clear(&p2m, _gfn((1UL << 18) + 6), 0), 0);
		model_expect_leaves(1, 0, 0, codecs[c]->levels);
		assert_int_equal(p2m_clear(&p2m, _gfn(5), 0), 0);
		model_expect_leaves(0, 0, 0, 1);
		assert_int_equal(heap_free_total(), before - 1);
		model_stop(before);
	}
}

/* Only a format that asks for it gets a hole and a flush between two translations. */
static void break_before_make(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		unsigned long was;

		model_start(codecs[c]);
		assert_int_equal(p2m_populate(&p2m, _gfn(0), 512), 0);
		was = flushes_locked;
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN), 0, P2M_IO), 0); /* a split */
		assert_int_equal(flushes_locked - was, codecs[c]->break_before_make);
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN + 1), 0, P2M_IO), 0);
		assert_int_equal(flushes_locked - was, 2 * codecs[c]->break_before_make);
		assert_int_equal(p2m_clear(&p2m, _gfn(7), 0), 0);
		assert_int_equal(p2m_set(&p2m, _gfn(7), _mfn(IO_MFN), 0, P2M_IO), 0);
		assert_int_equal(flushes_locked - was, 2 * codecs[c]->break_before_make);
		model_stop(before);
	}
}

/* A batch flushes once for all that fits in it; one that only adds does not. */
static void batches_flush_once(void **state)
{
	unsigned long before = heap_free_total(), was = flushes;
	struct p2m_batch b;

	model_start(&svm_npt_codec);
	p2m_begin(&b, &p2m);
	for (unsigned long i = 0; i < 100; i++)
		assert_int_equal(p2m_batch_set(&b, _gfn(i), _mfn(IO_MFN + i), 0, P2M_IO), 0);
	p2m_end(&b);
	assert_int_equal(flushes, was);
	p2m_begin(&b, &p2m);
	for (unsigned long i = 0; i < P2M_BATCH - 2 * codecs[0]->levels; i++)
		assert_int_equal(p2m_batch_clear(&b, _gfn(i), 0), 0);
	p2m_end(&b);
	assert_int_equal(flushes, was + 1);
	model_stop(before);
}

static void numbers_that_cannot_be(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		gfn_t beyond = _gfn(1UL << 9 * codecs[c]->levels);

		model_start(codecs[c]);
		assert_int_equal(p2m_set(&p2m, beyond, _mfn(512), 0, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(1), _mfn(512), 9, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(512), _mfn(1), 9, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(512), 1, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(0), 27, P2M_IO), -EINVAL);
		assert_int_equal(p2m_set(&p2m, _gfn(0), _mfn(512), 0, P2M_HOLE), -EINVAL);
		assert_int_equal(p2m_clear(&p2m, beyond, 0), -EINVAL);
		assert_int_equal(p2m_populate(&p2m, gfn_add(beyond, ~0UL), 2), -EINVAL);
		assert_int_equal(p2m_populate(&p2m, _gfn(5), ~0UL), -EINVAL);
		assert_int_equal(p2m_fault(&p2m, beyond, false), -ENOENT);
		assert_true(mfn_eq(p2m_lookup(&p2m, INVALID_GFN, NULL, NULL), INVALID_MFN));
		model_check();
		model_stop(before);
	}
}

/* What every codec says of an entry is what it was told. */
static void codecs_round_trip(void **state)
{
	machine_seed();
	for (unsigned int n = 0; n < 100000; n++) {
		const struct p2m_codec *codec = codecs[rnd_below(ARRAY_SIZE(codecs))];
		unsigned int level = 1 + (unsigned int)rnd_below(3);
		struct p2m_entry e = { .table = level > 1 && rnd_below(2),
				       .writable = rnd_below(2),
				       .mfn = _mfn(rnd_below(1UL << 28) << 9 * (level - 1) &
						   ((1UL << 36) - 1)) };
		struct p2m_entry got;

		e.type = e.table ? P2M_HOLE : (enum p2m_type)(1 + rnd_below(P2M_IO));
		got = codec->decode(codec->encode(e, level), level);
		assert_int_equal(got.table, e.table);
		assert_int_equal(got.writable, e.writable);
		assert_int_equal(got.type, e.type);
		assert_int_equal(mfn_x(got.mfn), mfn_x(e.mfn));
		assert_int_equal(codec->decode(0, level).type, P2M_HOLE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codecs_round_trip),
		cmocka_unit_test(leaves_are_as_large_as_can_be),
		cmocka_unit_test(empty_tables_leave),
		cmocka_unit_test(break_before_make),
		cmocka_unit_test(batches_flush_once),
		cmocka_unit_test(numbers_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, model_boot, NULL);
}
