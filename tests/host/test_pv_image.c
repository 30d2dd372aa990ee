// SPDX-License-Identifier: GPL-2.0-or-later
/* PV kernels as files: ELF, notes and the initial address space, good and broken ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <xen/elfnote.h>

#include "../../arch/x86/pv/layout.h"
#include "elf_builder.h"
#include "host_log.h"
#include <tine/errno.h>
#include <tine/lib.h>

#define VIRT_BASE 0xffffffff80000000UL

static struct elf_file file;
static struct pv_image image;

static int parse(size_t size)
{
	host_log_clear();
	return pv_image_parse(span_of(file.bytes, size), &image);
}

static void good(void)
{
	elf_begin(&file);
	elf_note_text(&file, XEN_ELFNOTE_XEN_VERSION, "xen-3.0");
	elf_note_text(&file, XEN_ELFNOTE_LOADER, "generic");
	elf_note_u64(&file, XEN_ELFNOTE_VIRT_BASE, VIRT_BASE);
	elf_note_u64(&file, XEN_ELFNOTE_ENTRY, VIRT_BASE + 0x100020);
}

static void takes_a_good_one(void **state)
{
	good();
	assert_int_equal(parse(ELF_SIZE), 0);
	assert_int_equal(image.nr_segments, 1);
	assert_int_equal(image.segments[0].va, VIRT_BASE + 0x100000);
	assert_int_equal(image.start, VIRT_BASE + 0x100000);
	assert_int_equal(image.end, VIRT_BASE + 0x102000);
	assert_int_equal(image.entry, VIRT_BASE + 0x100020);
	assert_int_equal(host_log_lines(), 0);
}

/* XTF's: no VIRT_BASE, no ENTRY. A number of four bytes is one, too. */
static void takes_defaults(void **state)
{
	uint32_t page = 0x101000;

	elf_begin(&file);
	elf_note_text(&file, XEN_ELFNOTE_XEN_VERSION, "xen-3.0");
	elf_note_text(&file, XEN_ELFNOTE_GUEST_OS, "linux");
	elf_note(&file, XEN_ELFNOTE_HYPERCALL_PAGE, &page, sizeof(page));
	assert_int_equal(parse(ELF_SIZE), 0);
	assert_int_equal(image.entry, 0x100010);
	assert_int_equal(image.segments[0].va, 0x100000);
	assert_true(image.notes.has_hypercall_page);
	assert_int_equal(image.notes.hypercall_page, page);
}

static void takes_notes_of_sections(void **state)
{
	good();
	elf_put(&file, elf_phdr(1), 0, 4); /* no segment of notes */
	elf_put(&file, 40, 3000, 8);
	elf_put(&file, 60, 1, 2);
	elf_put(&file, 3000 + 4, 7, 4);
	elf_put(&file, 3000 + 24, ELF_NOTES, 8);
	elf_put(&file, 3000 + 32, file.notes, 8);
	assert_int_equal(parse(ELF_SIZE), 0);
	assert_int_equal(image.entry, VIRT_BASE + 0x100020);
}

static void refuses(int error, const char *said)
{
	assert_int_equal(parse(ELF_SIZE), error);
	assert_log(said);
	assert_int_equal(host_log_lines(), 1);
}

static void refuses_broken_ones(void **state)
{
	good();
	file.bytes[0] = 0;
	refuses(-ENOEXEC, "is no ELF file");
	good();
	file.bytes[4] = 1;
	refuses(-ENOEXEC, "not for x86-64");
	good();
	elf_put(&file, 54, 32, 2);
	refuses(-EINVAL, "program headers");
	good();
	elf_put(&file, elf_phdr(0) + 32, ELF_SIZE, 8);
	elf_put(&file, elf_phdr(0) + 40, ELF_SIZE, 8);
	refuses(-EINVAL, "is cut off");
	good();
	elf_put(&file, elf_phdr(0) + 40, ~0UL, 8);
	refuses(-EINVAL, "where no kernel can be");
	good();
	elf_put(&file, elf_phdr(0), 0, 4);
	refuses(-EINVAL, "nothing to load");
	good();
	elf_put(&file, 56, 200, 2);
	refuses(-EINVAL, "is cut off");
	elf_begin(&file);
	refuses(-ENOEXEC, "has no Xen ELF notes");
}

