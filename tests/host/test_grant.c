// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grants between two domains: who may use what, what the table's owner sees of it, limits, changes
 * of version, and that whatever the two do and whoever ends first, every frame comes back
 * (host_sched_stop() looks).
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include "../../sched/internal.h"
#include "host_machine.h"

#define FIRST GNTTAB_NR_RESERVED_ENTRIES
#define FRAMES 8
#define RO (GNTMAP_host_map | GNTMAP_readonly)
#define RW GNTMAP_host_map

static struct domain *a, *b; /* A grants to B, who runs */
static mfn_t frame[FRAMES];

static struct domain *make(void)
{
	struct domain_config config = {
		.name = "test",
		.vcpus = 1,
		.memory = MiB(1),
		.type = DOMAIN_PVH,
	};
	struct domain *d = domain_create(&config);

	assert_non_null(d);
	return d;
}

static struct vcpu *idle;

static void run_as(struct domain *d)
{
	this_cpu(current_vcpu) = d ? d->vcpus[0] : idle;
}

static int start(void **state)
{
	host_sched_start(1);
	idle = current;
	a = make();
	b = make();
	for (unsigned int i = 0; i < FRAMES; i++)
		assert_int_equal(domain_alloc_pages(a, 0, 0, &frame[i]), 0);
	assert_int_equal(grant_table_grow(a, 1), 0);
	run_as(b);
	return 0;
}

static int stop(void **state)
{
	run_as(NULL);
	host_sched_stop();
	return 0;
}

static volatile grant_entry_v1_t *entry(unsigned int ref)
{
	return (grant_entry_v1_t *)mfn_to_virt(grant_table_frame(a, ref / 512)) + ref % 512;
}

static void offer(unsigned int ref, unsigned int nr, domid_t to, u16 flags)
{
	entry(ref)->domid = to;
	entry(ref)->frame = (u32)mfn_x(frame[nr]);
	entry(ref)->flags = GTF_permit_access | flags;
}

static int map(unsigned int ref, u32 flags, u64 at, u32 *handle)
{
	gnttab_map_grant_ref_t op = { .host_addr = at, .flags = flags, .ref = ref, .dom = a->id };
	int status = grant_map(&op);

	*handle = op.handle;
	return status;
}

static int unmap(u32 handle, u64 at)
{
	gnttab_unmap_grant_ref_t op = { .host_addr = at, .handle = handle };
	struct grant_unmapping u;
	int status = grant_unmap_begin(&op, 0, &u);

	if (!status)
		grant_unmap_end(&u);
	return status;
}

static u64 references(unsigned int nr)
{
	return mfn_to_page(frame[nr])->count_info & PAGE_COUNT_MASK;
}

static void uses_are_seen_and_pin(void **state)
{
	u32 first, second, third;

	offer(FIRST, 0, b->id, 0);
	assert_int_equal(map(FIRST, RO, 1, &first), GNTST_okay);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access | GTF_reading);
	assert_int_equal(map(FIRST, RW, 1, &second), GNTST_okay);
	assert_int_equal(map(FIRST, RW, 1, &third), GNTST_okay);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access | GTF_reading | GTF_writing);
	assert_int_equal(references(0), 4);
	assert_int_equal(grant_mappings(b), 3);
	/* What the entry says now does not change what is in use. */
	entry(FIRST)->frame = (u32)mfn_x(frame[1]);
	assert_int_equal(unmap(second, 1), GNTST_okay);
	assert_int_equal(map(FIRST, RW, 1, &second), GNTST_okay);
	assert_int_equal(references(0), 4);
	assert_int_equal(references(1), 1);
	assert_int_equal(unmap(second, 1), GNTST_okay);
	assert_int_equal(unmap(third, 1), GNTST_okay);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access | GTF_reading);
	assert_int_equal(unmap(first, 1), GNTST_okay);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access);
	assert_int_equal(references(0), 1);
	assert_int_equal(unmap(first, 1), GNTST_bad_handle);
	assert_int_equal(map(FIRST, RO, 1, &first), GNTST_okay);
	assert_int_equal(references(1), 2);
	assert_int_equal(unmap(first, 1), GNTST_okay);
}

