/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's command line. Options are declared next to the code they steer and gathered by the linker; the
 * parser (lib/cmdline.c) is one function over a text, so host tests and fuzzers call it directly.
 *
 * Syntax as on Xen: words separated by spaces; NAME, NAME=VALUE, no-NAME for booleans; double quotes keep spaces. An unknown option, a value that does not
 * parse and a line that is too long are each reported in one line naming the option, and the rest still counts.
 */
#ifndef TINE_CMDLINE_H
#define TINE_CMDLINE_H

#include <tine/compiler.h>
#include <tine/types.h>

#define CMDLINE_MAX                                                                                \
	2048 /* bytes with the NUL; the rest of a longer line is dropped with a message */

enum cmdline_kind {
	CMDLINE_BOOL, /* bool *: NAME, NAME=yes|no|on|off|true|false|1|0, no-NAME */
	CMDLINE_UINT, /* unsigned int *: decimal, 0x hex or 0 octal */
	CMDLINE_SIZE, /* unsigned long *, bytes: K M G T suffix; a plain number is KiB, as on Xen */
	CMDLINE_STRING, /* char[size]: the value as it is */
	CMDLINE_CUSTOM, /* parse(value): 0 or -errno; VALUE is "" when the option stood alone. May be called repeatedly */
};

struct cmdline_option {
	const char *name;
	enum cmdline_kind kind;
	void *var;
	size_t size; /* CMDLINE_STRING: of the buffer */
	int (*parse)(const char *value);
};

#define CMDLINE_OPTION_(id, ...)                                                                   \
	static const struct cmdline_option cmdline_##id __used __section("cmdline_options")        \
		__aligned(8) = { __VA_ARGS__ }

#define CMDLINE_BOOL_OPTION(text, id, variable)                                                    \
	CMDLINE_OPTION_(id, .name = text, .kind = CMDLINE_BOOL, .var = &(variable))
#define CMDLINE_UINT_OPTION(text, id, variable)                                                    \
	CMDLINE_OPTION_(id, .name = text, .kind = CMDLINE_UINT, .var = &(variable))
#define CMDLINE_SIZE_OPTION(text, id, variable)                                                    \
	CMDLINE_OPTION_(id, .name = text, .kind = CMDLINE_SIZE, .var = &(variable))
#define CMDLINE_STRING_OPTION(text, id, buffer)                                                    \
	CMDLINE_OPTION_(id, .name = text, .kind = CMDLINE_STRING, .var = (buffer),                 \
			.size = sizeof(buffer))
#define CMDLINE_CUSTOM_OPTION(text, id, function)                                                  \
	CMDLINE_OPTION_(id, .name = text, .kind = CMDLINE_CUSTOM, .parse = (function))

/*
 * Parses TEXT against the options from FIRST to END (exclusive). Returns how many words were refused; each was
 * reported with printk. TEXT is not changed.
 */
unsigned int cmdline_parse(const char *text, const struct cmdline_option *first,
			   const struct cmdline_option *end);

/* Parses against all options of the image. */
unsigned int cmdline_parse_all(const char *text);

#endif
