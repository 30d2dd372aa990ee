// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fills STAC and CLAC into their places (asm/usercopy.h), once, on CPU 0, before the image's text
 * becomes read-only.
 */
#include <asm/usercopy.h>
#include <tine/string.h>

struct smap_place {
	s32 distance; /* from this word to the place */
	u32 kind;     /* SMAP_STAC, SMAP_CLAC */
};

extern const struct smap_place smap_patch_start[], smap_patch_end[];

void x86_smap_patch(void)
{
	static const u8 code[][3] = { { 0x0f, 0x01, 0xcb }, { 0x0f, 0x01, 0xca } };

	for (const struct smap_place *p = smap_patch_start; p < smap_patch_end; p++) {
		uintptr_t at = (uintptr_t)&p->distance + (uintptr_t)(long)p->distance;

		memcpy((void *)at, code[p->kind], sizeof(code[0]));
	}
}
