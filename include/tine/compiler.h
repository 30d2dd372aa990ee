/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiler can be told. Everything here is a plain attribute or builtin: code reads the same
 * under GCC and clang, in the image and in host tests.
 */
#ifndef TINE_COMPILER_H
#define TINE_COMPILER_H

#define __must_check __attribute__((warn_unused_result))
#define __noreturn __attribute__((noreturn))
#define __packed __attribute__((packed))
#define __aligned(n) __attribute__((aligned(n)))
#define __section(s) __attribute__((section(s)))
#define __used __attribute__((used))
#define __maybe_unused __attribute__((unused))
#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))
#define __noinline __attribute__((noinline))
#undef __always_inline /* glibc has one too: host tests see both */
#define __always_inline inline __attribute__((always_inline))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() __asm__ volatile("" ::: "memory")

/* One access, not torn, not repeated, not invented: for memory that others write at the same time. */
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
/* A function that looks, once, at words which others write without saying so, and is right whatever it sees: no race to report. */
#define __race_ok __attribute__((no_sanitize("thread")))

/*
 * A Kconfig boolean as a value. The generated header defines every boolean of the Kconfig file to 1 or 0, so a plain
 * `if` picks, both branches are compiled, and a mistyped name does not build.
 */
#define IS_ENABLED(option) (option)

#endif
