/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes multiboot2 information as a loader would, for tests and fuzz seeds. */
#ifndef MBI_BUILDER_H
#define MBI_BUILDER_H

#include <string.h>
#include <tine/lib.h>
#include <tine/types.h>

struct mbi {
	u8 bytes[65536];
	size_t size;
};

static inline void mbi_start(struct mbi *m)
{
	memset(m, 0, sizeof(*m));
	m->size = 8;
}

/* A tag whose size field says SIZE_FIELD, whatever LEN the contents have. */
static inline void mbi_tag_sized(struct mbi *m, u32 type, u32 size_field, const void *data,
				 size_t len)
{
	memcpy(m->bytes + m->size, &type, 4);
	memcpy(m->bytes + m->size + 4, &size_field, 4);
	if (len)
		memcpy(m->bytes + m->size + 8, data, len);
	m->size = ROUND_UP(m->size + 8 + len, 8);
}

static inline void mbi_tag(struct mbi *m, u32 type, const void *data, size_t len)
{
	mbi_tag_sized(m, type, (u32)(8 + len), data, len);
}

static inline void mbi_text(struct mbi *m, u32 type, const char *text)
{
	mbi_tag(m, type, text, strlen(text) + 1);
}

static inline void mbi_module(struct mbi *m, u32 start, u32 end, const char *args)
{
	u8 tag[2048];

	memcpy(tag, &start, 4);
	memcpy(tag + 4, &end, 4);
	memcpy(tag + 8, args, strlen(args) + 1);
	mbi_tag(m, 3, tag, 8 + strlen(args) + 1);
}

struct mbi_mmap_entry {
	u64 start, length;
	u32 type, zero;
};

static inline void mbi_mmap(struct mbi *m, const struct mbi_mmap_entry *entries, unsigned int n)
{
	u8 tag[8 + 64 * sizeof(*entries)];
	u32 head[2] = { sizeof(*entries), 0 };

	memcpy(tag, head, 8);
	memcpy(tag + 8, entries, n * sizeof(*entries));
	mbi_tag(m, 6, tag, 8 + n * sizeof(*entries));
}

struct mbi_efi_entry {
	u32 type, pad;
	u64 start, virt, pages, attributes, extra; /* 48 bytes, as real firmware has it */
};

static inline void mbi_efi_mmap(struct mbi *m, const struct mbi_efi_entry *entries, unsigned int n)
{
	u8 tag[8 + 64 * sizeof(*entries)];
	u32 head[2] = { sizeof(*entries), 1 };

	memcpy(tag, head, 8);
	memcpy(tag + 8, entries, n * sizeof(*entries));
	mbi_tag(m, 17, tag, 8 + n * sizeof(*entries));
}

static inline void mbi_set_total(struct mbi *m, u32 total)
{
	memcpy(m->bytes, &total, 4);
}

static inline void mbi_end(struct mbi *m)
{
	mbi_tag(m, 0, NULL, 0);
	mbi_set_total(m, (u32)m->size);
}

#endif
