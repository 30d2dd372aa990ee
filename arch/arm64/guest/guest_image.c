// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What kind of kernel it is and where it goes. An Image says how far from a multiple of 2 MiB it starts and how much memory it takes with what is not in the
 * file; ELF segments are at their physical addresses. Every number is checked against the file and against overflow before it is used.
 */
#include "guest_image.h"
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define IMAGE_TEXT_OFFSET 8
#define IMAGE_SIZE 16
#define IMAGE_FLAGS 24
#define IMAGE_MAGIC_AT 56
#define IMAGE_MAGIC 0x644d5241U /* "ARM\x64" */
#define IMAGE_HEADER 64
#define IMAGE_BIG_ENDIAN 1
#define IMAGE_OLD_OFFSET 0x80000 /* of those that do not say their size */
#define IMAGE_MAX GiB(1)

#define ELF_MAGIC 0x464c457fU
#define ELF_CLASS_AT 4
#define ELF_64BIT_LITTLE 0x0102 /* class 1 byte, data 1 byte: 2, 1 */
#define ELF_MACHINE_AT 18
#define ELF_AARCH64 183
#define ELF_ENTRY_AT 24
#define ELF_PHOFF_AT 32
#define ELF_PHENTSIZE_AT 54
#define ELF_PHNUM_AT 56
#define ELF_PHENT_MIN 56
#define PT_LOAD 1

static int parse_linux(struct span file, u64 base, struct arm64_image *image)
{
	u64 offset = span_u64(file, IMAGE_TEXT_OFFSET), size = span_u64(file, IMAGE_SIZE);

	if (span_u64(file, IMAGE_FLAGS) & IMAGE_BIG_ENDIAN) {
		pr_err("The kernel is a big-endian Image, which is not supported");
		return -ENOEXEC;
	}
	if (!size) {
		offset = IMAGE_OLD_OFFSET;
		size = file.size;
	}
	if (offset > IMAGE_MAX || size > IMAGE_MAX || offset % PAGE_SIZE) {
		pr_err("The kernel's Image header makes no sense: text offset %#lx, size %#lx",
		       offset, size);
		return -EINVAL;
	}
	image->kind = "Image";
	image->start = image->entry = base + offset;
	image->end = image->start + max(size, (u64)file.size);
	image->nr_pieces = 1;
	image->pieces[0].at = image->start;
	image->pieces[0].bytes = file;
	return 0;
}

static int add_segment(struct span file, size_t header, u64 base, struct arm64_image *image)
{
	u64 offset = span_u64(file, header + 8), at = span_u64(file, header + 24);
	u64 filesz = span_u64(file, header + 32), memsz = span_u64(file, header + 40);

	if (span_u32(file, header) != PT_LOAD || !memsz)
		return 0;
	if (image->nr_pieces == GUEST_IMAGE_PIECES || filesz > memsz || memsz > IMAGE_MAX ||
	    at < base || at - base > IMAGE_MAX || !span_has(file, offset, filesz)) {
		pr_err("The kernel's ELF segment at %#lx, %#lx bytes, cannot be loaded: RAM begins "
		       "at %#lx",
		       at, memsz, base);
		return -EINVAL;
	}
	image->pieces[image->nr_pieces].at = at;
	image->pieces[image->nr_pieces++].bytes = span_sub(file, offset, filesz);
	image->start = min(image->start, at);
	image->end = max(image->end, at + memsz);
	return 0;
}

static int parse_elf(struct span file, u64 base, struct arm64_image *image)
{
	size_t at = span_u64(file, ELF_PHOFF_AT), step = span_u16(file, ELF_PHENTSIZE_AT);
	unsigned int count = span_u16(file, ELF_PHNUM_AT);
	int rc = 0;

	if (span_u16(file, ELF_CLASS_AT) != ELF_64BIT_LITTLE ||
	    span_u16(file, ELF_MACHINE_AT) != ELF_AARCH64 || step < ELF_PHENT_MIN ||
	    !span_has(file, at, step * count)) {
		pr_err("The kernel is an ELF file, but none for 64-bit Arm, or it is damaged");
		return -ENOEXEC;
	}
	image->kind = "ELF";
	image->start = ~0UL;
	image->entry = span_u64(file, ELF_ENTRY_AT);
	for (unsigned int i = 0; i < count && !rc; i++)
		rc = add_segment(file, at + i * step, base, image);
	if (!rc && (image->entry < image->start || image->entry >= image->end)) {
		pr_err("The kernel's entry point %#lx is outside its segments", image->entry);
		rc = -EINVAL;
	}
	return rc;
}

int arm64_image_parse(struct span file, u64 base, struct arm64_image *image)
{
	*image = (struct arm64_image){ .kind = NULL };
	if (span_u32(file, IMAGE_MAGIC_AT) == IMAGE_MAGIC && file.size >= IMAGE_HEADER)
		return parse_linux(file, base, image);
	if (span_u32(file, 0) == ELF_MAGIC)
		return parse_elf(file, base, image);
	pr_err("The kernel is neither an arm64 Image nor an ELF file: it begins with %02x %02x "
	       "%02x %02x",
	       span_u8(file, 0), span_u8(file, 1), span_u8(file, 2), span_u8(file, 3));
	return -ENOEXEC;
}
