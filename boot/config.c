// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Domain configurations: the subset of xl.cfg that Tine knows, from a boot module. Untrusted text
 * of a given length, which need not end in NUL and is never read beyond; the first thing wrong is
 * reported in one line with file and line, and ends it.
 *
 * A file is lines of KEY = VALUE; '#' starts a comment. A value is a number, a string in single or
 * double quotes, or a list of these in brackets, which may go over several lines. Keys that xl
 * knows and Tine does not are left out with a line.
 */
#include <asm/abi.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/string.h>
#include "internal.h"

#define KEY_MAX 32
#define MEMORY_MAX_MIB (1UL << 24) /* 16 TiB: what a frame's 32-bit link reaches */
#define WEIGHT_MAX 65535

struct cursor {
	const char *p, *end;
	const char *file;
	unsigned int line;
};

enum value_kind { VALUE_NUMBER, VALUE_STRING, VALUE_LIST };

struct value {
	enum value_kind kind;
	unsigned long number;
	char text[sizeof(
		((struct domain_config *)0)->cmdline)]; /* a list's items with commas between */
};

/* NULL when fine, else what is wrong with the value. */
typedef const char *key_fn(const struct value *v, struct domain_spec *spec);

/* ---- Values to fields ---- */

static const char *number_in(const struct value *v, unsigned long low, unsigned long high,
			     unsigned long *out)
{
	const char *text = v->text;

	*out = v->number;
	if (v->kind == VALUE_LIST ||
	    (v->kind == VALUE_STRING && (str_to_ulong(&text, 0, out) || *text)))
		return "is not a number";
	return *out < low || *out > high ? "is out of range" : NULL;
}

static const char *string_in(const struct value *v, char *out, size_t size)
{
	if (v->kind != VALUE_STRING)
		return "is not a string in quotes";
	if (!*v->text)
		return "is empty";
	return str_copy(out, v->text, size) >= size ? "is too long" : NULL;
}

static const char *set_name(const struct value *v, struct domain_spec *spec)
{
	return string_in(v, spec->config.name, sizeof(spec->config.name));
}

static const char *set_kernel(const struct value *v, struct domain_spec *spec)
{
	return string_in(v, spec->kernel, sizeof(spec->kernel));
}

static const char *set_ramdisk(const struct value *v, struct domain_spec *spec)
{
	return string_in(v, spec->ramdisk, sizeof(spec->ramdisk));
}

static const char *set_extra(const struct value *v, struct domain_spec *spec)
{
	if (v->kind == VALUE_STRING && !*v->text)
		return NULL;
	return string_in(v, spec->config.cmdline, sizeof(spec->config.cmdline));
}

static const char *set_type(const struct value *v, struct domain_spec *spec)
{
	if (v->kind != VALUE_STRING)
		return "is not a string in quotes";
	if (!strcmp(v->text, "pv"))
		spec->config.type = DOMAIN_PV;
	else if (!strcmp(v->text, "pvh"))
		spec->config.type = DOMAIN_PVH;
	else
		return "is neither \"pv\" nor \"pvh\"";
	return NULL;
}

static const char *set_memory(const struct value *v, struct domain_spec *spec)
{
	unsigned long n = 0;
	const char *flaw = number_in(v, 1, MEMORY_MAX_MIB, &n);

	if (!flaw)
		spec->config.memory = MiB(n);
	return flaw;
}

static const char *count_in(const struct value *v, unsigned int most, unsigned int *out)
{
	unsigned long n = 0;
	const char *flaw = number_in(v, 1, most, &n);

	*out = (unsigned int)n;
	return flaw;
}

static const char *set_vcpus(const struct value *v, struct domain_spec *spec)
{
	return count_in(v, MAX_VCPUS, &spec->config.vcpus);
}

static const char *set_weight(const struct value *v, struct domain_spec *spec)
{
	return count_in(v, WEIGHT_MAX, &spec->config.cpu_weight);
}

static const char *flag_in(const struct value *v, bool *out)
{
	unsigned long n = 0;
	const char *flaw = number_in(v, 0, 1, &n);

	*out = n != 0;
	return flaw;
}

static const char *set_fork(const struct value *v, struct domain_spec *spec)
{
	return flag_in(v, &spec->config.may_fork);
}

static const char *set_max_forks(const struct value *v, struct domain_spec *spec)
{
	return count_in(v, DOMID_FIRST_RESERVED - 1, &spec->config.max_forks);
}

static const char *set_initial(const struct value *v, struct domain_spec *spec)
{
	return flag_in(v, &spec->config.initial);
}

