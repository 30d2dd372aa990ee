/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For builds with the thread sanitizer, which takes volatile accesses for races: what they stand for, said its way. */
#ifndef TSAN_ONCE_H
#define TSAN_ONCE_H

#include <tine/compiler.h>

#undef READ_ONCE
#undef WRITE_ONCE
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)

#endif
