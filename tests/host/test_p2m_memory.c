// SPDX-License-Identifier: GPL-2.0-or-later
/* A p2m for which memory does not suffice: none at each allocation in turn, some, and none in large blocks. What was done stays, and nothing else. */
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

static mfn_t hoard[FRAMES]; /* all that was free, as blocks of one frame */
static unsigned long hoarded;

static void take_all(void)
{
	for (hoarded = 0;; hoarded++) {
		hoard[hoarded] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		if (mfn_eq(hoard[hoarded], INVALID_MFN))
			return;
	}
}

static void give_back(unsigned long count)
{
	while (count-- && hoarded)
		heap_free(hoard[--hoarded], 0, true);
}

/* A change that needs NEED tables fails with fewer and changes nothing. */
static void short_by_some(unsigned long need, int (*fn)(mfn_t mfn), mfn_t mfn)
{
	for (unsigned long have = 0; have <= need; have++) {
		unsigned long was = flushes;

		take_all();
		give_back(have);
		assert_int_equal(heap_free_total(), have);
		assert_int_equal(fn(mfn), have < need ? -ENOMEM : 0);
		if (have < need) {
			assert_int_equal(heap_free_total(), have);
			assert_int_equal(flushes, was);
			model_check();
		}
		give_back(FRAMES);
	}
}

static int set_far(mfn_t mfn)
{
	return p2m_set(&p2m, model_gfn(3), mfn, 0, P2M_RAM);
}

static int set_inside_large(mfn_t mfn)
{
	return p2m_set(&p2m, model_gfn((1UL << 18) + 777), mfn, 0, P2M_RO);
}

static int clear_inside_2m(mfn_t mfn)
{
	return p2m_clear(&p2m, model_gfn((1UL << 18) + 1024 + 5), 0);
}

static void out_of_memory(void **state)
{
	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		unsigned long before = heap_free_total();
		mfn_t a, b;

		model_start(codecs[c]);
		assert_int_equal(model_frames_get(0, &a), 0);
		unmapped = 1;
		short_by_some(codecs[c]->levels - 1, set_far, a);
		unmapped = 0;
		model_set(3, 0, a, P2M_RAM);
		model_check();
		assert_int_equal(p2m_populate(&p2m, model_gfn(1UL << 18), 1UL << 18), 0);
		a = p2m_lookup(&p2m, model_gfn(1UL << 18), NULL, NULL);
		model_set(1UL << 18, 18, a, P2M_RAM);
		assert_int_equal(model_frames_get(0, &b), 0);
		unmapped = 1;
		short_by_some(2, set_inside_large, b);
		unmapped = 0;
		model_set((1UL << 18) + 777, 0, b, P2M_RO);
		model_check();
		short_by_some(1, clear_inside_2m, b);
		model_clear((1UL << 18) + 1024 + 5, 0);
		model_check();
		model_stop(before);
	}
}

/* Tables and frames compete for what is left: what was done stays, and nothing else. */
static void populate_without_enough(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned long have = 0; have < 40; have++) {
		unsigned long n = 0;
		int ret;

		model_start(&svm_npt_codec);
		take_all();
		give_back(have);
		ret = p2m_populate(&p2m, model_gfn(500), 30);
		for (; !mfn_eq(p2m_lookup(&p2m, model_gfn(500 + n), NULL, NULL), INVALID_MFN); n++)
			model_set(500 + n, 0, p2m_lookup(&p2m, model_gfn(500 + n), NULL, NULL),
				  P2M_RAM);
		/* Three tables for the first 12 pages, one more for the others. */
		assert_int_equal(n, have < 4 ? 0 : have < 16 ? have - 3 : min(have - 4, 30UL));
		assert_int_equal(ret, n < 30 ? -ENOMEM : 0);
		model_check();
		give_back(FRAMES);
		model_stop(before);
	}
}

/* The heap has no large blocks: smaller leaves do. */
static void populate_from_pieces(void **state)
{
	unsigned long before = heap_free_total(), kept = 0;

	model_start(&svm_npt_codec);
	take_all();
	for (unsigned long i = 0; i < hoarded; i++) {
		unsigned long mfn = mfn_x(hoard[i]);

		/* Every second 2 MiB block goes back, until there are 8, and half of the next 2. */
		if (mfn >> 9 & 1 && mfn >> 10 < 10 && (mfn >> 10 < 8 || mfn & 256))
			heap_free(hoard[i], 0, true);
		else
			hoard[kept++] = hoard[i];
	}
	hoarded = kept;
	/* Of the 512 small frames three become tables: a page is missing for each of them. */
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 9UL << 9), -ENOMEM);
	model_expect_leaves(512 - 3, 8, 0, 4);
	give_back(FRAMES);
	model_stop(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(populate_from_pieces),
		cmocka_unit_test(populate_without_enough),
		cmocka_unit_test(out_of_memory),
	};

	return cmocka_run_group_tests(tests, model_boot, NULL);
}
