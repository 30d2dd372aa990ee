/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing the memory of the guest that runs. A PV guest's addresses are checked to lie outside the
 * hypervisor's range and accessed in place, faults caught; a bad one is -EFAULT, with part of the range perhaps done.
 */
#ifndef TINE_GUEST_ACCESS_H
#define TINE_GUEST_ACCESS_H

#include <tine/compiler.h>
#include <tine/types.h>

int copy_from_guest(void *dst, gva_t src, size_t n) __must_check;
int copy_to_guest(gva_t dst, const void *src, size_t n) __must_check;

#endif
