// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a boot module to a kernel that can be loaded. A bzImage is Linux's boot protocol
 * (Documentation/x86/boot.rst, "the real-mode kernel header"): its payload is an ELF file, mostly
 * compressed, with the unpacked length as the last word. Such a payload may come without the rest
 * of the bzImage, as on Xen. Everything in it is untrusted; what does not fit together is one line.
 */
#include "unpack.h"
#include <tine/errno.h>
#include <tine/printk.h>

#define BOOT_FLAG_AT 0x1fe
#define BOOT_FLAG 0xaa55
#define HEADER_MAGIC_AT 0x202
#define HEADER_MAGIC 0x53726448 /* "HdrS" */
#define VERSION_AT 0x206
#define VERSION_WITH_PAYLOAD 0x208
#define SETUP_SECTORS_AT 0x1f1
#define SETUP_SECTORS_OLD 4 /* what 0 stands for */
#define PAYLOAD_OFFSET_AT 0x248
#define PAYLOAD_LENGTH_AT 0x24c
#define SECTOR 512

static const struct unpack_format *const formats[] = { &unpack_gzip, &unpack_lz4, &unpack_xz,
						       &unpack_zstd };

static bool begins_with(struct span s, const void *magic, size_t size)
{
	return s.size >= size && !memcmp(s.data, magic, size);
}

static bool is_bzimage(struct span file)
{
	return span_u16(file, BOOT_FLAG_AT) == BOOT_FLAG &&
	       span_u32(file, HEADER_MAGIC_AT) == HEADER_MAGIC;
}

static bool is_elf(struct span s)
{
	return begins_with(s, "\177ELF", 4);
}

static int find_payload(const char *name, struct span file, struct span *payload)
{
	size_t sectors = span_u8(file, SETUP_SECTORS_AT), at, length;

	if (span_u16(file, VERSION_AT) < VERSION_WITH_PAYLOAD) {
		pr_err("%s: is a bzImage of boot protocol %x, before 2.08, without a payload\n",
		       name, span_u16(file, VERSION_AT));
		return -ENOEXEC;
	}
	if (!sectors)
		sectors = SETUP_SECTORS_OLD;
	at = (sectors + 1) * SECTOR + span_u32(file, PAYLOAD_OFFSET_AT);
	length = span_u32(file, PAYLOAD_LENGTH_AT);
	if (length < sizeof(u32) || !span_has(file, at, length)) {
		pr_err("%s: is a bzImage cut off: its payload of %zu bytes at %zu is not within "
		       "the module's %zu\n",
		       name, length, at, file.size);
		return -EINVAL;
	}
	*payload = span_sub(file, at, length);
	return 0;
}

static const struct unpack_format *format_of(struct span payload)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(formats); i++) {
		if (begins_with(payload, formats[i]->magic, formats[i]->magic_size))
			return formats[i];
	}
	return NULL;
}

/* A piece of library code at a time, interrupts between them. */
static enum unpack_result run(const struct unpack_format *format, struct unpacking *u)
{
	enum unpack_result result = UNPACK_NO_MEMORY;
	unsigned long state = arch_library_begin();
	bool started = format->start(u);

	arch_library_end(state);
	while (started) {
		state = arch_library_begin();
		result = format->step(u);
		arch_library_end(state);
		if (result != UNPACK_MORE)
			break;
	}
	if (started) {
		state = arch_library_begin();
		format->finish(u);
		arch_library_end(state);
	}
	return result;
}

static int verdict(const char *name, const struct unpack_format *format, const struct unpacking *u,
		   enum unpack_result result)
{
	if (result == UNPACK_NO_MEMORY) {
		pr_err("%s: no memory to unpack it (%s)\n", name, format->name);
		return -ENOMEM;
	}
	if (result == UNPACK_DONE && u->out_at == u->out_size)
		return 0;
	if (result == UNPACK_DONE)
		pr_err("%s: its %s payload unpacks to %zu bytes and not to the %zu it announces\n",
		       name, format->name, u->out_at, u->out_size);
	else
		pr_err("%s: its %s payload is damaged, %zu bytes of %zu came out\n", name,
		       format->name, u->out_at, u->out_size);
	return -EINVAL;
}

static int unpack(const char *name, struct span payload, struct kernel_image *image)
{
	const struct unpack_format *format = format_of(payload);
	size_t size = span_u32(payload, payload.size - sizeof(u32));
	struct unpacking u = { .in = payload, .out_size = size };
	int rc;

	if (!format) {
		pr_err("%s: payload begins with %02x %02x %02x: neither ELF nor a compression "
		       "that is known (xz, zstd, gzip, lz4)\n",
		       name, span_u8(payload, 0), span_u8(payload, 1), span_u8(payload, 2));
		return -ENOEXEC;
	}
	if (!format->size_is_data)
		u.in = span_sub(payload, 0, payload.size - sizeof(u32));
	u.out = extent_alloc(size);
	if (!u.out) {
		pr_err("%s: no memory for the %zu KiB that it unpacks to by its last word\n", name,
		       size >> 10);
		return -ENOMEM;
	}
	image->buffer = u.out;
	image->buffer_size = size;
	image->contents = (struct guest_image){ .data = u.out, .size = size };
	rc = verdict(name, format, &u, run(format, &u));
	if (rc)
		kernel_image_close(image);
	else
		pr_debug("%s: %zu bytes of %s make %zu\n", name, payload.size, format->name, size);
	return rc;
}

int kernel_image_open(const char *name, struct span file, struct kernel_image *image)
{
	struct span payload = file;
	int rc;

	*image = (struct kernel_image){ .contents = { file.data, file.size } };
	if (!is_bzimage(file)) /* what it is if not packed, the builder says */
		return format_of(file) ? unpack(name, file, image) : 0;
	rc = find_payload(name, file, &payload);
	if (rc)
		return rc;
	image->contents = (struct guest_image){ payload.data, payload.size };
	return is_elf(payload) ? 0 : unpack(name, payload, image);
}

void kernel_image_close(struct kernel_image *image)
{
	if (image->buffer)
		extent_free(image->buffer, image->buffer_size);
	*image = (struct kernel_image){ .buffer = NULL };
}
