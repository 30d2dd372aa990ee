// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copying to and from the PV guest that runs: its page tables are loaded, its pages are accessible
 * in place (opened to the hypervisor for the moment where SMAP closes them), and a fault on the way
 * ends the copy through the exception table. A PVH guest's memory is reached another way.
 */
#include "internal.h"
#include <asm/guest.h>
#include <asm/svm.h>
#include <tine/errno.h>
#include <tine/translated_memory.h>

static int copy(void *dst, const void *src, size_t n)
{
	unsigned long left = n / 8;

	x86_user_access_begin();
	__asm__ volatile("1: rep movsq\n"
			 "mov %[tail], %%rcx\n"
			 "2: rep movsb\n"
			 "3:\n" EX_TABLE("1b", "3b") EX_TABLE("2b", "3b")
			 : "+c"(left), "+D"(dst), "+S"(src)
			 : [tail] "r"(n % 8)
			 : "memory");
	x86_user_access_end();
	return left ? -EFAULT : 0;
}

int copy_from_guest(void *dst, gva_t src, size_t n)
{
	unsigned long va = gva_x(src);

	if (unlikely(this_cpu(guest_translated)))
		return translated_copy_from(current, dst, src, n);
	return guest_range_ok(va, n) ? copy(dst, (const void *)va, n) : -EFAULT;
}

int copy_to_guest(gva_t dst, const void *src, size_t n)
{
	unsigned long va = gva_x(dst);

	if (unlikely(this_cpu(guest_translated)))
		return translated_copy_to(current, dst, src, n);
	return guest_range_ok(va, n) ? copy((void *)va, src, n) : -EFAULT;
}

unsigned int pv_fetch_insn(u8 *bytes, u64 rip)
{
	unsigned int on_page = (unsigned int)(PAGE_SIZE - rip % PAGE_SIZE);
	unsigned int first = min(on_page, (unsigned int)PV_INSN_MAX);

	if (copy_from_guest(bytes, _gva(rip), first))
		return 0;
	if (first < PV_INSN_MAX &&
	    copy_from_guest(bytes + first, _gva(rip + first), PV_INSN_MAX - first))
		return first;
	return PV_INSN_MAX;
}
