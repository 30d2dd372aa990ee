// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log. Text is formatted on the caller's stack, written line by line into a ring, and sent to every sink. Sinks that
 * register late get what the ring still holds, so nothing that was said before the first console is lost.
 *
 * printk_lock (the innermost level) makes one call's lines stay together. In panic mode no lock is taken.
 */
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/spinlock.h>
#include <tine/string.h>

#define LINE_MAX 1024
#define RING_SIZE 65536 /* a power of two */
#define PREFIX "(TINE) "

static struct spinlock printk_lock = SPINLOCK_INIT(LOCK_PRINTK);
static char ring[RING_SIZE];
static unsigned long ring_end; /* bytes ever written */
static struct console_sink *sinks;
static bool panic_mode;
static bool line_open;            /* the last byte emitted was not a newline ... */
static const void *line_owner;    /* ... and this stream's */
static int threshold = LOG_DEBUG; /* highest level that is printed; the ring keeps the same */

static int parse_loglvl(const char *value)
{
	static const struct {
		const char *name;
		int level;
	} names[] = {
		{ "none", -1 },       { "error", LOG_ERR },   { "warning", LOG_WARNING },
		{ "info", LOG_INFO }, { "debug", LOG_DEBUG }, { "all", LOG_DEBUG },
	};
	size_t len = strlen(value);
	const char *slash = strchr(value, '/'); /* Xen's lower/upper limits: the first is ours */

	if (slash)
		len = (size_t)(slash - value);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == len && !strncmp(value, names[i].name, len)) {
			threshold = names[i].level;
			return 0;
		}
	}
	return -EINVAL;
}
CMDLINE_CUSTOM_OPTION("loglvl", loglvl, parse_loglvl);

/*
 * Output is always synchronous here; the option is known because it is on people's command lines.
 */
static bool opt_sync_console;
CMDLINE_BOOL_OPTION("sync_console", sync_console, opt_sync_console);

static void emit(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		ring[(ring_end + i) % RING_SIZE] = text[i];
	ring_end += len;
	if (len)
		line_open = text[len - 1] != '\n';
	for (struct console_sink *s = sinks; s; s = s->next)
		s->write(text, len);
}

/* Each line of TEXT behind PREFIX_TEXT, a newline at the end whether TEXT has one or not. */
static void emit_lines(const char *prefix, const char *text)
{
	while (*text) {
		const char *nl = strchr(text, '\n');
		size_t len = nl ? (size_t)(nl - text) : strlen(text);

		emit(prefix, strlen(prefix));
		emit(text, len);
		emit("\n", 1);
		text += len + (nl ? 1 : 0);
	}
}

static void log_text(const char *prefix, const char *fmt, va_list args)
{
	char text[LINE_MAX];
	unsigned long flags = 0;
	bool lock = !panic_mode;

	(void)tine_vsnprintf(text, sizeof(text), fmt, args);
	if (lock)
		flags = spin_lock_irqsave(&printk_lock);
	if (line_open)
		emit("\n", 1);
	emit_lines(prefix, text);
	if (lock)
		spin_unlock_irqrestore(&printk_lock, flags);
}

void vprintk(enum log_level level, const char *fmt, va_list args)
{
	if ((int)level <= threshold)
		log_text(PREFIX, fmt, args);
}

void printk(enum log_level level, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vprintk(level, fmt, args);
	va_end(args);
}

void printk_always(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_text(PREFIX, fmt, args);
	va_end(args);
}

void printk_raw(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_text("", fmt, args);
	va_end(args);
}

void printk_stream(const void *who, const char *prefix, const char *text, size_t len)
{
	bool lock = !panic_mode;
	unsigned long flags = lock ? spin_lock_irqsave(&printk_lock) : 0;

	while (len) {
		const char *nl = memchr(text, '\n', len);
		size_t n = nl ? (size_t)(nl - text) + 1 : len;

		if (line_open && line_owner != who)
			emit("\n", 1);
		if (!line_open)
			emit(prefix, strlen(prefix));
		emit(text, n);
		line_owner = who;
		text += n;
		len -= n;
	}
	if (lock)
		spin_unlock_irqrestore(&printk_lock, flags);
}

void printk_stream_end(const void *who)
{
	unsigned long flags = spin_lock_irqsave(&printk_lock);

	if (line_open && line_owner == who)
		emit("\n", 1);
	spin_unlock_irqrestore(&printk_lock, flags);
}

void printk_register(struct console_sink *sink)
{
	unsigned long flags = spin_lock_irqsave(&printk_lock);
	unsigned long from = ring_end > RING_SIZE ? ring_end - RING_SIZE : 0;

	while (from < ring_end) {
		unsigned long at = from % RING_SIZE;
		unsigned long n = min(ring_end - from, RING_SIZE - at);

		sink->write(&ring[at], n);
		from += n;
	}
	sink->next = sinks;
	sinks = sink;
	spin_unlock_irqrestore(&printk_lock, flags);
}

void printk_panic_mode(void)
{
	WRITE_ONCE(panic_mode, true);
}