/* One "N", "N-M" or "^..." of a CPU list at *TEXT, which moves behind it. */
static const char *cpu_range(const char **text, cpumask_t *cpus)
{
	unsigned long first, last;
	bool out = **text == '^';

	if (out)
		(*text)++;
	if (str_to_ulong(text, 10, &first))
		return "is not a list of CPUs";
	last = first;
	if (**text == '-') {
		(*text)++;
		if (str_to_ulong(text, 10, &last) || last < first)
			return "is not a list of CPUs";
	}
	if (last >= MAX_CPUS)
		return "names a CPU that cannot be";
	for (; first <= last; first++) {
		if (out)
			clear_bit(cpus->bits, first);
		else
			set_bit(cpus->bits, first);
	}
	return NULL;
}

static const char *set_cpus(const struct value *v, struct domain_spec *spec)
{
	cpumask_t *cpus = &spec->config.affinity;
	const char *text = v->text;

	memset(cpus, 0, sizeof(*cpus));
	if (v->kind == VALUE_NUMBER) {
		if (v->number >= MAX_CPUS)
			return "names a CPU that cannot be";
		set_bit(cpus->bits, v->number);
		return NULL;
	}
	if (!strcmp(text, "all"))
		return NULL;
	/* A list that only takes out starts from all. */
	if (*text == '^')
		memset(cpus, 0xff, sizeof(*cpus));
	do {
		const char *flaw = cpu_range(&text, cpus);

		if (flaw)
			return flaw;
	} while (*text++ == ',');
	if (text[-1])
		return "is not a list of CPUs";
	return bitmap_count(cpus->bits, MAX_CPUS) ? NULL : "leaves no CPU";
}

/* There is nowhere to write a core dump to: what follows it is done. */
static const char *action_in(const struct value *v, enum domain_action *out)
{
	if (v->kind != VALUE_STRING)
		return "is not a string in quotes";
	if (!strcmp(v->text, "destroy") || !strcmp(v->text, "coredump-destroy"))
		*out = ACTION_DESTROY;
	else if (!strcmp(v->text, "restart") || !strcmp(v->text, "coredump-restart"))
		*out = ACTION_RESTART;
	else if (!strcmp(v->text, "preserve"))
		*out = ACTION_PRESERVE;
	else
		return "is none of \"destroy\", \"restart\", \"preserve\"";
	return NULL;
}

static const char *set_on_poweroff(const struct value *v, struct domain_spec *spec)
{
	return action_in(v, &spec->config.on_poweroff);
}

static const char *set_on_reboot(const struct value *v, struct domain_spec *spec)
{
	return action_in(v, &spec->config.on_reboot);
}

static const char *set_on_crash(const struct value *v, struct domain_spec *spec)
{
	return action_in(v, &spec->config.on_crash);
}

static const char *set_on_watchdog(const struct value *v, struct domain_spec *spec)
{
	return action_in(v, &spec->config.on_watchdog);
}

static const struct {
	const char *name;
	key_fn *set;
} keys[] = {
	{ "name", set_name },
	{ "type", set_type },
	{ "memory", set_memory },
	{ "vcpus", set_vcpus },
	{ "kernel", set_kernel },
	{ "ramdisk", set_ramdisk },
	{ "extra", set_extra },
	{ "cpus", set_cpus },
	{ "cpu_weight", set_weight },
	{ "on_poweroff", set_on_poweroff },
	{ "on_reboot", set_on_reboot },
	{ "on_crash", set_on_crash },
	{ "on_watchdog", set_on_watchdog },
	{ "fork", set_fork },
	{ "max_forks", set_max_forks },
	{ "initial", set_initial },
};

/* ---- Text to values ---- */

static int complain(const struct cursor *c, const char *what)
{
	pr_err("%s:%u: %s\n", c->file, c->line, what);
	return -EINVAL;
}

