/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A guest's kernel as its file describes it: Linux's Image (Documentation/arm64/booting.rst), or an ELF file. Parsers over untrusted bytes. */
#ifndef ARM64_GUEST_IMAGE_H
#define ARM64_GUEST_IMAGE_H

#include <tine/span.h>
#include <tine/types.h>

#define GUEST_IMAGE_PIECES 8

struct arm64_image {
	const char *kind;
	u64 start, end; /* guest-physical: all that it needs, [start, end) */
	u64 entry;
	unsigned int nr_pieces;
	struct {
		u64 at;
		struct span bytes; /* what is behind them up to the next piece is zero */
	} pieces[GUEST_IMAGE_PIECES];
};

/* Where FILE goes in a guest whose RAM begins at BASE. -ENOEXEC, -EINVAL after a line that says what is wrong. */
int arm64_image_parse(struct span file, u64 base, struct arm64_image *image) __must_check;

#endif
