/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypercall by which a guest that may (fork=1 in its configuration) forks itself and looks after its forks: Tine's own, with a number from
 * those that the ABI leaves to architectures. All arguments are plain words, so a guest needs no structure of its; this header is for guests,
 * too, and includes nothing. Results below 0 are errors with the ABI's numbers.
 *
 * A fork has a parent, the domain that forked, and is looked after by it alone. When it ends, in whatever way, it stops and stays until
 * its parent resets or destroys it, or ends. Forks may fork.
 */
#ifndef TINE_FORK_OP_H
#define TINE_FORK_OP_H

#define TINE_FORK_HYPERCALL 55 /* __HYPERVISOR_arch_7 */

/*
 * self(flags): returns twice, as fork(2): the child's number in the parent, 0 in the child. With TINE_FORK_WAITS the child stays where it is until
 * its parent resets it. -EPERM: the guest may not; -EOPNOTSUPP: guests of its kind cannot, or
 * the call is one of a multicall; -EBUSY: another vCPU is at it; -ENOMEM.
 */
#define TINE_FORK_self 0
#define TINE_FORK_WAITS 1

/*
 * reset(id, address, size): the child is once more where it began, and runs on from there; its fork returns 0 again. SIZE bytes at
 * ADDRESS (at most TINE_FORK_INPUT_MAX, 0: none) are copied from the caller's memory to the same virtual address of the child's, as its page tables
 * have it: that is its input. Forks that it made are destroyed. -ESRCH: no child of the caller's; -EBUSY: others use frames of the child's by grants; -EFAULT: the child has not run. -EINVAL: SIZE is too large.
 */
#define TINE_FORK_reset 1
#define TINE_FORK_INPUT_MAX 65536

/* destroy(id): the child ends, and is no more. -ESRCH */
#define TINE_FORK_destroy 2

/*
 * wait(id): how the child ended: TINE_FORK_CODE() is what it said by exit, TINE_FORK_REASON() the reason of its shutdown (SHUTDOWN_* of the public
 * sched.h). -EAGAIN: it has not yet. Then the vCPU has slept, until the child's end or any event of its own: call again. -ESRCH
 */
#define TINE_FORK_wait 3
#define TINE_FORK_CODE(result) ((result)&0xff)
#define TINE_FORK_REASON(result) ((result) >> 8)

/* exit(code): ends the domain, a fork, with that code (0 to 255). Its parent finds it by wait. -EPERM: the domain is no such fork. */
#define TINE_FORK_exit 4

#endif
