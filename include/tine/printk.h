/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's log. One call writes one or more whole lines to every console that is registered and to the log
 * ring; before the first console is up the ring keeps them. Lines carry the prefix "(TINE) ". May be called in any
 * context, with any lock held, from the first C instruction on.
 */
#ifndef TINE_PRINTK_H
#define TINE_PRINTK_H

#include <stdarg.h>
#include <stddef.h>
#include <tine/compiler.h>

enum log_level {
	LOG_ERR,
	LOG_WARNING,
	LOG_INFO,
	LOG_DEBUG
}; /* as loglvl=error|warning|info|debug|all|none */

void printk(enum log_level level, const char *fmt, ...) __printf(2, 3);
void vprintk(enum log_level level, const char *fmt, va_list args) __printf(2, 0);

/* Always printed, whatever loglvl says: what a user must see (banner, KTAP, verdicts). No "(TINE) " prefix when RAW. */
void printk_always(const char *fmt, ...) __printf(1, 2);
void printk_raw(const char *fmt, ...) __printf(1, 2);

/*
 * Text that comes in pieces, as a guest's: shown at once, a new line with PREFIX after each newline. A line that is open stays WHO's until
 * somebody else prints, who then starts on a new one. WHO is only compared.
 */
void printk_stream(const void *who, const char *prefix, const char *text, size_t len);
/* Ends WHO's line if it is open. */
void printk_stream_end(const void *who);

#define pr_err(...) printk(LOG_ERR, __VA_ARGS__)
#define pr_warn(...) printk(LOG_WARNING, __VA_ARGS__)
#define pr_info(...) printk(LOG_INFO, __VA_ARGS__)
#define pr_debug(...) printk(LOG_DEBUG, __VA_ARGS__)

/*
 * Where characters go: a driver registers itself once. WRITE must work in any context and must not log. FLUSH may be
 * NULL. The registered structure stays the caller's and must live for ever.
 */
struct console_sink {
	void (*write)(const char *text, size_t len);
	struct console_sink *next;
};
void printk_register(struct console_sink *sink);

/* From now on no lock is taken and nothing is buffered: for panic and NMI. */
void printk_panic_mode(void);

#endif
