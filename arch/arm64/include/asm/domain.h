/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A domain on arm64. */
#ifndef ASM_DOMAIN_H
#define ASM_DOMAIN_H

#include <asm/guest_domain.h> /* struct arch_domain */

#endif
