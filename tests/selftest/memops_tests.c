// SPDX-License-Identifier: GPL-2.0-or-later
/* memcpy and its kin, which each architecture has of its own. */
#include <tine/selftest.h>
#include <tine/string.h>

/* Sizes and distances around what they do at once. */
SELFTEST(library, memory_functions)
{
	static u8 a[1200], b[1200];

	for (unsigned int size = 0; size < 600; size += size < 80 ? 1 : 13) {
		for (unsigned int at = 0; at < 17; at += 3) {
			for (unsigned int i = 0; i < sizeof(a); i++)
				a[i] = b[i] = (u8)(i * 7 + 1);
			memset(a + at, 0, size);
			for (unsigned int i = 0; i < sizeof(a); i++)
				EXPECT(a[i] == (i >= at && i < at + size ? 0 : b[i]));
			memcpy(a, b, sizeof(a));
			memmove(a + at, a + 8, size);
			for (unsigned int i = 0; i < size; i++)
				EXPECT(a[at + i] == b[8 + i]);
			EXPECT(a[at + size] == b[at + size]);
		}
	}
}
