/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The console as people use it: guest output line by line with its domain's prefix "(dN) ", input switched by Ctrl-A
 * three times between the hypervisor and the domains, debug keys, and the command line behind ':'.
 */
#ifndef TINE_CONSOLE_H
#define TINE_CONSOLE_H

#include <tine/types.h>

struct domain;

/* Output of a guest (console_io write). Buffered to whole lines per domain; non-printing bytes but \t and \n become '?'. */
void console_guest_write(struct domain *d, const char *text, size_t len);
void console_guest_flush(struct domain *d); /* what waits for its newline */

/* Up to SIZE bytes typed for D, taken out of its buffer (console_io read). */
size_t console_guest_read(struct domain *d, char *buf, size_t size);

/* A byte from the serial line; in interrupt context. */
void console_input(char c);

#endif
