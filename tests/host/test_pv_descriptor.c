// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segment descriptors against what Xen 4.17 answered to the tiny guest
 * (tests/guest/descriptors.xen-4.17): the verdict and the adjusted value of each single descriptor
 * that was tried there. The guest repeats the whole table on the machine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../arch/x86/pv/descriptor.h"

#define RECORDED HOST_GUEST "/descriptors.xen-4.17"
#define AT_LEAST 150

static unsigned int check_line(const char *line)
{
	unsigned long in, out;
	char name[80];
	int number, rc;
	u64 desc;

	if (sscanf(line, "desc: %d %79s in=%lx rc=%d out=%lx", &number, name, &in, &rc, &out) != 5)
		return 0;
	if (strncmp(name, "update:", 7) && strncmp(name, "page:", 5))
		return 0; /* where, not what */
	if (!strncmp(name, "page:bad-", 9) || !strncmp(name, "page:raised-", 12))
		return 0;
	desc = in;
	if (pv_descriptor_check(&desc) != (rc == 0))
		fail_msg("%s: %016lx must be %s", name, in, rc ? "refused" : "accepted");
	if (desc != (rc ? in : out))
		fail_msg("%s: %016lx became %016lx, not %016lx", name, in, (unsigned long)desc,
			 out);
	return 1;
}

static void recorded(void **state)
{
	FILE *file = fopen(RECORDED, "r");
	unsigned int n = 0;
	char line[256];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		n += check_line(line);
	fclose(file);
	if (n < AT_LEAST)
		fail_msg("only %u descriptors in %s", n, RECORDED);
}

/*
 * Whatever the bits: what is accepted is not present, or harmless in ring 3. And checking twice
 * changes nothing more.
 */
static void random_ones_are_confined(void **state)
{
	u64 seed = 0x9e3779b97f4a7c15;

	for (unsigned int i = 0; i < 2000000; i++) {
		u64 desc, again;

		seed = seed * 6364136223846793005 + 1442695040888963407;
		desc = seed ^ seed >> 29;
		if (!pv_descriptor_check(&desc) || !(desc & DESC_P))
			continue;
		again = desc;
		assert_true(pv_descriptor_check(&again));
		assert_int_equal(again, desc);
		if (desc & DESC_S)
			assert_true((desc & DESC_DPL_MASK) == DESC_DPL_MASK);
		else
			assert_true((desc >> 40 & 0xf) == 0 || (desc >> 40 & 0xf) == 0xc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),
		cmocka_unit_test(random_ones_are_confined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
