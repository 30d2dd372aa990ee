/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of the machine needs from the rest of arch/x86. */
#ifndef ASM_POWER_H
#define ASM_POWER_H

#include <tine/types.h>

extern bool x86_stopping; /* a panic wants this CPU to halt at the next NMI */

/* A panic before any console was set up: com1 with its defaults gets the log. */
void x86_console_last_resort(void);

#endif
