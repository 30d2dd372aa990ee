/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which model-specific registers a kind of guest has: a table of rows, constant, one for PV (pv/msr.c) and one for PVH (svm/svm_msr.c). A number
 * that no row names is not there, and neither is a direction whose function refuses: RDMSR and WRMSR fault in the guest.
 *
 * docs/abi.md is made from the rows and from the names of their functions.
 */
#ifndef ASM_MSR_POLICY_H
#define ASM_MSR_POLICY_H

#include <tine/compiler.h>
#include <tine/types.h>

struct vcpu;
struct msr_row;

struct msr_table {
	const struct msr_row *rows;
	unsigned int count;
};

/* V is current. 0, or -EINVAL with nothing changed: the guest faults. */
typedef int msr_read_fn(struct vcpu *v, u32 msr, u64 *value);
typedef int msr_write_fn(struct vcpu *v, u32 msr, u64 value);

struct msr_row {
	u32 first, last;
	msr_read_fn *read; /* NULL, as WRITE: the guest reaches the register itself */
	msr_write_fn *
		write; /* NULL alone: writing back what is there changes nothing and is let through */
	const char *what;
};

/* A table's entries; FIRST to LAST have one. */
#define MSR_ROWS(first, last, read, write, what)                                                   \
	{                                                                                          \
		first, last, read, write, what                                                     \
	}
#define MSR_ROW(msr, read, write, what) MSR_ROWS(msr, msr, read, write, what)

/*
 * The row for MSR does it. -EINVAL: the guest faults, and where there is no row a line says so, at most one a
 * second for each domain.
 */
int msr_policy_read(const struct msr_table *t, struct vcpu *v, u32 msr, u64 *value) __must_check;
int msr_policy_write(const struct msr_table *t, struct vcpu *v, u32 msr, u64 value) __must_check;

/* For rows: what kernels read on the way, without a handler for the fault or to write it back, where nothing is there. */
int msr_read_zero(struct vcpu *v, u32 msr, u64 *value);
int msr_write_zero(struct vcpu *v, u32 msr, u64 value);    /* 0 and nothing else */
int msr_write_ignored(struct vcpu *v, u32 msr, u64 value); /* changes nothing */
/* What RDTSCP answers besides the time; of both kinds of guests. */
int msr_read_tsc_aux(struct vcpu *v, u32 msr, u64 *value);
int msr_write_tsc_aux(struct vcpu *v, u32 msr, u64 value);

#endif