static void refuses(void **state)
{
	u32 handle;

	offer(FIRST, 0, b->id, GTF_readonly);
	assert_int_equal(map(FIRST, RW, 1, &handle), GNTST_general_error);
	offer(FIRST, 0, a->id, 0);
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_general_error);
	entry(FIRST)->flags = GTF_accept_transfer;
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_general_error);
	entry(FIRST)->flags = GTF_invalid;
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_general_error);
	assert_int_equal(map(512, RO, 1, &handle), GNTST_bad_gntref);
	assert_int_equal(map(0xffffffff, RO, 1, &handle), GNTST_bad_gntref);
	offer(FIRST, 0, b->id, 0);
	assert_int_equal(map(FIRST, 0, 1, &handle), GNTST_bad_gntref);
	assert_int_equal(map(FIRST, RW, HOST_BAD_ADDRESS, &handle), GNTST_general_error);
	entry(FIRST)->frame = 0xfffffff0;
	assert_int_equal(map(FIRST, RW, 1, &handle), GNTST_bad_page);
	entry(FIRST)->frame = (u32)mfn_x(virt_to_mfn(b->shared_info));
	assert_int_equal(map(FIRST, RW, 1, &handle), GNTST_bad_page);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access);
	assert_int_equal(grant_mappings(b), 0);
	for (unsigned int i = 0; i < FRAMES; i++)
		assert_int_equal(references(i), 1);
}

static void unmapping_at_the_wrong_place_keeps_the_mapping(void **state)
{
	u32 handle;

	offer(FIRST, 0, b->id, 0);
	assert_int_equal(map(FIRST, RW, 1, &handle), GNTST_okay);
	assert_int_equal(unmap(handle, HOST_BAD_ADDRESS), GNTST_general_error);
	assert_int_equal(unmap(handle + 1, 1), GNTST_bad_handle);
	assert_int_equal(unmap(0xffffffff, 1), GNTST_bad_handle);
	assert_int_equal(references(0), 2);
	assert_int_equal(unmap(handle, 1), GNTST_okay);
}

static void limits(void **state)
{
	unsigned int status_frames;
	u32 handle = 0, made;

	assert_int_equal(grant_table_grow(a, GRANT_FRAMES_MAX + 1), -EINVAL);
	assert_int_equal(grant_table_grow(a, GRANT_FRAMES_MAX), 0);
	assert_int_equal(grant_table_frames(a, &status_frames), GRANT_FRAMES_MAX);
	assert_int_equal(status_frames, 0);
	offer(GRANT_FRAMES_MAX * 512 - 1, 0, b->id, 0);
	for (made = 0; map(GRANT_FRAMES_MAX * 512 - 1, RO, 1, &handle) == GNTST_okay; made++)
		assert_true(made < GRANT_MAPPINGS_MAX);
	assert_int_equal(made, GRANT_MAPPINGS_MAX);
	assert_int_equal(map(GRANT_FRAMES_MAX * 512 - 1, RO, 1, &handle), GNTST_no_space);
	assert_int_equal(unmap(77, 1), GNTST_okay);
	assert_int_equal(map(GRANT_FRAMES_MAX * 512 - 1, RO, 1, &handle), GNTST_okay);
	assert_int_equal(handle, 77);
	assert_int_equal(references(0), GRANT_MAPPINGS_MAX + 1);
}

static void versions(void **state)
{
	grant_entry_v2_t *v2 = mfn_to_virt(grant_table_frame(a, 0));
	struct grant_use use;
	unsigned int status_frames;
	grant_status_t *status;
	u32 handle;

	offer(1, 3, b->id, GTF_readonly);
	offer(FIRST, 0, b->id, 0);
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_okay);
	assert_int_equal(grant_table_set_version(a, 2), -EBUSY);
	assert_int_equal(unmap(handle, 1), GNTST_okay);
	assert_int_equal(grant_table_set_version(a, 3), -EINVAL);
	assert_int_equal(grant_table_set_version(a, 2), 0);
	assert_int_equal(grant_table_frames(a, &status_frames), 1);
	assert_int_equal(status_frames, 1);
	status = mfn_to_virt(grant_status_frame(a, 0));
	/* Reserved entries are carried over, others dropped. */
	assert_int_equal(v2[1].hdr.flags, GTF_permit_access | GTF_readonly);
	assert_int_equal(v2[1].full_page.frame, mfn_x(frame[3]));
	assert_int_equal(v2[FIRST].hdr.flags, 0);

	v2[FIRST].hdr = (grant_entry_header_t){ .flags = GTF_permit_access, .domid = b->id };
	v2[FIRST].full_page.frame = mfn_x(frame[0]);
	assert_int_equal(map(FIRST, RW, 1, &handle), GNTST_okay);
	assert_int_equal(v2[FIRST].hdr.flags, GTF_permit_access);
	assert_int_equal(status[FIRST], GTF_reading | GTF_writing);
	assert_int_equal(unmap(handle, 1), GNTST_okay);
	assert_int_equal(status[FIRST], 0);
	assert_int_equal(map(256, RW, 1, &handle), GNTST_bad_gntref);

	/* Part of a page can be copied, not mapped. */
	v2[FIRST].hdr.flags |= GTF_sub_page;
	v2[FIRST].sub_page.page_off = 100;
	v2[FIRST].sub_page.length = 50;
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_general_error);
	assert_int_equal(status[FIRST], 0);
	assert_int_equal(grant_begin(a, b->id, FIRST, false, false, &use), GNTST_okay);
	assert_int_equal(use.offset, 100);
	assert_int_equal(use.length, 50);
	assert_int_equal(grant_table_set_version(a, 1), -EBUSY);
	grant_end(a, FIRST, &use);
	v2[FIRST].hdr.flags = GTF_transitive;
	assert_int_equal(map(FIRST, RO, 1, &handle), GNTST_general_error);

	assert_int_equal(grant_table_set_version(a, 1), 0);
	assert_int_equal(entry(1)->frame, mfn_x(frame[3]));
	assert_int_equal(entry(FIRST)->flags, 0);
	assert_int_equal(grant_table_set_version(a, 2), 0);
	assert_int_equal(grant_table_grow(a, GRANT_FRAMES_MAX), 0);
	assert_int_equal(grant_table_frames(a, &status_frames), GRANT_FRAMES_MAX);
	assert_int_equal(status_frames, GRANT_STATUS_FRAMES_MAX);
}

