// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a PV kernel. Refused: one line; taken: segments inside the file and the
 * address space, and a layout for it.
 */
#include <stdlib.h>

#include "../../arch/x86/pv/layout.h"
#include "host_log.h"
#include <tine/lib.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check_segment(const struct pv_image *image, const struct pv_segment *s)
{
	if (!span_has(image->file, s->offset, s->filesz) || s->filesz > s->memsz ||
	    s->va + s->memsz < s->va || s->va < image->start || s->va + s->memsz > image->end ||
	    (s->va < GUEST_HIGH_START && s->va + s->memsz > GUEST_LOW_END))
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct pv_image image;
	struct pv_layout l;

	host_log_clear();
	if (pv_image_parse(span_of(data, size), &image)) {
		if (host_log_lines() != 1)
			abort();
		return 0;
	}
	if (host_log_lines())
		abort();
	for (unsigned int i = 0; i < image.nr_segments; i++)
		check_segment(&image, &image.segments[i]);
	if (!pv_layout_make(&l, &image, size, MiB(512) >> PAGE_SHIFT, true) &&
	    (l.end <= l.stack_top || l.stack_top <= l.tables || (l.end - l.base) > MiB(512)))
		abort();
	return 0;
}
