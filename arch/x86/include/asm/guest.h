/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of guest memory, in place, for paths that count instructions; tine/guest_access.h has the
 * general form. The addresses are the running guest's; a fault or an address in the hypervisor's
 * range answers false.
 *
 * Loads are plain asm with a flag, not asm goto with outputs: GCC 12 misplaces the copies of those
 * (its bug 113921).
 */
#ifndef ASM_GUEST_H
#define ASM_GUEST_H

#include <asm/extable.h>
#include <asm/memory.h>
#include <asm/usercopy.h>
#include <tine/compiler.h>

/* Bits above 47 are copies of it: what registers for addresses take. */
static __always_inline bool address_canonical(u64 address)
{
	return ((s64)(address << 16) >> 16) == (s64)address;
}

/* May the guest mean [VA, VA + N)? What is not canonical faults, and is caught there. */
static __always_inline bool guest_range_ok(unsigned long va, size_t n)
{
	return likely(va < HYPERVISOR_VIRT_START - n) || va >= HYPERVISOR_VIRT_END;
}

/* The word at any address; 0 where there is none. */
static __always_inline u64 load_or_zero(const u64 *p)
{
	u64 value;

	__asm__ volatile("1: mov %1, %0\n"
			 "2:\n"
			 ".pushsection .text.fixup, \"ax\"\n"
			 "3: xor %k0, %k0\n"
			 "jmp 2b\n"
			 ".popsection\n" EX_TABLE("1b", "3b")
			 : "=r"(value)
			 : "m"(*p));
	return value;
}

/* Two words in a row. */
static __always_inline bool guest_load_pair(unsigned long va, u64 *first, u64 *second)
{
	bool bad = false;

	if (unlikely(!guest_range_ok(va, 16)))
		return false;
	x86_user_access_begin();
	__asm__ volatile("1: mov 0(%3), %0\n"
			 "2: mov 8(%3), %1\n"
			 "3:\n"
			 ".pushsection .text.fixup, \"ax\"\n"
			 "4: mov $1, %k2\n"
			 "jmp 3b\n"
			 ".popsection\n" EX_TABLE("1b", "4b") EX_TABLE("2b", "4b")
			 : "=&r"(*first), "=&r"(*second), "+r"(bad)
			 : "r"(va)
			 : "memory");
	x86_user_access_end();
	return likely(!bad);
}

static __always_inline bool guest_store_u64(unsigned long va, u64 value)
{
	if (unlikely(!guest_range_ok(va, 8)))
		return false;
	x86_user_access_begin();
	__asm__ goto("1: mov %1, %0\n" EX_TABLE("1b", "%l[fault]")
		     :
		     : "m"(*(u64 *)va), "r"(value)
		     : "memory"
		     : fault);
	x86_user_access_end();
	return true;
fault:
	x86_user_access_end();
	return false;
}

/*
 * An entry of a multicall list: its first word is the operation, five arguments follow the result.
 */
static __always_inline bool guest_load_call(unsigned long va, unsigned long *op,
					    unsigned long args[5])
{
	bool bad = false;

	if (unlikely(!guest_range_ok(va, 64)))
		return false;
	x86_user_access_begin();
	__asm__ volatile("1: mov 0(%7), %0\n"
			 "2: mov 16(%7), %1\n"
			 "3: mov 24(%7), %2\n"
			 "4: mov 32(%7), %3\n"
			 "5: mov 40(%7), %4\n"
			 "6: mov 48(%7), %5\n"
			 "7:\n"
			 ".pushsection .text.fixup, \"ax\"\n"
			 "8: mov $1, %k6\n"
			 "jmp 7b\n"
			 ".popsection\n" EX_TABLE("1b", "8b") EX_TABLE("2b", "8b")
				 EX_TABLE("3b", "8b") EX_TABLE("4b", "8b") EX_TABLE("5b", "8b")
					 EX_TABLE("6b", "8b")
			 : "=&r"(*op), "=&r"(args[0]), "=&r"(args[1]), "=&r"(args[2]),
			   "=&r"(args[3]), "=&r"(args[4]), "+r"(bad)
			 : "r"(va)
			 : "memory");
	x86_user_access_end();
	return likely(!bad);
}

#endif
