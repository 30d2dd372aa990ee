/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error numbers with the values of the Xen ABI (public/errno.h there), so that a negated one can go to a guest as it is. */
#ifndef TINE_ERRNO_H
#define TINE_ERRNO_H

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define EISDIR 21
#define EINVAL 22
#define ENOSPC 28
#define EROFS 30
#define ERANGE 34
#define ENOSYS 38
#define ENOTEMPTY 39
#define ENODATA 61
#define ENOBUFS 105
#define ETIME 62
#define EOVERFLOW 75
#define EILSEQ 84
#define ERESTART 85 /* internal: the operation must pause; becomes a hypercall continuation */
#define EOPNOTSUPP 95
#define EISCONN 106
#define ENOTCONN 107
#define ETIMEDOUT 110

#endif