static void end(struct domain *d)
{
	run_as(NULL);
	domain_destroy(d);
	host_run_until(host_time + NSEC_PER_SEC);
}

static void the_grantee_ends_first(void **state)
{
	u32 handle;

	offer(FIRST, 0, b->id, 0);
	for (unsigned int i = 0; i < 600; i++)
		assert_int_equal(map(FIRST, i % 2 ? RW : RO, 1, &handle), GNTST_okay);
	assert_int_equal(references(0), 601);
	end(b);
	assert_int_equal(references(0), 1);
	assert_int_equal(entry(FIRST)->flags, GTF_permit_access);
}

static void the_grantor_ends_first(void **state)
{
	domid_t id = a->id;
	u32 first, second;

	offer(FIRST, 0, b->id, 0);
	assert_int_equal(map(FIRST, RW, 1, &first), GNTST_okay);
	assert_int_equal(map(FIRST, RO, 1, &second), GNTST_okay);
	end(a);
	/* The frame is still there, and so is what knows of its use. */
	assert_ptr_equal(domain_of_id(id), a);
	assert_int_equal(a->nr_pages, 1);
	assert_int_equal(references(0), 2);
	run_as(b);
	assert_int_equal(unmap(first, 1), GNTST_okay);
	assert_int_equal(unmap(second, 1), GNTST_okay);
	run_as(NULL);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_null(domain_of_id(id));
}

/* Counts by hand of what random calls do, and at the end both domains go with whatever is left. */
static void random_use(void **state)
{
	static struct {
		unsigned int ref;
		bool used, write;
	} mapped[GRANT_MAPPINGS_MAX];
	unsigned int used[FRAMES] = { 0 }, writers[FRAMES] = { 0 };

	machine_seed();
	memset(mapped, 0, sizeof(mapped));
	for (unsigned int i = 0; i < FRAMES; i++)
		offer(FIRST + i, i, b->id, i % 3 ? 0 : GTF_readonly);
	for (unsigned int i = 0; i < 200000; i++) {
		unsigned int nr = (unsigned int)rnd_below(FRAMES);
		bool write = rnd_below(2);
		u32 handle = (u32)rnd_below(600);

		if (rnd_below(2) && mapped[handle].used) {
			nr = mapped[handle].ref;
			assert_int_equal(unmap(handle, 1), GNTST_okay);
			mapped[handle].used = false;
			used[nr]--;
			writers[nr] -= mapped[handle].write;
		} else if (grant_mappings(b) < 500) {
			int status = map(FIRST + nr, write ? RW : RO, 1, &handle);

			assert_int_equal(status,
					 write && nr % 3 == 0 ? GNTST_general_error : GNTST_okay);
			if (status)
				continue;
			assert_false(mapped[handle].used);
			mapped[handle].used = true;
			mapped[handle].ref = nr;
			mapped[handle].write = write;
			used[nr]++;
			writers[nr] += write;
		}
		assert_int_equal(references(nr), used[nr] + 1);
		assert_int_equal(!(entry(FIRST + nr)->flags & GTF_writing), !writers[nr]);
		assert_int_equal(!(entry(FIRST + nr)->flags & GTF_reading), !used[nr]);
	}
	end(rnd_below(2) ? a : b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(uses_are_seen_and_pin, start, stop),
		cmocka_unit_test_setup_teardown(refuses, start, stop),
		cmocka_unit_test_setup_teardown(unmapping_at_the_wrong_place_keeps_the_mapping,
						start, stop),
		cmocka_unit_test_setup_teardown(limits, start, stop),
		cmocka_unit_test_setup_teardown(versions, start, stop),
		cmocka_unit_test_setup_teardown(the_grantee_ends_first, start, stop),
		cmocka_unit_test_setup_teardown(the_grantor_ends_first, start, stop),
		cmocka_unit_test_setup_teardown(random_use, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
