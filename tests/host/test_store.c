// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain's store by its protocol: what Linux says at boot, cut anywhere; the tree, watches and
 * transactions; limits, each of which must be answered and leave nothing behind; requests that are
 * none.
 */
#include "store_memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/lib.h>
#include <tine/store.h>
#include <xen/io/xs_wire.h>

static struct store *s;
static unsigned int portion; /* bytes a time, in and out */

static struct {
	struct xsd_sockmsg header;
	char payload[XENSTORE_PAYLOAD_MAX + 1];
} got;

static int start(void **state)
{
	portion = 4096;
	s = store_create(5);
	assert_non_null(s);
	return 0;
}

static int stop(void **state)
{
	store_destroy(s);
	assert_int_equal(store_objects, 0);
	return 0;
}

static void put(const void *bytes, size_t n)
{
	for (size_t at = 0; at < n;) {
		size_t took = store_put(s, (const char *)bytes + at, min((size_t)portion, n - at));

		assert_true(took > 0);
		at += took;
	}
}

/* The next message, whole; false: there is none. */
static bool fetch(void)
{
	char *to = (char *)&got;
	size_t have = 0, want = sizeof(got.header), n;

	memset(&got, 0, sizeof(got));
	while (have < want) {
		n = store_get(s, to + have, min((size_t)portion, want - have));
		if (!n) {
			assert_int_equal(have, 0);
			return false;
		}
		have += n;
		if (have == sizeof(got.header))
			want += got.header.len;
	}
	return true;
}

static void send(u32 type, u32 tx, const char *payload, size_t n)
{
	struct xsd_sockmsg header = {
		.type = type, .req_id = type + 100, .tx_id = tx, .len = (u32)n
	};

	put(&header, sizeof(header));
	put(payload, n);
}

static void expect_bytes(u32 type, const char *payload, size_t n)
{
	assert_true(fetch());
	if (got.header.type == XS_ERROR && type != XS_ERROR)
		fail_msg("error %s", got.payload);
	assert_int_equal(got.header.type, type);
	assert_int_equal(got.header.len, n);
	assert_memory_equal(got.payload, payload, n);
}

/* PAYLOAD is a literal, so its last NUL is not among the bytes that sizeof counts off. */
#define CALL(type, tx, payload) send(type, tx, payload, sizeof(payload) - 1)
#define EXPECT(type, payload) expect_bytes(type, payload, sizeof(payload) - 1)
#define GIVES(type, tx, payload, answer)                                                           \
	do {                                                                                       \
		CALL(type, tx, payload);                                                           \
		EXPECT(type, answer);                                                              \
		assert_int_equal(got.header.req_id, (type) + 100);                                 \
		assert_int_equal(got.header.tx_id, tx);                                            \
	} while (0)
#define FAILS(type, tx, payload, error)                                                            \
	do {                                                                                       \
		CALL(type, tx, payload);                                                           \
		EXPECT(XS_ERROR, error "\0");                                                      \
	} while (0)
#define OK "OK\0"

static void quiet(void)
{
	assert_false(fetch());
}

static void linux_boots(void **state)
{
	assert_int_equal(store_write(s, "memory/target", "65536"), 0);
	assert_int_equal(store_write(s, "control/shutdown", ""), 0);
	for (portion = 1; portion < 40; portion += 6) {
		GIVES(XS_RESET_WATCHES, 0, "\0", OK);
		GIVES(XS_WATCH, 0, "memory/target\0t1\0", OK);
		EXPECT(XS_WATCH_EVENT, "memory/target\0t1\0");
		GIVES(XS_READ, 0, "memory/target\0", "65536");
		GIVES(XS_WATCH, 0, "control/shutdown\0t2\0", OK);
		EXPECT(XS_WATCH_EVENT, "control/shutdown\0t2\0");
		CALL(XS_TRANSACTION_START, 0, "\0");
		assert_true(fetch());
		u32 tx = (u32)atoi(got.payload);

		GIVES(XS_READ, tx, "control/shutdown\0", "");
		GIVES(XS_WRITE, tx, "control/feature-poweroff\0001", OK);
		FAILS(XS_READ, 0, "control/feature-reboot\0", "ENOENT");
		GIVES(XS_TRANSACTION_END, tx, "T\0", OK);
		/* Its own change is below no watch of its, except this one's. */
		quiet();
		GIVES(XS_READ, 0, "control/feature-poweroff\0", "1");
		FAILS(XS_DIRECTORY, 0, "device\0", "ENOENT");
	}
}

