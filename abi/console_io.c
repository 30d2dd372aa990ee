// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * console_io: a guest prints, or reads what was typed for it (ABI page 6.3). Any length; long ones
 * let other work in between.
 */
#include <tine/console.h>
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <tine/lib.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include "internal.h"

#define CHUNK 256U

static long console_write(u32 count, gva_t buf)
{
	char chunk[CHUNK];

	while (count) {
		u32 n = min(count, CHUNK);

		if (copy_from_guest(chunk, buf, n))
			return -EFAULT;
		console_guest_write(current->domain, chunk, n);
		count -= n;
		buf = gva_add(buf, n);
		if (count && softirq_waiting())
			return hypercall_continue(__HYPERVISOR_console_io, CONSOLEIO_write, count,
						  gva_x(buf), 0, 0);
	}
	return 0;
}

/* How many bytes were read; fewer than asked for is usual. */
static long console_read(u32 count, gva_t buf)
{
	char chunk[CHUNK];
	size_t n = console_guest_read(current->domain, chunk, min(count, CHUNK));

	if (copy_to_guest(buf, chunk, n))
		return -EFAULT;
	return (long)n;
}

long do_console_io(unsigned long cmd, unsigned long count, unsigned long buf, unsigned long a4,
		   unsigned long a5)
{
	if (!console_guest_allowed(current->domain))
		return -EPERM;
	switch ((u32)cmd) {
	case CONSOLEIO_write:
		return console_write((u32)count, _gva(buf));
	case CONSOLEIO_read:
		return console_read((u32)count, _gva(buf));
	default:
		return hypercall_unknown();
	}
}
