/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One loadable segment, linked high and loaded at 1 MiB of guest memory, and the notes. */
#include "tinypv_layout.h"

OUTPUT_FORMAT("elf64-x86-64")
ENTRY(tinypv_entry)

PHDRS {
	image PT_LOAD FLAGS(7);
	notes PT_NOTE FLAGS(4);
}

SECTIONS {
	. = TINY_VIRT_BASE + TINY_LOAD_OFFSET;
	.text : AT(ADDR(.text) - TINY_VIRT_BASE) {
		*(.text.entry)
		*(.text .text.*)
		. = ALIGN(4096);
		*(.text.pages)
	} :image
	.rodata : AT(ADDR(.rodata) - TINY_VIRT_BASE) {
		*(.rodata .rodata.*)
		. = ALIGN(16);
		tiny_tests_start = .;
		KEEP(*(.tiny_tests))
		tiny_tests_end = .;
		tiny_extable_start = .;
		KEEP(*(.tiny_extable))
		tiny_extable_end = .;
	} :image
	.note.Xen : AT(ADDR(.note.Xen) - TINY_VIRT_BASE) {
		KEEP(*(.note.Xen))
	} :image :notes
	.data : AT(ADDR(.data) - TINY_VIRT_BASE) {
		*(.data .data.*)
	} :image
	.bss : AT(ADDR(.bss) - TINY_VIRT_BASE) {
		*(.bss .bss.* COMMON)
		. = ALIGN(4096);
		tiny_arena_start = .;
		. += TINY_ARENA_SIZE;
		tiny_arena_end = .;
	} :image
	/DISCARD/ : { *(.comment) *(.eh_frame) *(.note.gnu.*) *(.note.GNU-stack) }
}
