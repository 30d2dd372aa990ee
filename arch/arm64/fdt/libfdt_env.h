/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libfdt's header asks of its surroundings, for the image: integers that are stored big-endian, and string functions. */
#ifndef LIBFDT_ENV_H
#define LIBFDT_ENV_H

#include <tine/string.h>
#include <tine/types.h>

#define FDT_BITWISE
#define INT_MAX __INT_MAX__
#define UINT_MAX (2U * __INT_MAX__ + 1U)

typedef u16 fdt16_t;
typedef u32 fdt32_t;
typedef u64 fdt64_t;

static inline u16 fdt16_to_cpu(fdt16_t n)
{
	return __builtin_bswap16(n);
}

static inline u32 fdt32_to_cpu(fdt32_t n)
{
	return __builtin_bswap32(n);
}

static inline u64 fdt64_to_cpu(fdt64_t n)
{
	return __builtin_bswap64(n);
}

#define cpu_to_fdt16(n) fdt16_to_cpu(n)
#define cpu_to_fdt32(n) fdt32_to_cpu(n)
#define cpu_to_fdt64(n) fdt64_to_cpu(n)

#endif
