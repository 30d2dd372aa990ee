/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The console as people use it: guest output with its domain's prefix "(dN) " on each line, input
 * switched by Ctrl-A three times between the hypervisor and the domains, debug keys, and the
 * command line behind ':'.
 */
#ifndef TINE_CONSOLE_H
#define TINE_CONSOLE_H

#include <tine/compiler.h>
#include <tine/types.h>

struct domain;

/*
 * Output of a guest (console_io write). The initial domain's is shown at once and as it is. Others'
 * comes in whole lines, or after a moment, and what a terminal could take for a command becomes '?'
 * unless the domain has the input.
 */
void console_guest_write(struct domain *d, const char *text, size_t len);
/* Shows what waits for its newline, and ends the line. */
void console_guest_flush(struct domain *d);
/* May D print at all? The initial domain always, others as guest_loglvl= has it. */
bool console_guest_allowed(const struct domain *d);

/* Up to SIZE bytes typed for D, taken out of its buffer (console_io read). */
size_t console_guest_read(struct domain *d, char *buf, size_t size);

/*
 * The console ring (public/io/console.h) of a domain without a control domain: FRAME is the
 * domain's page for it, *PORT becomes the event channel for it. -EINVAL, -ENOMEM, -ENOSPC. Once a
 * domain.
 */
int console_ring_connect(struct domain *d, unsigned long frame, u32 *port) __must_check;
/* Prints what the ring holds: for guests that fill it and wait without an event. */
void console_ring_poll(struct domain *d);

/* A byte from the serial line; in interrupt context. Lost where there is no room: a driver that can leave it in the device asks first. */
void console_input(char c);
bool console_input_room(void);

#endif
