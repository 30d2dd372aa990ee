/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of guest memory; tine/guest_access.h has the general form, and here nothing is quicker: a guest's addresses are translated by its own tables and
 * by stage 2. The addresses are the running guest's; what cannot be reached answers false.
 */
#ifndef ASM_GUEST_H
#define ASM_GUEST_H

#include <tine/guest_access.h>

static inline bool guest_load_pair(unsigned long va, u64 *first, u64 *second)
{
	u64 words[2];

	if (copy_from_guest(words, _gva(va), sizeof(words)))
		return false;
	*first = words[0];
	*second = words[1];
	return true;
}

static inline bool guest_store_u64(unsigned long va, u64 value)
{
	return !copy_to_guest(_gva(va), &value, sizeof(value));
}

/* An entry of a multicall list: its first word is the operation, five arguments follow the result. */
static inline bool guest_load_call(unsigned long va, unsigned long *op, unsigned long args[5])
{
	unsigned long words[7];

	if (copy_from_guest(words, _gva(va), sizeof(words)))
		return false;
	*op = words[0];
	for (unsigned int i = 0; i < 5; i++)
		args[i] = words[2 + i];
	return true;
}

#endif
