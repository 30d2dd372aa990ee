// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any text as the command line, against one option of each kind; every refused word is said. */
#include "host_log.h"
#include <stdlib.h>
#include <string.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/lib.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static bool flag;
static unsigned int number;
static unsigned long bytes;
static char name[8];

static int custom(const char *value)
{
	return strlen(value) > 4 ? -EINVAL : 0;
}

CMDLINE_BOOL_OPTION("b", flag, flag);
CMDLINE_UINT_OPTION("u", number, number);
CMDLINE_SIZE_OPTION("z", bytes, bytes);
CMDLINE_STRING_OPTION("s", name, name);
CMDLINE_CUSTOM_OPTION("c", custom, custom);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);
	unsigned int refused;

	memcpy(text, data, size);
	text[size] = '\0';
	host_log_clear();
	refused = cmdline_parse_all(text);
	if (host_log_lines() < refused)
		abort();
	if (!memchr(name, '\0', sizeof(name)))
		abort();
	free(text);
	return 0;
}
