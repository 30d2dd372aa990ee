/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ELF notes by which a domain builder recognises a PV kernel (abi page 1.1). */
#include <xen/elfnote.h>

#include "tinypv_layout.h"

.macro xen_note type, data:vararg
	.long	2f - 1f, 4f - 3f, \type
1:	.asciz	"Xen"
2:	.balign	4
3:	\data
4:	.balign	4
.endm

	.section .note.Xen, "a", @note
	xen_note XEN_ELFNOTE_GUEST_OS, .asciz "tiny"
	xen_note XEN_ELFNOTE_GUEST_VERSION, .asciz "1"
	xen_note XEN_ELFNOTE_XEN_VERSION, .asciz "xen-3.0"
	xen_note XEN_ELFNOTE_LOADER, .asciz "generic"
	xen_note XEN_ELFNOTE_FEATURES, .asciz "!writable_page_tables|pae_pgdir_above_4gb"
	xen_note XEN_ELFNOTE_PAE_MODE, .asciz "yes"
	xen_note XEN_ELFNOTE_VIRT_BASE, .quad TINY_VIRT_BASE
	xen_note XEN_ELFNOTE_PADDR_OFFSET, .quad 0
	xen_note XEN_ELFNOTE_ENTRY, .quad tinypv_entry
	xen_note XEN_ELFNOTE_HYPERCALL_PAGE, .quad tinypv_hypercall_page
	xen_note XEN_ELFNOTE_HV_START_LOW, .quad 0xffff800000000000

	.section .note.GNU-stack, "", @progbits
