/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the arm64 guest share. */
#ifndef TINYARM_H
#define TINYARM_H

#include "tiny_types.h"

#include <xen/xen.h>

/* What the device tree says (tinyarm_tree.c). */
struct tinyarm_machine {
	const char *line; /* the command line */
	bool gic_v3;
	uint64_t distributor, cpu; /* of the latter: GICv2's interface, or GICv3's redistributors */
	uint64_t cpu_size;
	uint64_t free, free_size;     /* addresses where there is nothing: for grants */
	uint64_t memory, memory_size; /* the first bank */
	unsigned int cpus;
	unsigned int events, timer; /* interrupts */
};
extern struct tinyarm_machine tinyarm_machine;

/* False after a line that says what is missing. */
bool tinyarm_read_tree(const void *tree);

/* ---- Memory as it is mapped (tinyarm_mmu.c): all of it where it is, pages of the image and of the free addresses by the page ---- */
void tinyarm_make_tables(uint64_t image); /* caches and MMU are off */
enum tinyarm_access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE };
void tinyarm_protect(const void *page, enum tinyarm_access access);

/* ---- Interrupts (tinyarm_gic.c), for the CPU that calls ---- */
void gic_init(void);
void gic_enable(unsigned int intid);
unsigned int gic_take(void); /* 1020 and more: there is none */
void gic_end(unsigned int intid);
void gic_send(unsigned int sgi, unsigned int cpu);

/* ---- Exceptions (tinyarm_trap.c) ---- */
struct tinyarm_frame {
	uint64_t x[31], elr, spsr, unused;
};

/* The last synchronous exception that PROBE met; class 0: none. */
struct tinyarm_fault {
	uint64_t syndrome, address;
};
extern volatile struct tinyarm_fault tinyarm_fault;
extern uint64_t tinyarm_skip;
#define FAULT_CLASS(syndrome) ((syndrome) >> 26)
#define CLASS_UNKNOWN 0x00
#define CLASS_DATA_ABORT 0x25

/* Executes INSN; an exception is noted and skips it. */
#define PROBE(insn, ...)                                                                           \
	do {                                                                                       \
		tinyarm_fault.syndrome = ~0ul;                                                     \
		asm volatile("adr x9, 1f\n"                                                        \
			     "adrp x10, tinyarm_skip\n"                                            \
			     "str x9, [x10, :lo12:tinyarm_skip]\n" insn "\n"                       \
			     "1:\n"                                                                \
			     "adrp x10, tinyarm_skip\n"                                            \
			     "str xzr, [x10, :lo12:tinyarm_skip]" __VA_ARGS__);                    \
	} while (0)

extern shared_info_t *tiny_shared;
void rings_init(void); /* tinyarm_kind.c */
extern volatile uint64_t tinyarm_interrupts[32];

const char *tinyarm_attack(const char *line); /* tinyarm_attack.c: the word `attack` */
void tinyarm_timer_fired(void);               /* tinyarm_time.c */

#define read_sysreg(name)                                                                          \
	({                                                                                         \
		uint64_t value_;                                                                   \
		asm volatile("mrs %0, " #name : "=r"(value_) : : "memory");                        \
		value_;                                                                            \
	})
#define write_sysreg(name, value)                                                                  \
	asm volatile("msr " #name ", %0\n\tisb" : : "r"((uint64_t)(value)) : "memory")

#endif
