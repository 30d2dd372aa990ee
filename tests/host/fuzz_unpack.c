// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a kernel's file, and as the payload of a bzImage. Taken without a word, or
 * refused in one line; nothing is left allocated.
 */
#include <stdlib.h>
#include <string.h>

#include "../../boot/unpack.h"
#include "host_log.h"
#include "host_unpack.h"
#include <tine/lib.h>

#define HEADER 1024 /* boot sector and one of setup */

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void try_file(const u8 *data, size_t size)
{
	struct kernel_image image;
	int rc;

	host_log_clear();
	rc = kernel_image_open("kernel", span_of(data, size), &image);
	/* That it was unpacked is a line for debugging. */
	if (rc ? host_log_lines() != 1 : host_log_lines() > 1)
		abort();
	if (!rc)
		kernel_image_close(&image);
	if (host_extents)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u8 *image = calloc(1, HEADER + size);
	u32 length = (u32)size, magic = 0x53726448;
	u16 flag = 0xaa55, version = 0x20f;

	host_extent_limit = MiB(1);
	try_file(data, size);
	memcpy(image + 0x1fe, &flag, sizeof(flag));
	memcpy(image + 0x202, &magic, sizeof(magic));
	memcpy(image + 0x206, &version, sizeof(version));
	image[0x1f1] = 1;
	memcpy(image + 0x24c, &length, sizeof(length));
	memcpy(image + HEADER, data, size);
	try_file(image, HEADER + size);
	free(image);
	return 0;
}