static char peek(const struct cursor *c)
{
	return c->p < c->end ? *c->p : '\0';
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static bool is_key_char(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       ch == '_';
}

static void skip_blanks(struct cursor *c)
{
	while (is_blank(peek(c)))
		c->p++;
	if (peek(c) == '#') {
		while (c->p < c->end && *c->p != '\n')
			c->p++;
	}
}

/* Blanks, comments and line ends: what may stand between a list's items and before a key. */
static void skip_lines(struct cursor *c)
{
	for (;;) {
		skip_blanks(c);
		if (peek(c) != '\n')
			return;
		c->line++;
		c->p++;
	}
}

/* Adds CH to the LEN bytes of text in V. */
static int append(const struct cursor *c, struct value *v, size_t *len, char ch)
{
	if (*len + 1 >= sizeof(v->text))
		return complain(c, "the value is too long");
	v->text[(*len)++] = ch;
	v->text[*len] = '\0';
	return 0;
}

static int parse_string(struct cursor *c, struct value *v, size_t *len)
{
	char quote = *c->p++;

	while (c->p < c->end && *c->p != quote && *c->p != '\n') {
		char ch = *c->p++;
		int ret;

		if ((unsigned char)ch < ' ' && ch != '\t')
			return complain(c, "a control character in a string");
		ret = append(c, v, len, ch);
		if (ret)
			return ret;
	}
	if (peek(c) != quote)
		return complain(c, "a string does not end on its line");
	c->p++;
	return 0;
}

/*
 * Digits and what belongs to a number, as text: the bounded copy lets str_to_ulong() stop at its
 * NUL.
 */
static int parse_number(struct cursor *c, struct value *v, size_t *len)
{
	size_t start = *len;
	const char *text;

	while (is_key_char(peek(c))) {
		int ret = append(c, v, len, *c->p++);

		if (ret)
			return ret;
	}
	text = &v->text[start];
	if (str_to_ulong(&text, 0, &v->number) || *text)
		return complain(c, "a value is neither a number nor a string in quotes");
	return 0;
}

static int parse_item(struct cursor *c, struct value *v, size_t *len)
{
	char ch = peek(c);

	if (ch == '"' || ch == '\'') {
		v->kind = VALUE_STRING;
		return parse_string(c, v, len);
	}
	if (!is_key_char(ch))
		return complain(c, "a value is missing");
	v->kind = VALUE_NUMBER;
	return parse_number(c, v, len);
}

static int parse_list(struct cursor *c, struct value *v)
{
	size_t len = 0;
	int ret = 0;

	c->p++;
	for (skip_lines(c); peek(c) != ']'; skip_lines(c)) {
		if (len)
			ret = append(c, v, &len, ',');
		if (!ret)
			ret = parse_item(c, v, &len);
		if (ret)
			return ret;
		skip_lines(c);
		if (peek(c) == ',')
			c->p++;
		else if (peek(c) != ']')
			return complain(c, "a list does not end");
	}
	c->p++;
	v->kind = VALUE_LIST;
	return 0;
}

static int parse_value(struct cursor *c, struct value *v)
{
	size_t len = 0;
	int ret;

	v->text[0] = '\0';
	skip_blanks(c);
	ret = peek(c) == '[' ? parse_list(c, v) : parse_item(c, v, &len);
	if (ret)
		return ret;
	skip_blanks(c);
	if (peek(c) == ';')
		c->p++;
	skip_blanks(c);
	if (c->p < c->end && *c->p != '\n')
		return complain(c, "there is something behind the value");
	return 0;
}

static int parse_key(struct cursor *c, char *key)
{
	size_t n = 0;

	while (is_key_char(peek(c)) && n < KEY_MAX - 1)
		key[n++] = *c->p++;
	key[n] = '\0';
	if (!n || is_key_char(peek(c)))
		return complain(c, "no key that could be known");
	skip_blanks(c);
	if (peek(c) != '=')
		return complain(c, "no '=' behind the key");
	c->p++;
	return 0;
}

static int apply(const struct cursor *c, unsigned int line, const char *key, const struct value *v,
		 struct domain_spec *spec)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *flaw;

		if (strcmp(keys[i].name, key))
			continue;
		flaw = keys[i].set(v, spec);
		if (!flaw)
			return 0;
		pr_err("%s:%u: %s %s\n", c->file, line, key, flaw);
		return -EINVAL;
	}
	pr_warn("%s:%u: \"%s\" is not known here: ignored\n", c->file, line, key);
	return 0;
}

/* ---- A whole file ---- */

/* As xl has them. The name is the file's, less its ending. */
static void set_defaults(const char *file, struct domain_spec *spec)
{
	struct domain_config *config = &spec->config;
	const char *slash = strrchr(file, '/');
	char *dot;

	memset(spec, 0, sizeof(*spec));
	config->type = ABI_USUAL_TYPE;
	config->vcpus = 1;
	config->cpu_weight = 256;
	config->on_poweroff = ACTION_DESTROY;
	config->on_reboot = ACTION_RESTART;
	config->on_crash = ACTION_DESTROY;
	config->on_watchdog = ACTION_DESTROY;
	(void)str_copy(config->name, slash ? slash + 1 : file, sizeof(config->name));
	dot = strrchr(config->name, '.');
	if (dot && dot != config->name)
		*dot = '\0';
}

int config_parse(const char *file, const char *text, size_t len, struct domain_spec *spec)
{
	struct cursor c = { .p = text, .end = text + len, .file = file, .line = 1 };
	struct value value;
	char key[KEY_MAX];
	int ret;

	set_defaults(file, spec);
	for (skip_lines(&c); c.p < c.end; skip_lines(&c)) {
		unsigned int line = c.line;

		ret = parse_key(&c, key);
		if (!ret)
			ret = parse_value(&c, &value);
		if (!ret)
			ret = apply(&c, line, key, &value, spec);
		if (ret)
			return ret;
	}
	if (!spec->kernel[0])
		return complain(&c, "the file names no kernel");
	if (!spec->config.memory)
		return complain(&c, "the file says nothing about memory");
	return 0;
}
