/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine for host tests of mm/: RAM and nodes that a test describes, a frame table full of noise in which no struct
 * may be read before the heap has written it (AddressSanitizer watches), and a direct map.
 */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <tine/boot_info.h>
#include <tine/heap.h>

/* The description under construction: empty. RAM and ranges in bytes, [start, end). */
struct boot_info *machine_new(void);
void machine_ram(u64 start, u64 end);
void machine_resv(u64 start, u64 end, enum mem_type type);
void machine_node(u32 proximity, u64 start, u64 end);

/* Reads a file of tests/host/maps into the description. Fails the test when there is none. */
void machine_from_map(const char *path);

/*
 * Sanitizes, maps, and runs numa_init() and bootmem_init(). OPTIONS: a command line, for the options of mm/; those not
 * named have their defaults. Frames from LIMIT on are left out (0: those from 16 TiB).
 */
void machine_boot(const char *options, unsigned long limit);

/* The same and heap_init(). */
void machine_boot_heap(const char *options, unsigned long limit, struct heap_init_stats *stats);

/* Sets only options, as on the command line. */
void machine_options(const char *options);

/* Whole RAM frames of the description below its limit, by the simplest means: frame 0 included. */
unsigned long machine_ram_frames(void);
bool machine_is_ram(unsigned long mfn);

/* Pseudo-random numbers, the same for the same seed. TINE_SEED sets the seed, which is printed. */
u64 machine_seed(void);
void rnd_set(u64 seed);
u64 rnd(void);
unsigned long rnd_below(unsigned long n);

double machine_now(void); /* seconds */
double machine_seconds(
	double dflt); /* how long a randomised test may take: TINE_SECONDS, or DFLT */

#endif
