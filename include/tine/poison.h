/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What no one may touch, told to AddressSanitizer. In builds with it (host tests) an access to a poisoned byte stops
 * the program: structs of sleeping frames and freed small objects. In the image nothing is left of these calls.
 */
#ifndef TINE_POISON_H
#define TINE_POISON_H

#include <tine/types.h>

#if defined(__SANITIZE_ADDRESS__)
#define MEM_POISONING 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_POISONING 1
#endif
#endif

#ifdef MEM_POISONING
void __asan_poison_memory_region(const volatile void *addr, size_t size);
void __asan_unpoison_memory_region(const volatile void *addr, size_t size);
#define mem_poison(addr, size) __asan_poison_memory_region(addr, size)
#define mem_unpoison(addr, size) __asan_unpoison_memory_region(addr, size)
#else
#define MEM_POISONING 0
#define mem_poison(addr, size) ((void)(addr), (void)(size))
#define mem_unpoison(addr, size) ((void)(addr), (void)(size))
#endif

#endif
