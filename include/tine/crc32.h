/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRC-32 of gzip, xz and Ethernet (polynomial 0x04c11db7, bits reflected), over pieces one
 * after the other.
 */
#ifndef TINE_CRC32_H
#define TINE_CRC32_H

#include <tine/types.h>

#define CRC32_POLYNOMIAL 0xedb88320U /* reflected: bit 31 is x^0 */
#define CRC32_START 0xffffffffU

/*
 * STATE after N more bytes at DATA. Begins with CRC32_START; the sum is the complement of what it
 * ends with.
 */
u32 crc32_update(u32 state, const void *data, size_t n);

#endif
