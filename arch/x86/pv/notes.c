// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ELF notes by which a PV kernel says how it wants to be started. A note is a header of three words (length of owner's
 * name, length of contents, type), the name and the contents, each padded to 4 bytes.
 */
#include "image.h"
#include <tine/compiler.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <xen/elfnote.h>

#define NOTE_HEADER 12

/* A number may be 4 or 8 bytes. */
static int note_number(struct span desc, const char *what, u64 *out, bool *has)
{
	if (desc.size != 4 && desc.size != 8) {
		pr_err("Kernel: note %s has %zu bytes, not 4 or 8\n", what, desc.size);
		return -EINVAL;
	}
	*out = span_le(desc, 0, desc.size);
	*has = true;
	return 0;
}

/* What is longer is cut; what could garble the log becomes '?'. */
static void note_text(struct span desc, char *out, size_t size)
{
	(void)span_text(desc, 0, out, size);
	for (; *out; out++) {
		if (*out < ' ' || *out > '~')
			*out = '?';
	}
}

/* "name|!name|...": those with '!' must be offered. All that a 64-bit kernel may ask for here needs no offering. */
static int note_features(struct span desc)
{
	static const char refused[] = "!supervisor_mode_kernel",
			  translated[] = "!auto_translated_physmap";
	char text[256];

	note_text(desc, text, sizeof(text));
	for (char *at = text; at; at = strchr(at, '|')) {
		if (*at == '|')
			at++;
		if (!strncmp(at, refused, sizeof(refused) - 1) ||
		    !strncmp(at, translated, sizeof(translated) - 1)) {
			pr_err("Kernel: requires a feature that PV guests do not have here: "
			       "\"%s\"\n",
			       text);
			return -ENOEXEC;
		}
	}
	return 0;
}

static int note_one(u32 type, struct span desc, struct pv_notes *notes)
{
	notes->any = true;
	switch (type) {
	case XEN_ELFNOTE_ENTRY:
		return note_number(desc, "ENTRY", &notes->entry, &notes->has_entry);
	case XEN_ELFNOTE_HYPERCALL_PAGE:
		return note_number(desc, "HYPERCALL_PAGE", &notes->hypercall_page,
				   &notes->has_hypercall_page);
	case XEN_ELFNOTE_VIRT_BASE:
		return note_number(desc, "VIRT_BASE", &notes->virt_base, &notes->has_virt_base);
	case XEN_ELFNOTE_PADDR_OFFSET:
		return note_number(desc, "PADDR_OFFSET", &notes->paddr_offset,
				   &notes->has_paddr_offset);
	case XEN_ELFNOTE_INIT_P2M:
		return note_number(desc, "INIT_P2M", &notes->init_p2m, &notes->has_init_p2m);
	case XEN_ELFNOTE_MOD_START_PFN:
		return note_number(desc, "MOD_START_PFN", &notes->mod_start_pfn,
				   &notes->has_mod_start_pfn);
	case XEN_ELFNOTE_PHYS32_ENTRY:
		return note_number(desc, "PHYS32_ENTRY", &notes->phys32_entry,
				   &notes->has_phys32_entry);
	case XEN_ELFNOTE_XEN_VERSION:
		note_text(desc, notes->version, sizeof(notes->version));
		return 0;
	case XEN_ELFNOTE_LOADER:
		note_text(desc, notes->loader, sizeof(notes->loader));
		return 0;
	case XEN_ELFNOTE_GUEST_OS:
		note_text(desc, notes->guest_os, sizeof(notes->guest_os));
		return 0;
	case XEN_ELFNOTE_FEATURES:
		return note_features(desc);
	default:
		return 0; /* informative, or for other kinds of start */
	}
}

int pv_notes_parse(struct span bytes, struct pv_notes *notes)
{
	size_t at = 0;

	while (at + NOTE_HEADER <= bytes.size) {
		size_t name_len = span_u32(bytes, at), desc_len = span_u32(bytes, at + 4);
		u32 type = span_u32(bytes, at + 8);
		size_t name = at + NOTE_HEADER, desc = name + ROUND_UP(name_len, 4UL);
		char owner[4];
		int rc;

		if (!span_has(bytes, name, name_len) || !span_has(bytes, desc, desc_len)) {
			pr_err("Kernel: ELF note at %zu is cut off\n", at);
			return -EINVAL;
		}
		if (name_len == sizeof(owner) && span_read(bytes, name, owner, sizeof(owner)) &&
		    !memcmp(owner, "Xen", sizeof(owner))) {
			rc = note_one(type, span_sub(bytes, desc, desc_len), notes);
			if (rc)
				return rc;
		}
		at = desc + ROUND_UP(desc_len, 4UL);
	}
	return 0;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

int pv_notes_check(const struct pv_notes *notes)
{
	if (!notes->any) {
		pr_err("Kernel: has no Xen ELF notes, so it is not one for PV guests\n");
		return -ENOEXEC;
	}
	if (!begins(notes->version, "xen-3.0")) {
		pr_err("Kernel: is for the interface \"%s\", not \"xen-3.0\"\n", notes->version);
		return -ENOEXEC;
	}
	if (!begins(notes->loader, "generic") && !begins(notes->guest_os, "linux")) {
		pr_err("Kernel: asks for the loader \"%s\", not \"generic\"\n", notes->loader);
		return -ENOEXEC;
	}
	if (notes->has_paddr_offset && !notes->has_virt_base) {
		pr_err("Kernel: note PADDR_OFFSET without VIRT_BASE\n");
		return -EINVAL;
	}
	return 0;
}
