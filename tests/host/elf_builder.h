/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds small PV kernels for tests: an ELF64 file with one loadable segment and one of notes, to be broken afterwards. */
#ifndef ELF_BUILDER_H
#define ELF_BUILDER_H

#include <stdint.h>
#include <string.h>

#define ELF_SIZE 4096
#define ELF_PHDRS 64
#define ELF_NOTES 512
#define ELF_LOAD 2048

struct elf_file {
	uint8_t bytes[ELF_SIZE];
	size_t notes; /* bytes of them */
};

static inline void elf_put(struct elf_file *f, size_t at, uint64_t value, size_t size)
{
	memcpy(f->bytes + at, &value, size);
}

static inline size_t elf_phdr(unsigned int i)
{
	return ELF_PHDRS + i * 56;
}

static inline void elf_segment(struct elf_file *f, unsigned int i, uint32_t type, uint64_t offset,
			       uint64_t paddr, uint64_t filesz, uint64_t memsz)
{
	size_t at = elf_phdr(i);

	elf_put(f, at, type, 4);
	elf_put(f, at + 8, offset, 8);
	elf_put(f, at + 16, 0, 8); /* the virtual address must not matter */
	elf_put(f, at + 24, paddr, 8);
	elf_put(f, at + 32, filesz, 8);
	elf_put(f, at + 40, memsz, 8);
}

static inline void elf_note(struct elf_file *f, uint32_t type, const void *desc, size_t size)
{
	size_t at = ELF_NOTES + f->notes;

	elf_put(f, at, 4, 4);
	elf_put(f, at + 4, size, 4);
	elf_put(f, at + 8, type, 4);
	memcpy(f->bytes + at + 12, "Xen", 4);
	memcpy(f->bytes + at + 16, desc, size);
	f->notes += 16 + (size + 3) / 4 * 4;
	elf_put(f, elf_phdr(1) + 32, f->notes, 8);
	elf_put(f, elf_phdr(1) + 40, f->notes, 8);
}

static inline void elf_note_u64(struct elf_file *f, uint32_t type, uint64_t value)
{
	elf_note(f, type, &value, sizeof(value));
}

static inline void elf_note_text(struct elf_file *f, uint32_t type, const char *text)
{
	elf_note(f, type, text, strlen(text) + 1);
}

/* A kernel of 256 bytes and 8 KiB of bss at physical 1 MiB, without notes yet. */
static inline void elf_begin(struct elf_file *f)
{
	static const uint8_t ident[8] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 0 };

	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, ident, sizeof(ident));
	elf_put(f, 16, 2, 2);
	elf_put(f, 18, 62, 2);
	elf_put(f, 24, 0x100010, 8);
	elf_put(f, 32, ELF_PHDRS, 8);
	elf_put(f, 54, 56, 2);
	elf_put(f, 56, 2, 2);
	elf_segment(f, 0, 1, ELF_LOAD, 0x100000, 256, 8192);
	elf_segment(f, 1, 4, ELF_NOTES, 0, 0, 0);
}

#endif
