/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel images as they come: ELF as it is, or packed in a bzImage. Each compression is a small
 * file that drives a library of Debian's through struct unpack_format; unpack.c knows the images
 * and picks.
 */
#ifndef BOOT_UNPACK_H
#define BOOT_UNPACK_H

#include <tine/arch.h>
#include <tine/span.h>

/* One unpacking: IN is read from IN_AT on, OUT filled to OUT_AT. */
struct unpacking {
	struct span in;
	size_t in_at;
	u8 *out;
	size_t out_size, out_at;
	void *state; /* the format's own */
};

enum unpack_result { UNPACK_MORE, UNPACK_DONE, UNPACK_BAD, UNPACK_NO_MEMORY };

/*
 * The functions run as library code (arch_library_begin()): they only call their library. A step
 * stops after some STEP_BYTES of output, so that interrupts have their turn.
 */
#define UNPACK_STEP_BYTES KiB(256)

struct unpack_format {
	const char *name;
	u8 magic[6];
	unsigned int magic_size;
	bool size_is_data; /* the length at a bzImage payload's end is the format's own last word */
	bool (*start)(struct unpacking *u); /* false: no memory */
	enum unpack_result (*step)(struct unpacking *u);
	void (*finish)(struct unpacking *u);
};

extern const struct unpack_format unpack_gzip, unpack_lz4, unpack_xz, unpack_zstd;

/* An image as arch_domain_build() takes it, and the memory that it may need. */
struct kernel_image {
	struct guest_image contents;
	void *buffer; /* NULL: the module itself */
	size_t buffer_size;
};

/*
 * Unpacks FILE if it is packed. NAME is for the line that comes before -ENOEXEC, -EINVAL or
 * -ENOMEM.
 */
int kernel_image_open(const char *name, struct span file, struct kernel_image *image) __must_check;
void kernel_image_close(struct kernel_image *image);

/*
 * Runs of bytes on pages of their own, of any size; the rest of the block that it took goes back.
 * NULL: no memory.
 */
void *extent_alloc(size_t size) __must_check;
void extent_free(void *at, size_t size);

#endif