static void hypervisor_asks(void **state)
{
	assert_int_equal(store_write(s, "control/shutdown", "poweroff"), 0);
	GIVES(XS_WATCH, 0, "control/shutdown\0one\0", OK);
	EXPECT(XS_WATCH_EVENT, "control/shutdown\0one\0");
	GIVES(XS_WATCH, 0, "/local/domain/5/control\0two\0", OK);
	EXPECT(XS_WATCH_EVENT, "/local/domain/5/control\0two\0");
	assert_int_equal(store_write(s, "control/shutdown", "reboot"), 2);
	/* The same again, before it was fetched, is told once. */
	assert_int_equal(store_write(s, "control/shutdown", "reboot"), 2);
	EXPECT(XS_WATCH_EVENT, "control/shutdown\0one\0");
	EXPECT(XS_WATCH_EVENT, "/local/domain/5/control/shutdown\0two\0");
	quiet();
	GIVES(XS_READ, 0, "control/shutdown\0", "reboot");
	GIVES(XS_UNWATCH, 0, "control/shutdown\0one\0", OK);
	FAILS(XS_UNWATCH, 0, "control/shutdown\0one\0", "ENOENT");
	assert_int_equal(store_write(s, "control/shutdown", "halt"), 1);
}

static void tree(void **state)
{
	GIVES(XS_WRITE, 0, "a/b/c\0value", OK);
	GIVES(XS_READ, 0, "/local/domain/5/a/b/c\0", "value");
	GIVES(XS_READ, 0, "a/b\0", "");
	GIVES(XS_MKDIR, 0, "a/d\0", OK);
	GIVES(XS_MKDIR, 0, "a/d\0", OK);
	GIVES(XS_WRITE, 0, "ab\0", OK);
	GIVES(XS_DIRECTORY, 0, "a\0", "b\0d\0");
	GIVES(XS_DIRECTORY, 0, "/local/domain/5\0", "a\0ab\0");
	GIVES(XS_DIRECTORY, 0, "/\0", "local\0");
	GIVES(XS_DIRECTORY, 0, "a/d\0", "");
	GIVES(XS_GET_PERMS, 0, "a/b\0", "n5\0");
	GIVES(XS_SET_PERMS, 0, "a/b\0n5\0r0\0", OK);
	GIVES(XS_WRITE, 0, "a/b/e/f\0", OK);
	GIVES(XS_GET_PERMS, 0, "a/b/e/f\0", "n5\0r0\0");
	GIVES(XS_RM, 0, "a/b\0", OK);
	FAILS(XS_READ, 0, "a/b/c\0", "ENOENT");
	FAILS(XS_DIRECTORY, 0, "a/b\0", "ENOENT");
	GIVES(XS_RM, 0, "a/b\0", OK);
	FAILS(XS_RM, 0, "x/y\0", "ENOENT");
	GIVES(XS_DIRECTORY, 0, "/local/domain/5\0", "a\0ab\0");
	GIVES(XS_GET_DOMAIN_PATH, 0, "12\0", "/local/domain/12\0");
	GIVES(XS_IS_DOMAIN_INTRODUCED, 0, "5\0", "T\0");
	GIVES(XS_IS_DOMAIN_INTRODUCED, 0, "6\0", "F\0");
}

