/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PVH guest: one loadable segment at 1 MiB, addresses as they are in physical memory, and the notes. */
OUTPUT_FORMAT("elf64-x86-64")
ENTRY(tinypvh_entry)

PHDRS {
	image PT_LOAD FLAGS(7);
	notes PT_NOTE FLAGS(4);
}

SECTIONS {
	. = 0x100000;
	.text : { *(.text.entry) *(.text .text.*) } :image
	.rodata : {
		*(.rodata .rodata.*)
		. = ALIGN(16);
		tiny_tests_start = .;
		KEEP(*(.tiny_tests))
		tiny_tests_end = .;
	} :image
	.note.Xen : { KEEP(*(.note.Xen)) } :image :notes
	.data : { *(.data .data.*) } :image
	.bss : { *(.bss .bss.* COMMON) } :image
	/DISCARD/ : { *(.comment) *(.eh_frame) *(.note.gnu.*) *(.note.GNU-stack) }
}
