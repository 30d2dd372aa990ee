/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of the image: four regions of whole pages with one permission each (text RX, rodata R,
 * data and bss RW), so that the final page tables are W^X. Linked at IMAGE_VIRT_START, loaded at
 * IMAGE_LOAD_PADDR or wherever GRUB moves it.
 */
#include <asm/memory.h>
#include <asm/start_protocol.h>

OUTPUT_FORMAT("elf64-x86-64")
ENTRY(multiboot2_entry)

PHDRS
{
	text PT_LOAD FLAGS(5);
	rodata PT_LOAD FLAGS(4);
	data PT_LOAD FLAGS(6);
	note PT_NOTE FLAGS(4);
}

SECTIONS
{
	. = IMAGE_VIRT_START;
	image_start = .;

	.text : AT(ADDR(.text) - IMAGE_VIRT_START + IMAGE_LOAD_PADDR) {
		text_start = .;
		KEEP(*(.text.head)) /* the multiboot2 header within the file's first 32 KiB */
		*(.text .text.*)
		text_end = .;
	} :text

	. = ALIGN(4096);
	rodata_start = .;
	.note : AT(ADDR(.note) - IMAGE_VIRT_START + IMAGE_LOAD_PADDR) {
		KEEP(*(.note.pvh))
		build_id_note_start = .;
		*(.note.gnu.build-id)
		build_id_note_end = .;
	} :rodata :note

	.rodata : AT(ADDR(.rodata) - IMAGE_VIRT_START + IMAGE_LOAD_PADDR) {
		. = ALIGN(8);
		__start_cmdline_options = .;
		KEEP(*(cmdline_options))
		__stop_cmdline_options = .;
		. = ALIGN(8);
		__start_selftests = .;
		KEEP(*(selftests))
		__stop_selftests = .;
		. = ALIGN(4);
		ex_table_start = .;
		KEEP(*(.ex_table))
		ex_table_end = .;
		smap_patch_start = .;
		KEEP(*(.smap_patch))
		smap_patch_end = .;
		*(.rodata .rodata.* .data.rel.ro .data.rel.ro.* .data.rel.ro.local.* .got .got.*)
		KEEP(*(.rodata.symbols)) /* last: its size differs between the two links */
	} :rodata
	. = ALIGN(4096);
	rodata_end = .;

	.data : AT(ADDR(.data) - IMAGE_VIRT_START + IMAGE_LOAD_PADDR) {
		*(.data.boot_tables)
		*(.data .data.*)
		. = ALIGN(128);
		percpu_start = .;
		*(.percpu)
		. = ALIGN(64);
		percpu_end = .;
	} :data

	.bss : AT(ADDR(.bss) - IMAGE_VIRT_START + IMAGE_LOAD_PADDR) {
		*(.bss.stack)
		*(.bss .bss.*)
		. = ALIGN(64);
		percpu_template = .; /* percpu.c keeps the initial values here for other CPUs */
		. += percpu_end - percpu_start;
		. = ALIGN(4096);
	} :data
	image_end = .;

	/DISCARD/ : {
		*(.comment .eh_frame .note.GNU-stack .note.gnu.property)
	}

	ASSERT(image_end - image_start < 0x2000000, "the image is to stay below 32 MiB")
}
