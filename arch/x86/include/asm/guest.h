/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single words of guest memory, in place, for paths that count instructions; tine/guest_access.h has the general form. The
 * addresses are the running guest's; a fault or an address in the hypervisor's range answers false.
 */
#ifndef ASM_GUEST_H
#define ASM_GUEST_H

#include <asm/extable.h>
#include <asm/memory.h>
#include <asm/usercopy.h>
#include <tine/compiler.h>

/* May the guest mean [VA, VA + N)? What is not canonical faults, and is caught there. */
static __always_inline bool guest_range_ok(unsigned long va, size_t n)
{
	return likely(va < HYPERVISOR_VIRT_START - n) || va >= HYPERVISOR_VIRT_END;
}

/* A load that may fault, of any address. */
static __always_inline bool try_load_u64(const u64 *p, u64 *out)
{
	u64 value;

	__asm__ goto("1: mov %1, %0\n" EX_TABLE("1b", "%l[fault]")
		     : "=r"(value)
		     : "m"(*p)
		     :
		     : fault);
	*out = value;
	return true;
fault:
	return false;
}

static __always_inline bool guest_load_u64(unsigned long va, u64 *out)
{
	bool ok;

	if (unlikely(!guest_range_ok(va, 8)))
		return false;
	x86_user_access_begin();
	ok = try_load_u64((const u64 *)va, out);
	x86_user_access_end();
	return ok;
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

/* An entry of a multicall list: its first word is the operation, five arguments follow the result. All or nothing. */
static __always_inline bool guest_load_call(unsigned long va, unsigned long *op,
					    unsigned long args[5])
{
	const unsigned long *e = (const unsigned long *)va;
	unsigned long n, a0, a1, a2, a3, a4;

	if (unlikely(!guest_range_ok(va, 64)))
		return false;
	x86_user_access_begin();
	__asm__ goto("1: mov 0(%6), %0\n"
		     "2: mov 16(%6), %1\n"
		     "3: mov 24(%6), %2\n"
		     "4: mov 32(%6), %3\n"
		     "5: mov 40(%6), %4\n"
		     "6: mov 48(%6), %5\n" EX_TABLE("1b", "%l[fault]") EX_TABLE("2b", "%l[fault]")
			     EX_TABLE("3b", "%l[fault]") EX_TABLE("4b", "%l[fault]")
				     EX_TABLE("5b", "%l[fault]") EX_TABLE("6b", "%l[fault]")
		     : "=&r"(n), "=&r"(a0), "=&r"(a1), "=&r"(a2), "=&r"(a3), "=&r"(a4)
		     : "r"(e)
		     : "memory"
		     : fault);
	x86_user_access_end();
	*op = n;
	args[0] = a0;
	args[1] = a1;
	args[2] = a2;
	args[3] = a3;
	args[4] = a4;
	return true;
fault:
	x86_user_access_end();
	return false;
}

#endif
