/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line can ask for. Each gets the whole line, prints its own report and
 * returns NULL, or why it failed. */
#ifndef TINY_WORK_H
#define TINY_WORK_H

const char *work_test(const char *line);
const char *work_descriptors(const char *line);
const char *work_tls(const char *line);
const char *work_tls_short(const char *line);
const char *work_share(const char *line);
const char *work_wait(const char *line);
const char *work_foreign_lends(const char *line);
const char *work_foreign_maps(const char *line);
const char *work_sharing(const char *line);
const char *work_bench(const char *line);
const char *work_linger(const char *line);
const char *work_fail(const char *line);
const char *work_oops(const char *line);
const char *work_spin(const char *line);
const char *work_tick(const char *line);
const char *work_attack(const char *line);
const char *work_hog(const char *line);
const char *work_latency(const char *line);
void hog_lists_prepare(void); /* hog_lists.c: before all pages are taken */
void hog_lists(void);
const char *work_exhaust(const char *line);

/* For guests whose memory is translated. */
const char *work_fork(const char *line);
const char *work_fork_bench(const char *line);
const char *work_may_not(const char *line);

#endif
