/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where start of day spends its time: a stopwatch that is read at the end of each phase, and one
 * line of the log with all of them. CPU 0 only, until phases_log(); no lock.
 */
#ifndef TINE_PHASES_H
#define TINE_PHASES_H

/*
 * The time since the last call (the first time: since the image's first instruction) was NAME's, a
 * string that lives for ever; what comes several times is added up. Does nothing once phases_log()
 * was called, as domains are also built later.
 */
void phase_done(const char *name);

/* "boot-phases: start=<arch_cycles() at the first instruction> NAME=<ticks>... total=<ticks>". */
void phases_log(void);

#endif
