// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line parser. Walks the text word by word, matches each against the options it is given and sets the
 * option's variable. Never fails as a whole: what it cannot take is reported and counted.
 */
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>

#define WORD_MAX 512

/* Copies the next word at *TEXT, without its double quotes, to WORD and moves *TEXT behind it. False at the end of the text. */
static bool next_word(const char **text, char word[WORD_MAX], bool *cut)
{
	const char *s = *text;
	bool quoted = false;
	size_t n = 0;

	*cut = false;
	while (*s == ' ' || *s == '\t' || *s == '\n')
		s++;
	if (!*s)
		return false;
	for (; *s && (quoted || (*s != ' ' && *s != '\t' && *s != '\n')); s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (n + 1 < WORD_MAX)
			word[n++] = *s;
		else
			*cut = true;
	}
	word[n] = '\0';
	*text = s;
	return true;
}

static int parse_bool(const char *value, bool *out)
{
	static const char *const yes[] = { "yes", "on", "true", "enable", "1" };
	static const char *const no[] = { "no", "off", "false", "disable", "0" };

	for (unsigned int i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!strcmp(value, yes[i])) {
			*out = true;
			return 0;
		}
		if (!strcmp(value, no[i])) {
			*out = false;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_uint(const struct cmdline_option *opt, const char *value)
{
	unsigned long n;
	int rc = str_to_ulong(&value, 0, &n);

	if (rc)
		return rc;
	if (*value)
		return -EINVAL;
	if (n > UINT32_MAX)
		return -ERANGE;
	*(unsigned int *)opt->var = (unsigned int)n;
	return 0;
}

static int set_size(const struct cmdline_option *opt, const char *value)
{
	unsigned long n;
	int rc = str_to_size(&value, KiB(1), &n);

	if (rc)
		return rc;
	if (*value)
		return -EINVAL;
	*(unsigned long *)opt->var = n;
	return 0;
}

static int set_string(const struct cmdline_option *opt, const char *value)
{
	if (strlen(value) >= opt->size)
		return -E2BIG;
	(void)str_copy(opt->var, value, opt->size);
	return 0;
}

static int set_option(const struct cmdline_option *opt, const char *value, bool alone)
{
	switch (opt->kind) {
	case CMDLINE_BOOL:
		return parse_bool(alone ? "yes" : value, opt->var);
	case CMDLINE_UINT:
		return set_uint(opt, value);
	case CMDLINE_SIZE:
		return set_size(opt, value);
	case CMDLINE_STRING:
		return set_string(opt, value);
	case CMDLINE_CUSTOM:
		return opt->parse(value);
	}
	return -EINVAL;
}

static const struct cmdline_option *find(const char *name, const struct cmdline_option *first,
					 const struct cmdline_option *end)
{
	for (const struct cmdline_option *opt = first; opt < end; opt++)
		if (!strcmp(opt->name, name))
			return opt;
	return NULL;
}

static const char *why(int rc)
{
	switch (rc) {
	case -ERANGE:
		return "the number is too large";
	case -E2BIG:
		return "the value is too long";
	default:
		return "the value is not understood";
	}
}

/* WORD is changed. */
static int take_word(char *word, const struct cmdline_option *first,
		     const struct cmdline_option *end)
{
	const struct cmdline_option *opt;
	char *equals = strchr(word, '=');
	const char *value = "";
	int rc;

	if (equals) {
		*equals = '\0';
		value = equals + 1;
	}
	opt = find(word, first, end);
	if (!opt && !equals && !strncmp(word, "no-", 3)) {
		opt = find(word + 3, first, end);
		if (opt && opt->kind == CMDLINE_BOOL) {
			*(bool *)opt->var = false;
			return 0;
		}
		opt = NULL;
	}
	if (!opt) {
		pr_warn("Command line: unknown option '%s' ignored", word);
		return -ENOENT;
	}
	rc = set_option(opt, value, !equals);
	if (rc)
		pr_warn("Command line: option '%s=%s' ignored: %s", word, value, why(rc));
	return rc;
}

unsigned int cmdline_parse(const char *text, const struct cmdline_option *first,
			   const struct cmdline_option *end)
{
	char word[WORD_MAX];
	unsigned int refused = 0;
	bool cut;

	while (next_word(&text, word, &cut)) {
		if (cut) {
			pr_warn("Command line: word '%.32s...' ignored: longer than %d bytes", word,
				WORD_MAX - 1);
			refused++;
		} else if (word[0] && take_word(word, first, end)) {
			refused++;
		}
	}
	return refused;
}

unsigned int cmdline_parse_all(const char *text)
{
	extern const struct cmdline_option __start_cmdline_options[], __stop_cmdline_options[];

	return cmdline_parse(text, __start_cmdline_options, __stop_cmdline_options);
}
