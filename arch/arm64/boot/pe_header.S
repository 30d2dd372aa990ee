/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The image as UEFI sees it: a PE32+ application (Microsoft's PE format; UEFI 2.10, 2.1.1) of one section, which is the file behind its first page, and
 * bss. Included by head.S into that first page. UEFI enters at efi_entry (efi_stub.c).
 */
#define MACHINE_ARM64 0xaa64
#define FILE_EXECUTABLE 0x206 /* and without symbols */
#define MAGIC_PE32_PLUS 0x20b
#define SUBSYSTEM_EFI_APPLICATION 10
#define SECTION_CODE_RWX 0xe0000020
#define DIRECTORIES 6

	.balign 8
pe_header:
	.ascii "PE\0\0"
	.short MACHINE_ARM64
	.short 1 /* section */
	.long 0, 0, 0
	.short pe_sections - pe_optional
	.short FILE_EXECUTABLE
pe_optional:
	.short MAGIC_PE32_PLUS
	.byte 0, 0
	.long efi_code_size
	.long 0, 0
	.long efi_entry - image_header
	.long 4096 /* where code begins */
	.quad 0    /* image base: anywhere */
	.long 4096, 512 /* alignment of sections, in memory and in the file */
	.short 0, 0, 0, 0, 0, 0
	.long 0
	.long efi_size
	.long 4096 /* headers */
	.long 0
	.short SUBSYSTEM_EFI_APPLICATION
	.short 0
	.quad 0, 0, 0, 0
	.long 0
	.long DIRECTORIES
	.fill DIRECTORIES, 8, 0
pe_sections:
	.ascii ".text\0\0\0"
	.long efi_size - 4096
	.long 4096
	.long efi_code_size
	.long 4096
	.long 0, 0
	.short 0, 0
	.long SECTION_CODE_RWX

	.balign 4096 /* UEFI copies the headers' page as it is; code begins behind */
