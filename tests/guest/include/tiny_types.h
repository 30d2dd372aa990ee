/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words every file of the tiny guest uses: fixed-width integers, boxed frame numbers,
 * attributes.
 */
#ifndef TINY_TYPES_H
#define TINY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE (1ul << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define __must_check __attribute__((warn_unused_result))
#define __noreturn __attribute__((noreturn))
#define __page_aligned __attribute__((aligned(4096)))
#define __maybe_unused __attribute__((unused))

/*
 * A machine frame (what page-table entries hold) and a frame as the guest numbers its own memory.
 */
typedef struct {
	uint64_t n;
} mfn_t;
typedef struct {
	uint64_t n;
} pfn_t;

static inline mfn_t mfn(uint64_t n)
{
	return (mfn_t){ n };
}

static inline pfn_t pfn(uint64_t n)
{
	return (pfn_t){ n };
}

#endif
