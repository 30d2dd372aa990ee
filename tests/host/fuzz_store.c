// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as what a guest sends to its store, in pieces whose sizes are part of the
 * input. What comes back must be messages, one answer a request; memory stays below the limit, and
 * nothing is left in the end.
 */
#include "store_memory.h"
#include <string.h>
#include <tine/lib.h>
#include <tine/store.h>
#include <xen/io/xs_wire.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct {
	struct xsd_sockmsg header;
	size_t have;
	unsigned long answers;
} in;

/* Counts answers; aborts on a message that cannot be. */
static void receive(const u8 *bytes, size_t n)
{
	for (; n; n--, bytes++) {
		if (in.have < sizeof(in.header))
			((u8 *)&in.header)[in.have] = *bytes;
		in.have++;
		if (in.have == sizeof(in.header) && in.header.len > XENSTORE_PAYLOAD_MAX)
			abort();
		if (in.have >= sizeof(in.header) && in.have == sizeof(in.header) + in.header.len) {
			in.answers += in.header.type != XS_WATCH_EVENT;
			in.have = 0;
		}
	}
}

static void fetch(struct store *s, size_t portion)
{
	u8 buf[256];
	size_t n;

	while ((n = store_get(s, buf, portion)))
		receive(buf, n);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct store_stats stats;
	struct store *s;
	size_t at = 0;

	if (size < 2)
		return 0;
	in.have = in.answers = 0;
	s = store_create(7);
	if (store_write(s, "control/shutdown", "") != 0)
		abort();
	for (size_t piece = 1; at < size - 2; piece = piece * 31 + data[0]) {
		at += store_put(s, data + 2 + at, min(piece % 300 + 1, size - 2 - at));
		if (piece % 7 == 0 && store_write(s, "memory/target", "1") < 0 &&
		    !store_is_broken(s))
			(void)!store_write(s, "memory/target", "");
		if (piece % 3)
			fetch(s, data[1] + 1U);
		store_get_stats(s, &stats);
		if (stats.bytes_used > stats.bytes_max)
			abort();
		if (store_is_broken(s))
			break;
	}
	fetch(s, 256);
	store_get_stats(s, &stats);
	if (in.answers != stats.requests || in.have)
		abort();
	store_destroy(s);
	if (store_objects)
		abort();
	return 0;
}