static void refuses(void **state)
{
	static const char *const bad[] = {
		"", "a//b", "a/", "/local/", "a b", "a\x80", "//", "@x"
	};
	char long_path[XENSTORE_ABS_PATH_MAX + 2];

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		send(XS_READ, 0, bad[i], strlen(bad[i]) + 1);
		EXPECT(XS_ERROR, "EINVAL\0");
	}
	FAILS(XS_READ, 0, "no-nul", "EINVAL");
	FAILS(XS_READ, 0, "", "EINVAL");
	FAILS(XS_WATCH, 0, "a\0no-nul", "EINVAL");
	FAILS(XS_WRITE, 0, "/local/domain/6/a\0x", "EACCES");
	FAILS(XS_WRITE, 0, "/local/domain/5\0x", "EACCES");
	FAILS(XS_RM, 0, "/local/domain/5\0", "EACCES");
	FAILS(XS_RM, 0, "/\0", "EACCES");
	FAILS(XS_WRITE, 0, "/local/domain/55/a\0x", "EACCES");
	FAILS(XS_SET_PERMS, 0, "a\0x5\0", "EINVAL");
	FAILS(XS_SET_PERMS, 0, "a\0", "EINVAL");
	FAILS(XS_SET_PERMS, 0, "a\0n5\0", "ENOENT");
	FAILS(XS_CONTROL, 0, "print\0", "EACCES");
	FAILS(XS_INTRODUCE, 0, "5\0", "EACCES");
	FAILS(XS_DIRECTORY_PART, 0, "a\0000\0", "ENOSYS");
	FAILS(0xffff, 0, "a\0", "ENOSYS");
	FAILS(XS_READ, 3, "a\0", "ENOENT");
	FAILS(XS_TRANSACTION_END, 0, "T\0", "ENOENT");
	memset(long_path, 'a', sizeof(long_path));
	long_path[0] = '/';
	long_path[sizeof(long_path) - 1] = '\0';
	send(XS_READ, 0, long_path, sizeof(long_path));
	EXPECT(XS_ERROR, "EINVAL\0");
	quiet();
}

static u32 begin(void)
{
	CALL(XS_TRANSACTION_START, 0, "\0");
	assert_true(fetch());
	assert_int_equal(got.header.type, XS_TRANSACTION_START);
	return (u32)atoi(got.payload);
}

static void transactions(void **state)
{
	u32 one, two;

	GIVES(XS_WRITE, 0, "a\0old", OK);
	GIVES(XS_WATCH, 0, "a\0w\0", OK);
	EXPECT(XS_WATCH_EVENT, "a\0w\0");
	one = begin();
	two = begin();
	assert_int_not_equal(one, two);
	GIVES(XS_WRITE, one, "a\0one", OK);
	GIVES(XS_RM, two, "a\0", OK);
	GIVES(XS_READ, 0, "a\0", "old");
	GIVES(XS_READ, one, "a\0", "one");
	FAILS(XS_READ, two, "a\0", "ENOENT");
	quiet();
	GIVES(XS_TRANSACTION_END, one, "T\0", OK);
	EXPECT(XS_WATCH_EVENT, "a\0w\0");
	FAILS(XS_TRANSACTION_END, two, "T\0", "EAGAIN");
	FAILS(XS_TRANSACTION_END, two, "T\0", "ENOENT");
	GIVES(XS_READ, 0, "a\0", "one");
	two = begin();
	FAILS(XS_TRANSACTION_START, two, "\0", "EBUSY");
	GIVES(XS_RM, two, "a\0", OK);
	GIVES(XS_TRANSACTION_END, two, "F\0", OK);
	GIVES(XS_READ, 0, "a\0", "one");
	quiet();
}

static void removal_is_told(void **state)
{
	GIVES(XS_WRITE, 0, "a/b/c\0", OK);
	GIVES(XS_WATCH, 0, "a/b/c\0below\0", OK);
	EXPECT(XS_WATCH_EVENT, "a/b/c\0below\0");
	GIVES(XS_WATCH, 0, "a\0above\0", OK);
	EXPECT(XS_WATCH_EVENT, "a\0above\0");
	FAILS(XS_WATCH, 0, "a\0above\0", "EEXIST");
	GIVES(XS_WATCH, 0, "@releaseDomain\0special\0", OK);
	EXPECT(XS_WATCH_EVENT, "@releaseDomain\0special\0");
	GIVES(XS_RM, 0, "a/b\0", OK);
	EXPECT(XS_WATCH_EVENT, "a/b/c\0below\0");
	EXPECT(XS_WATCH_EVENT, "a/b\0above\0");
	quiet();
}

/* Repeats a request until it is refused, which must happen within MOST. */
static void until_full(u32 type, u32 most, const char *format, const char *error)
{
	char payload[3000];

	for (u32 i = 0; i < most; i++) {
		size_t n = (size_t)snprintf(payload, sizeof(payload), format, i);

		for (char *c = payload; (c = strchr(c, '|')); c++)
			*c = '\0';
		send(type, 0, payload, n);
		assert_true(fetch());
		if (got.header.type == XS_ERROR) {
			assert_string_equal(got.payload, error);
			return;
		}
		while (fetch())
			;
	}
	fail_msg("never full");
}

