/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads as CPUs on one heap: some allocate and free, some scrub, one takes frames off and on. Every owner marks its
 * frames and finds its marks again; who asks for clean memory finds none. Returns the number of things that were wrong.
 */
#ifndef SMP_HAMMER_H
#define SMP_HAMMER_H

unsigned long smp_hammer(double seconds);

#endif
