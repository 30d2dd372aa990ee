/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which Tine this is. */
#ifndef TINE_VERSION_H
#define TINE_VERSION_H

extern const char tine_version[];  /* as `git describe` says */
extern const char tine_variant[];  /* release, debug */
extern const char tine_compiler[]; /* version of the C compiler */

#endif
