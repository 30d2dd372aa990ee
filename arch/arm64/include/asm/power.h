/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of the machine needs from the rest of arch/arm64. */
#ifndef ASM_POWER_H
#define ASM_POWER_H

#include <tine/types.h>

extern bool arm64_stopping; /* a panic wants this CPU to halt at SGI_STOP */
bool arm64_stop_handler(u32 intid);

#endif
