/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small helpers with no state: arithmetic, container_of, and the two ways to say "this cannot be".
 *
 * BUG_ON() is checked in every build and is for what would corrupt memory if it were let go on. ASSERT() is checked
 * in debug builds. Neither may depend on anything a guest controls: a guest's mistake is an errno or the guest's end.
 */
#ifndef TINE_LIB_H
#define TINE_LIB_H

#include <tine/compiler.h>
#include <tine/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d)-1) / (d))
#define ROUND_UP(n, to) (((n) + (to)-1) & ~((__typeof__(n))(to)-1)) /* TO: a power of two */
#define ROUND_DOWN(n, to) ((n) & ~((__typeof__(n))(to)-1))
#define IS_ALIGNED(n, to) (((n) & ((__typeof__(n))(to)-1)) == 0)
#define BIT(n) (1UL << (n))
#define KiB(n) ((unsigned long)(n) << 10)
#define MiB(n) ((unsigned long)(n) << 20)
#define GiB(n) ((unsigned long)(n) << 30)

#define min(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) a_ = (a);                                                            \
		__typeof__(b) b_ = (b);                                                            \
		a_ < b_ ? a_ : b_;                                                                 \
	})
#define max(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) a_ = (a);                                                            \
		__typeof__(b) b_ = (b);                                                            \
		a_ > b_ ? a_ : b_;                                                                 \
	})

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* Index of the highest/lowest set bit; N must not be 0. */
static inline unsigned int msb(unsigned long n)
{
	return 63 - (unsigned int)__builtin_clzl(n);
}

static inline unsigned int lsb(unsigned long n)
{
	return (unsigned int)__builtin_ctzl(n);
}

/* Prints MESSAGE, the registers and a backtrace, and stops the machine. In lib/panic.c; never returns. */
void panic(const char *fmt, ...) __printf(1, 2) __noreturn;

/* For self-tests of assertions: not NULL: panic() calls it first. It does not return if it takes the panic upon itself. */
extern void (*panic_intercept)(const char *text);

/* The option `noreboot`: whoever would restart the machine halts it instead. In lib/panic.c. */
extern bool opt_noreboot;

#define BUG_ON(cond)                                                                               \
	do {                                                                                       \
		if (unlikely(cond))                                                                \
			panic("BUG at %s:%d: %s", __FILE__, __LINE__, #cond);                      \
	} while (0)

#define ASSERT(cond)                                                                               \
	do {                                                                                       \
		if (IS_ENABLED(CONFIG_DEBUG))                                                      \
			BUG_ON(!(cond));                                                           \
	} while (0)

#endif
