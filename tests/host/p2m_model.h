/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One p2m and a naive model of it, a list of (frame, type) by gfn, for tests of mm/p2m. A small TLB remembers translations as a CPU may: no frame may be given
 * up while it has one.
 *
 * A program that uses it defines arch_p2m_flush() and calls model_flush() there: forest.c in the same archive has an arch_p2m_flush() as well.
 */
#ifndef HOST_P2M_MODEL_H
#define HOST_P2M_MODEL_H

#include <tine/p2m.h>

#define WINDOW (2UL << 18) /* frames of the model: two 1 GiB leaves */
#define FRAMES (6UL << 18) /* of the machine */
#define IO_MFN (FRAMES * 4)
#define CODECS 2

struct model {
	u32 mfn;
	u8 type;
};

extern const struct p2m_codec *const codecs[CODECS];
extern struct p2m p2m;
extern struct model model[WINDOW];
extern unsigned long unmapped;                /* references of frames that a test has in hand */
extern unsigned long flushes, flushes_locked; /* all; those while the tree is being changed */

/* A machine with memory; once a program. */
int model_boot(void **state);
/* An empty tree; its end, after which the heap must have HEAP_BEFORE frames. */
void model_start(const struct p2m_codec *codec);
void model_stop(unsigned long heap_before);

/* The model's gfn I. */
gfn_t model_gfn(unsigned long i);

/* Frames as a caller of p2m_set() has them. D does not matter: there is one domain. */
int model_frames_get(unsigned int order, mfn_t *out);
void model_frames_free(struct domain *d, mfn_t mfn, unsigned int order);

/* The guest touches a page: what it finds may stay in the TLB, until it is flushed. */
void model_touch(unsigned long i);
void model_flush(struct p2m *p);

/* What was done to the tree is done to the model. */
void model_set(unsigned long i, unsigned int order, mfn_t mfn, enum p2m_type type);
void model_clear(unsigned long i, unsigned int order);

/* The tree is as the model says: the leaf around I (returns what follows it), or all, with every reference. */
unsigned long model_check_leaf(unsigned long i);
void model_check(void);
/* Leaves of each size and tables. */
void model_expect_leaves(unsigned long small, unsigned long large, unsigned long huge,
			 unsigned long tables);

#endif
