/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fork_op hypercall (tine/fork_op.h) from a process of a Linux guest: Linux hands hypercalls on that root makes through /dev/xen/privcmd, which its module
 * xen-privcmd makes; newer ones only if it was loaded with unrestricted=1. To be included once; nothing else is needed.
 *
 * A process that forks the machine goes on in both. What it wants filled by tine_fork_reset() must be in memory by then: written to since it was
 * allocated, and locked.
 */
#ifndef TINE_FORK_H_FOR_LINUX
#define TINE_FORK_H_FOR_LINUX

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <tine/fork_op.h>

struct tine_privcmd_hypercall {
	uint64_t op, arg[5];
};
#define TINE_PRIVCMD_HYPERCALL _IOC(_IOC_NONE, 'P', 0, sizeof(struct tine_privcmd_hypercall))

static int tine_privcmd = -1;

/* 0, or -1 with errno. */
static inline int tine_fork_open(void)
{
	if (tine_privcmd < 0)
		tine_privcmd = open("/dev/xen/privcmd", O_RDWR | O_CLOEXEC);
	return tine_privcmd < 0 ? -1 : 0;
}

/* The hypercall's result; errors are negative errno values, whose numbers Linux and Xen share. */
static inline long tine_fork_call(uint64_t op, uint64_t a1, uint64_t a2, uint64_t a3)
{
	struct tine_privcmd_hypercall call = { TINE_FORK_HYPERCALL, { op, a1, a2, a3 } };
	int ret = ioctl(tine_privcmd, TINE_PRIVCMD_HYPERCALL, &call);

	return ret < 0 ? -errno : ret;
}

static inline long tine_fork_self(unsigned int flags)
{
	return tine_fork_call(TINE_FORK_self, flags, 0, 0);
}

static inline long tine_fork_reset(long child, const void *input, unsigned long size)
{
	return tine_fork_call(TINE_FORK_reset, (uint64_t)child, (uint64_t)input, size);
}

static inline long tine_fork_destroy(long child)
{
	return tine_fork_call(TINE_FORK_destroy, (uint64_t)child, 0, 0);
}

static inline long tine_fork_wait(long child)
{
	long result;

	do {
		result = tine_fork_call(TINE_FORK_wait, (uint64_t)child, 0, 0);
	} while (result == -EAGAIN);
	return result;
}

/* Does not return, but in what is no fork. */
static inline long tine_fork_exit(unsigned int code)
{
	return tine_fork_call(TINE_FORK_exit, code, 0, 0);
}

#endif