static void refuses_bad_notes(void **state)
{
	good();
	elf_put(&file, ELF_NOTES + 4, 5000, 4);
	refuses(-EINVAL, "note at 0 is cut off");
	good();
	elf_note(&file, XEN_ELFNOTE_PADDR_OFFSET, "abc", 3);
	refuses(-EINVAL, "PADDR_OFFSET has 3 bytes");
	good();
	elf_note_u64(&file, XEN_ELFNOTE_ENTRY, VIRT_BASE);
	refuses(-EINVAL, "entry point ffffffff80000000 is outside");
	good();
	elf_note_text(&file, XEN_ELFNOTE_FEATURES, "!writable_page_tables|!supervisor_mode_kernel");
	refuses(-ENOEXEC, "supervisor_mode_kernel");
	good();
	elf_note_text(&file, XEN_ELFNOTE_LOADER, "special");
	refuses(-ENOEXEC, "asks for the loader \"special\"");
	good();
	elf_note_text(&file, XEN_ELFNOTE_XEN_VERSION, "xen-9");
	refuses(-ENOEXEC, "interface \"xen-9\"");
	/* In the hypervisor's range, and over it. */
	good();
	elf_note_u64(&file, XEN_ELFNOTE_VIRT_BASE, 0xffff800000000000);
	refuses(-EINVAL, "where no kernel can be");
}

/* A file may end anywhere: an answer, and no look behind the end (ASan watches). */
static void survives_every_length(void **state)
{
	good();
	for (size_t size = 0; size <= ELF_SIZE; size++) {
		uint8_t *copy = test_malloc(size ? size : 1);

		memcpy(copy, file.bytes, size);
		host_log_clear();
		if (pv_image_parse(span_of(copy, size), &image))
			assert_int_equal(host_log_lines(), 1);
		test_free(copy);
	}
}

static uint64_t tables_needed(const struct pv_layout *l)
{
	return 1UL + l->mapping.of[1] + l->mapping.of[2] + l->mapping.of[3];
}

static void lays_out(void **state)
{
	static const uint64_t pages[] = { 4096, 16384, 131072, 1 << 20 };
	struct pv_layout l;

	good();
	assert_int_equal(parse(ELF_SIZE), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(pages); i++) {
		assert_int_equal(pv_layout_make(&l, &image, 5000, pages[i], i % 2), 0);
		assert_int_equal(l.base, VIRT_BASE);
		assert_int_equal(l.ramdisk, VIRT_BASE + 0x102000);
		assert_int_equal(l.p2m, VIRT_BASE + 0x104000);
		assert_true(l.start_info >= l.p2m + pages[i] * 8);
		assert_int_equal(l.store, i % 2 ? l.start_info + PAGE_SIZE : 0);
		assert_int_equal(l.console, i % 2 ? l.store + PAGE_SIZE : 0);
		assert_int_equal(l.tables, l.start_info + PAGE_SIZE * (i % 2 ? 3 : 1));
		assert_true(tables_needed(&l) <= l.nr_tables);
		assert_true(l.stack_top >= l.tables + (l.nr_tables + 1) * PAGE_SIZE);
		assert_true(IS_ALIGNED(l.end, MiB(4)) && l.end - l.stack_top >= KiB(512));
		/* Each table of level 1 maps 2 MiB, and all of the mapping has one. */
		assert_true(l.mapping.of[1] * MiB(2) >= l.end - l.base);
	}
}

static void refuses_layouts(void **state)
{
	struct pv_layout l;

	good();
	assert_int_equal(parse(ELF_SIZE), 0);
	host_log_clear();
	assert_int_equal(pv_layout_make(&l, &image, 0, 100, false), -EINVAL);
	assert_log("do not fit into the domain's 400 KiB");
	host_log_clear();
	assert_int_equal(pv_layout_make(&l, &image, 0, 600, false), -EINVAL);
	assert_log("The domain needs 4096 KiB to start and has 2400 KiB");
	host_log_clear();
	assert_int_equal(pv_layout_make(&l, &image, 0, GiB(2048) >> PAGE_SHIFT, true), -EINVAL);
	assert_log("do not fit into the address space");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_good_one),
		cmocka_unit_test(takes_defaults),
		cmocka_unit_test(takes_notes_of_sections),
		cmocka_unit_test(refuses_broken_ones),
		cmocka_unit_test(refuses_bad_notes),
		cmocka_unit_test(survives_every_length),
		cmocka_unit_test(lays_out),
		cmocka_unit_test(refuses_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
