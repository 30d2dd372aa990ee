/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening guest pages to the hypervisor where SMAP closes them (Intel SDM vol. 3, 4.6): STAC and
 * CLAC in places that start as no-ops and are filled in at boot when SMAP is used, since the
 * instructions do not exist on older CPUs.
 */
#ifndef ASM_USERCOPY_H
#define ASM_USERCOPY_H

#define SMAP_STAC 0
#define SMAP_CLAC 1

#ifdef __ASSEMBLER__
/* clang-format off */
	.macro SMAP_PATCH kind
.Lsmap_\@:
	.byte 0x0f, 0x1f, 0x00
	.pushsection .smap_patch, "a"
	.balign 4
	.long .Lsmap_\@ - .
	.long \kind
	.popsection
	.endm
/* clang-format on */
#else

#include <tine/types.h>

#define SMAP_PATCH(kind)                                                                           \
	"661: .byte 0x0f, 0x1f, 0x00\n\t"                                                          \
	".pushsection .smap_patch, \"a\"\n\t"                                                      \
	".balign 4\n\t"                                                                            \
	".long 661b - .\n\t"                                                                       \
	".long " kind "\n\t"                                                                       \
	".popsection\n\t"

/*
 * Between the two, reads and writes of pages with U/S set do not fault for that reason. No call in
 * between.
 */
static inline void x86_user_access_begin(void)
{
	__asm__ volatile(SMAP_PATCH("0") : : : "memory", "cc");
}

static inline void x86_user_access_end(void)
{
	__asm__ volatile(SMAP_PATCH("1") : : : "memory", "cc");
}

void x86_smap_patch(void); /* fills the places in; while text can still be written */

#endif
#endif
