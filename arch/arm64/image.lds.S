/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of the image: regions of whole pages with one permission each (text RX, rodata R, data and bss RW). Linked at IMAGE_VIRT_START; loaded at
 * any multiple of 2 MiB, as the Image header allows. The size in the header is whole 2 MiB, so that the blocks that the boot tables map hold nothing
 * else.
 */
#include <asm/memory.h>

OUTPUT_FORMAT("elf64-littleaarch64")
ENTRY(image_header)

PHDRS
{
	text PT_LOAD FLAGS(5);
	rodata PT_LOAD FLAGS(4);
	data PT_LOAD FLAGS(6);
}

SECTIONS
{
	. = IMAGE_VIRT_START;
	image_start = .;

	.text : {
		KEEP(*(.text.head))
		text_start = .;
		*(.text .text.*)
		text_end = .;
	} :text

	. = ALIGN(4096);
	rodata_start = .;
	.note : {
		build_id_note_start = .;
		*(.note.gnu.build-id)
		build_id_note_end = .;
	} :rodata

	.rodata : {
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
		*(.rodata .rodata.* .data.rel.ro .data.rel.ro.* .got .got.*)
		KEEP(*(.rodata.symbols)) /* last: its size differs between the two links */
	} :rodata
	. = ALIGN(4096);
	rodata_end = .;

	.data : {
		*(.data .data.*)
		. = ALIGN(128);
		percpu_start = .;
		*(.percpu)
		. = ALIGN(64);
		percpu_end = .;
		. = ALIGN(4096);
		data_end = .; /* of the file */
	} :data

	.bss : {
		. = ALIGN(4096);
		boot_tables = .;
		*(.bss.boot_tables)
		. = ALIGN(4096);
		bss_start = .; /* cleared by head.S */
		*(.bss.stack)
		*(.bss .bss.* COMMON)
		. = ALIGN(64);
		percpu_template = .; /* percpu.c keeps the initial values here for other CPUs */
		. += percpu_end - percpu_start;
		. = ALIGN(4096);
	} :data
	image_end = .;
	efi_code_size = data_end - image_start - 4096; /* behind the page of the headers */
	efi_size = image_end - image_start;
	image_size = ALIGN(image_end - image_start, 0x200000);

	/DISCARD/ : {
		*(.comment .eh_frame .note.GNU-stack .note.gnu.property .interp .dynamic)
	}

	ASSERT(image_end - image_start < 0x2000000, "the image is to stay below 32 MiB")
}
