/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integer names and the boxed number types.
 *
 * Numbers that must never mix are one-word structs in every build, tests included:
 *   mfn_t   machine frame number: a 4 KiB frame of the machine
 *   gfn_t   guest frame number: a frame in the physical space that a translated (PVH) guest sees
 *   pfn_t   pseudo-physical frame number: a PV guest's own contiguous numbering of its frames
 *   paddr_t machine physical address, in bytes
 *   gva_t   virtual address in a guest, in bytes: never dereferenced, only copied through (tine/guest_access.h)
 * Hypervisor virtual addresses are plain pointers.
 */
#ifndef TINE_TYPES_H
#define TINE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))

/* Defines the boxed type NAME_t with NAME_new(raw), NAME_raw(boxed), _NAME arithmetic and equality. */
#define TINE_BOXED(name)                                                                           \
	typedef struct {                                                                           \
		unsigned long v;                                                                   \
	} name##_t;                                                                                \
	static inline name##_t _##name(unsigned long raw)                                          \
	{                                                                                          \
		return (name##_t){ raw };                                                          \
	}                                                                                          \
	static inline unsigned long name##_x(name##_t n)                                           \
	{                                                                                          \
		return n.v;                                                                        \
	}                                                                                          \
	static inline name##_t name##_add(name##_t n, unsigned long by)                            \
	{                                                                                          \
		return (name##_t){ n.v + by };                                                     \
	}                                                                                          \
	static inline bool name##_eq(name##_t a, name##_t b)                                       \
	{                                                                                          \
		return a.v == b.v;                                                                 \
	}

TINE_BOXED(mfn)
TINE_BOXED(gfn)
TINE_BOXED(pfn)
TINE_BOXED(paddr)
TINE_BOXED(gva)

#define INVALID_MFN ((mfn_t){ ~0UL })
#define INVALID_GFN ((gfn_t){ ~0UL })
#define INVALID_PFN ((pfn_t){ ~0UL })
#define INVALID_PADDR ((paddr_t){ ~0UL })

static inline mfn_t paddr_to_mfn(paddr_t pa)
{
	return _mfn(paddr_x(pa) >> PAGE_SHIFT);
}

static inline paddr_t mfn_to_paddr(mfn_t mfn)
{
	return _paddr(mfn_x(mfn) << PAGE_SHIFT);
}

typedef u16 domid_t; /* as in the Xen ABI: 0..0x7fef real domains, above them reserved names */
typedef u8 nodeid_t; /* NUMA node, 0 .. MAX_NUMA_NODES - 1 */
#define NUMA_NO_NODE ((nodeid_t)0xff)

typedef s64 stime_t; /* nanoseconds of system time, 0 at boot; also differences of it */
#define NSEC_PER_SEC 1000000000LL
#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_USEC 1000LL
#define STIME_MAX INT64_MAX

#endif
