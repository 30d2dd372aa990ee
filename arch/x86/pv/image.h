/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PV kernel as its ELF file and Xen notes describe it. Parsers over untrusted bytes: they read
 * only inside the span, say in one line what is wrong, and are compiled for host tests as well.
 */
#ifndef PV_IMAGE_H
#define PV_IMAGE_H

#include <tine/span.h>
#include <tine/types.h>

/*
 * Where a kernel may be: either canonical half, but not the hypervisor's range at the start of the
 * upper one.
 */
#define GUEST_LOW_END 0x0000800000000000UL
#define GUEST_HIGH_START 0xffff880000000000UL

#define PV_NAME_MAX 16

/* The notes of owner "Xen" that matter here; see public/elfnote.h. */
struct pv_notes {
	bool any; /* there was at least one */
	bool has_entry, has_virt_base, has_paddr_offset, has_hypercall_page, has_init_p2m;
	u64 entry, virt_base, paddr_offset, hypercall_page, init_p2m;
	bool has_mod_start_pfn, has_phys32_entry;
	u64 phys32_entry;  /* where a PVH guest starts, physical */
	u64 mod_start_pfn; /* not 0: the ramdisk need not be mapped */
	char version[PV_NAME_MAX], loader[PV_NAME_MAX], guest_os[PV_NAME_MAX];
};

/*
 * Adds the notes of one segment or section to NOTES. -EINVAL after a line: one is cut off, or has a
 * wrong size.
 */
int pv_notes_parse(struct span bytes, struct pv_notes *notes) __must_check;

/*
 * Can a kernel with these notes run here? -EINVAL or -ENOEXEC after a line that says what it asks
 * for.
 */
int pv_notes_check(const struct pv_notes *notes) __must_check;

#define PV_MAX_SEGMENTS 16

struct pv_segment {
	u64 va; /* where the guest finds it */
	u64 offset, filesz, memsz;
};

struct pv_image {
	struct span file;
	struct pv_notes notes;
	unsigned int nr_segments;
	struct pv_segment segments[PV_MAX_SEGMENTS];
	u64 start, end; /* virtual addresses of the whole, [start, end) */
	u64 entry;
};

/*
 * Reads FILE, an ELF64 kernel. -ENOEXEC: no such thing; -EINVAL: one, but with impossible contents.
 * After a line.
 */
int pv_image_parse(struct span file, struct pv_image *image) __must_check;

/* The same for a start as PVH: all addresses in *IMAGE are physical, below 4 GiB. */
int pvh_image_parse(struct span file, struct pv_image *image) __must_check;

#endif