static void limits(void **state)
{
	struct store_stats stats;

	until_full(XS_WATCH, 65, "w%u|token|", "E2BIG");
	until_full(XS_TRANSACTION_START, 5, "|", "ENOSPC");
	GIVES(XS_RESET_WATCHES, 0, "\0", OK);
	until_full(XS_WRITE, 600, "n%u|", "ENOSPC");
	GIVES(XS_RM, 0, "n7\0", OK);
	GIVES(XS_WRITE, 0, "again\0", OK);
	until_full(XS_WRITE, 200, "again%u|value", "ENOSPC");
	store_get_stats(s, &stats);
	assert_true(stats.bytes_used <= stats.bytes_max);
}

static void big_values(void **state)
{
	static char payload[XENSTORE_PAYLOAD_MAX];
	unsigned int made = 0;

	memset(payload, 'v', sizeof(payload));
	for (;; made++) {
		char name[8];

		memcpy(payload, name, (size_t)snprintf(name, sizeof(name), "v%02u", made) + 1);
		send(XS_WRITE, 0, payload, sizeof(payload));
		assert_true(fetch());
		if (got.header.type == XS_ERROR)
			break;
	}
	assert_string_equal(got.payload, "ENOSPC");
	assert_in_range(made, 20, 40);
	CALL(XS_READ, 0, "v00\0");
	assert_true(fetch());
	assert_int_equal(got.header.len, sizeof(payload) - 4);
	FAILS(XS_TRANSACTION_START, 0, "\0", "ENOSPC");
}

/*
 * Events that are not fetched are lost, not kept without end; requests wait for their answer to be
 * fetched.
 */
static void does_not_fetch(void **state)
{
	struct xsd_sockmsg header = { .type = XS_READ, .len = 2 };
	struct store_stats stats;
	char value[16];

	GIVES(XS_WATCH, 0, "a\0w\0", OK);
	EXPECT(XS_WATCH_EVENT, "a\0w\0");
	for (unsigned int i = 0; i < 5000; i++) {
		(void)snprintf(value, sizeof(value), "a/n%u", i % 400);
		assert_true(store_write(s, value, "x") > 0);
	}
	for (unsigned int i = 0; i < 5000; i++) {
		char deep[200];

		(void)snprintf(deep, sizeof(deep), "a/n1/%0150u", i % 100);
		(void)!store_write(s, deep, "x");
	}
	store_get_stats(s, &stats);
	assert_true(stats.bytes_used <= stats.bytes_max);
	put(&header, sizeof(header));
	put("b", 2);
	assert_int_equal(store_put(s, "x", 1), 0);
	EXPECT(XS_ERROR, "ENOENT\0");
	while (fetch())
		assert_int_equal(got.header.type, XS_WATCH_EVENT);
	put("x", 1);
}

static void too_long(void **state)
{
	struct xsd_sockmsg header = { .type = XS_READ, .len = XENSTORE_PAYLOAD_MAX + 1 };

	put(&header, sizeof(header));
	assert_true(store_is_broken(s));
	assert_int_equal(store_put(s, "x", 1), 0);
	quiet();
}

/*
 * Whichever allocation fails, the request is answered, and nothing is left behind (stop() looks).
 */
static void no_memory(void **state)
{
	for (unsigned int at = 1; at < 40; at++) {
		store_fail_at = at;
		CALL(XS_WRITE, 0, "x/y/z\0value");
		assert_true(fetch());
		CALL(XS_TRANSACTION_START, 0, "\0");
		assert_true(fetch());
		CALL(XS_WATCH, 0, "x\0t\0");
		assert_true(fetch());
		store_fail_at = 0;
		while (fetch())
			;
		GIVES(XS_RESET_WATCHES, 0, "\0", OK);
		GIVES(XS_RM, 0, "x\0", OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(linux_boots, start, stop),
		cmocka_unit_test_setup_teardown(hypervisor_asks, start, stop),
		cmocka_unit_test_setup_teardown(tree, start, stop),
		cmocka_unit_test_setup_teardown(refuses, start, stop),
		cmocka_unit_test_setup_teardown(transactions, start, stop),
		cmocka_unit_test_setup_teardown(removal_is_told, start, stop),
		cmocka_unit_test_setup_teardown(limits, start, stop),
		cmocka_unit_test_setup_teardown(big_values, start, stop),
		cmocka_unit_test_setup_teardown(does_not_fetch, start, stop),
		cmocka_unit_test_setup_teardown(too_long, start, stop),
		cmocka_unit_test_setup_teardown(no_memory, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
