/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arm64 guest: linked at 0, to be loaded anywhere. From .bss on there is nothing in the file. */
#include "tinyarm_layout.h"

OUTPUT_FORMAT("elf64-littleaarch64")
ENTRY(tinyarm_image)

SECTIONS {
	. = 0;
	.text : { *(.text.entry) *(.text .text.*) }
	.rodata : {
		*(.rodata .rodata.*)
		. = ALIGN(8);
	}
	.rela : {
		tinyarm_rela_start = .;
		*(.rela .rela.*)
		tinyarm_rela_end = .;
	}
	.data : {
		*(.data .data.*)
		. = ALIGN(16);
		tiny_tests_start = .;
		KEEP(*(.tiny_tests))
		tiny_tests_end = .;
		. = ALIGN(4096);
	}
	.bss : {
		tinyarm_bss = .;
		*(.bss .bss.* COMMON)
		. = ALIGN(4096);
		tinyarm_arena_start = .;
		. += TINYARM_ARENA;
		tinyarm_end = .;
	}
	/DISCARD/ : { *(.comment) *(.eh_frame) *(.note.*) *(.dynsym) *(.dynstr) *(.hash) *(.gnu.hash) *(.interp) }
}
