// SPDX-License-Identifier: GPL-2.0-or-later
/* Small objects: random sizes and lifetimes, contents, and what comes back to the heap. */
#include "host_machine.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define MOST 20000

static struct object {
	u8 *at;
	size_t size;
	u8 fill;
} objects[MOST];

static int boot(void **state)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(MiB(1), MiB(257));
	machine_boot_heap("bootscrub=idle", 0, &stats);
	return 0;
}

static size_t random_size(void)
{
	switch (rnd_below(20)) {
	case 0:
		return rnd_below(40000);
	case 1:
		return 1UL << rnd_below(13);
	default:
		return rnd_below(1UL << rnd_below(12)) + 1;
	}
}

static void allocate(struct object *o)
{
	o->size = random_size();
	o->fill = (u8)(rnd() | 1);
	o->at = kzalloc(o->size);
	assert_non_null(o->at);
	assert_true(IS_ALIGNED((unsigned long)o->at, 8));
	for (size_t i = 0; i < o->size; i++)
		assert_int_equal(o->at[i], 0);
	memset(o->at, o->fill, o->size);
}

static void release(struct object *o)
{
	for (size_t i = 0; i < o->size; i++)
		assert_int_equal(o->at[i], o->fill);
	kfree(o->at);
	o->at = NULL;
}

static void random_lifetimes(void **state)
{
	unsigned long before = heap_free_total(), operations = 0;
	double start = machine_now();

	machine_seed();
	for (; machine_now() - start < machine_seconds(3); operations++) {
		struct object *o = &objects[rnd_below(rnd_below(2) ? MOST : 100)];

		if (o->at)
			release(o);
		else
			allocate(o);
	}
	for (unsigned int i = 0; i < MOST; i++)
		if (objects[i].at)
			release(&objects[i]);
	/* At most one empty page of each of the nine sizes is kept. */
	assert_true(heap_free_total() + 9 >= before);
	assert_int_equal(heap_check(), 0);
	printf("# %lu operations\n", operations);
}

static void sizes_and_alignment(void **state)
{
	for (size_t size = 8; size <= 2048; size *= 2) {
		void *a = kzalloc(size), *b = kzalloc(size);

		assert_true(IS_ALIGNED((unsigned long)a, size) &&
			    IS_ALIGNED((unsigned long)b, size));
		kfree(a);
		kfree(b);
	}
	kfree(kzalloc(0));
	kfree(NULL);
	assert_null(kzalloc(GiB(1)));
	assert_null(kzalloc(~0UL));
}

static void wrong_frees_stop_the_machine(void **state)
{
	char *a = kzalloc(64), *page = heap_alloc_pages(0, HEAP_ZERO);

	assert_true(HOST_PANICS(kfree(page))); /* not from here */
	assert_true(HOST_PANICS(kfree(a + 8)));
	kfree(a);
	assert_true(HOST_PANICS(kfree(a)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lifetimes),
		cmocka_unit_test(sizes_and_alignment),
		cmocka_unit_test(wrong_frees_stop_the_machine),
	};

	return cmocka_run_group_tests(tests, boot, NULL);
}
