// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PV kernel's ELF64 file: which segments to load where (by physical address, offset as the notes
 * say: virtual addresses of segments may be anything), and where the notes are. (System V ABI,
 * ELF-64 object file format.)
 */
#include "image.h"
#include <tine/compiler.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define EHDR_SIZE 64
#define PHDR_SIZE 56
#define SHDR_SIZE 64
#define ELFCLASS64 2
#define ELFDATA2LSB 1
#define EM_X86_64 62
#define PT_LOAD 1
#define PT_NOTE 4
#define SHT_NOTE 7

struct phdr {
	u32 type;
	u64 offset, paddr, filesz, memsz;
};

static bool read_phdr(struct span file, unsigned int i, struct phdr *ph)
{
	size_t at = span_u64(file, 32) + (size_t)i * PHDR_SIZE;

	if (at < i * (size_t)PHDR_SIZE || !span_has(file, at, PHDR_SIZE))
		return false;
	ph->type = span_u32(file, at);
	ph->offset = span_u64(file, at + 8);
	ph->paddr = span_u64(file, at + 24);
	ph->filesz = span_u64(file, at + 32);
	ph->memsz = span_u64(file, at + 40);
	return true;
}

static int check_header(struct span file)
{
	static const u8 magic[4] = { 0x7f, 'E', 'L', 'F' };
	u8 ident[6];

	if (file.size < EHDR_SIZE || !span_read(file, 0, ident, sizeof(ident)) ||
	    memcmp(ident, magic, sizeof(magic))) {
		if (file.size > 0x206 && span_u32(file, 0x202) == 0x53726448) /* "HdrS" */
			pr_err("Kernel: is a bzImage; unpack its vmlinux\n");
		else
			pr_err("Kernel: is no ELF file\n");
		return -ENOEXEC;
	}
	if (ident[4] != ELFCLASS64 || ident[5] != ELFDATA2LSB || span_u16(file, 18) != EM_X86_64) {
		pr_err("Kernel: is an ELF file, but not for x86-64\n");
		return -ENOEXEC;
	}
	if (span_u16(file, 54) != PHDR_SIZE || !span_u16(file, 56)) {
		pr_err("Kernel: has no program headers of the right size\n");
		return -EINVAL;
	}
	return 0;
}

static int notes_of_segments(struct span file, struct pv_notes *notes)
{
	unsigned int i, count = span_u16(file, 56);
	struct phdr ph;
	int rc;

	for (i = 0; i < count && read_phdr(file, i, &ph); i++) {
		if (ph.type != PT_NOTE || !ph.offset)
			continue;
		rc = pv_notes_parse(span_sub(file, ph.offset, ph.filesz), notes);
		if (rc)
			return rc;
	}
	return 0;
}

static int notes_of_sections(struct span file, struct pv_notes *notes)
{
	size_t table = span_u64(file, 40);
	unsigned int i, count = span_u16(file, 60);

	for (i = 0; i < count; i++) {
		size_t at = table + (size_t)i * SHDR_SIZE;
		int rc;

		if (at < table || !span_has(file, at, SHDR_SIZE))
			return 0;
		if (span_u32(file, at + 4) != SHT_NOTE)
			continue;
		rc = pv_notes_parse(span_sub(file, span_u64(file, at + 24),
					     span_u64(file, at + 32)),
				    notes);
		if (rc)
			return rc;
	}
	return 0;
}

static bool range_possible(u64 start, u64 end)
{
	if (start > end)
		return false;
	return end <= GUEST_LOW_END || start >= GUEST_HIGH_START;
}

static int add_segment(struct pv_image *image, const struct phdr *ph)
{
	u64 va = ph->paddr - image->notes.paddr_offset + image->notes.virt_base;

	if (image->nr_segments == PV_MAX_SEGMENTS) {
		pr_err("Kernel: has more than %u segments to load\n", PV_MAX_SEGMENTS);
		return -EINVAL;
	}
	if (ph->filesz > ph->memsz || !span_has(image->file, ph->offset, ph->filesz)) {
		pr_err("Kernel: segment at physical address %lx is cut off\n",
		       (unsigned long)ph->paddr);
		return -EINVAL;
	}
	if (va + ph->memsz < va || va < image->notes.virt_base ||
	    !range_possible(va, va + ph->memsz)) {
		pr_err("Kernel: segment [%lx, %lx) is where no kernel can be\n", (unsigned long)va,
		       (unsigned long)(va + ph->memsz));
		return -EINVAL;
	}
	image->segments[image->nr_segments++] =
		(struct pv_segment){ va, ph->offset, ph->filesz, ph->memsz };
	image->start = min(image->start, va);
	image->end = max(image->end, va + ph->memsz);
	return 0;
}

static int read_segments(struct pv_image *image)
{
	unsigned int i, count = span_u16(image->file, 56);
	struct phdr ph;
	int rc;

	image->start = ~0UL;
	for (i = 0; i < count; i++) {
		if (!read_phdr(image->file, i, &ph)) {
			pr_err("Kernel: program header %u is cut off\n", i);
			return -EINVAL;
		}
		if (ph.type != PT_LOAD || !ph.memsz)
			continue;
		rc = add_segment(image, &ph);
		if (rc)
			return rc;
	}
	if (!image->nr_segments) {
		pr_err("Kernel: has nothing to load\n");
		return -EINVAL;
	}
	return 0;
}

static int read_notes(struct span file, struct pv_notes *notes)
{
	int rc = check_header(file);

	if (!rc)
		rc = notes_of_segments(file, notes);
	if (!rc && !notes->any)
		rc = notes_of_sections(file, notes);
	return rc;
}

static int check_entry(const struct pv_image *image)
{
	if (image->entry >= image->start && image->entry < image->end)
		return 0;
	pr_err("Kernel: entry point %lx is outside of [%lx, %lx)\n", (unsigned long)image->entry,
	       (unsigned long)image->start, (unsigned long)image->end);
	return -EINVAL;
}

int pv_image_parse(struct span file, struct pv_image *image)
{
	int rc;

	*image = (struct pv_image){ .file = file };
	rc = read_notes(file, &image->notes);
	if (!rc)
		rc = pv_notes_check(&image->notes);
	if (!rc)
		rc = read_segments(image);
	if (rc)
		return rc;
	image->entry = image->notes.has_entry ? image->notes.entry : span_u64(file, 24);
	return check_entry(image);
}

/* Without a virtual base, segments are at their physical addresses. */
int pvh_image_parse(struct span file, struct pv_image *image)
{
	int rc;

	*image = (struct pv_image){ .file = file };
	rc = read_notes(file, &image->notes);
	if (rc)
		return rc;
	if (!image->notes.has_phys32_entry) {
		pr_err("Kernel: has no Xen ELF note PHYS32_ENTRY, so it cannot start as PVH\n");
		return -ENOEXEC;
	}
	image->notes.virt_base = image->notes.paddr_offset = 0;
	rc = read_segments(image);
	if (rc)
		return rc;
	if (image->end > GiB(4)) {
		pr_err("Kernel: ends at %lx, above 4 GiB\n", (unsigned long)image->end);
		return -EINVAL;
	}
	image->entry = image->notes.phys32_entry;
	return check_entry(image);
}
