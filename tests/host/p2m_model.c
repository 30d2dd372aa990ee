// SPDX-License-Identifier: GPL-2.0-or-later
/* A p2m, what it should hold, and a CPU that remembers: see p2m_model.h. */
#include "host_machine.h"
#include "p2m_model.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>

#define BASE GiB(3) /* where the model begins, in bytes */
#define TLB 64

const struct p2m_codec *const codecs[CODECS] = { &svm_npt_codec, &stage2_codec };

struct p2m p2m;
struct model model[WINDOW];
unsigned long unmapped, flushes, flushes_locked;

static u8 refs[FRAMES];       /* references that trees have on each frame */
static unsigned long nr_refs; /* all of them */
static struct {
	bool valid;
	u32 gfn, mfn;
} tlb[TLB];
static bool running; /* the guest may have translations */

gfn_t model_gfn(unsigned long i)
{
	return _gfn((BASE >> PAGE_SHIFT) + i);
}

/* ---- Frames, and a CPU ---- */

int model_frames_get(unsigned int order, mfn_t *out)
{
	*out = heap_alloc(order, 0, 0, HEAP_DIRTY_OK);
	if (mfn_eq(*out, INVALID_MFN))
		return -ENOMEM;
	for (unsigned long i = 0; i < BIT(order); i++)
		assert_int_equal(refs[mfn_x(*out) + i]++, 0);
	nr_refs += BIT(order);
	return 0;
}

static int frames_alloc(struct domain *d, unsigned int order, bool overwritten, mfn_t *out)
{
	int ret = model_frames_get(order, out);

	for (unsigned long i = 0; i < BIT(order) && !ret; i++)
		mfn_to_page(mfn_add(*out, i))->count_info |= PAGE_MAPPED;
	return ret;
}

void model_frames_free(struct domain *d, mfn_t mfn, unsigned int order)
{
	for (unsigned long i = 0; i < BIT(order); i++)
		assert_int_equal(refs[mfn_x(mfn) + i]--, 1);
	nr_refs -= BIT(order);
	heap_free(mfn, order, true);
}

static void frames_put(struct domain *d, mfn_t mfn, unsigned int order)
{
	assert_false(IS_ENABLED(CONFIG_DEBUG_LOCKS) && spin_is_mine(&p2m.lock));
	for (unsigned int i = 0; running && i < TLB; i++)
		assert_false(tlb[i].valid && tlb[i].mfn >= mfn_x(mfn) &&
			     tlb[i].mfn < mfn_x(mfn) + BIT(order));
	model_frames_free(d, mfn, order);
}

/* There is one tree and one domain. */
static void frames_leave(struct domain *d, mfn_t mfn)
{
	fail_msg("frame %lx has nowhere to go", mfn_x(mfn));
}

static bool frames_owns(const struct domain *d, mfn_t mfn)
{
	return true;
}

static int frames_adopt(struct domain *d, mfn_t mfn)
{
	return 0;
}

static bool frames_keeps(const struct domain *d, mfn_t mfn)
{
	return false;
}

static const struct p2m_frames frames = {
	.alloc = frames_alloc,
	.put = frames_put,
	.free = model_frames_free,
	.leave = frames_leave,
	.owns = frames_owns,
	.adopt = frames_adopt,
	.keeps = frames_keeps,
};

void model_flush(struct p2m *p)
{
	assert_ptr_equal(p, &p2m);
	memset(tlb, 0, sizeof(tlb));
	flushes++;
	flushes_locked += spin_is_mine(&p->lock);
}

void model_touch(unsigned long i)
{
	mfn_t mfn = p2m_lookup(&p2m, model_gfn(i), NULL, NULL);
	unsigned int at = (unsigned int)rnd_below(TLB);

	if (mfn_eq(mfn, INVALID_MFN))
		return;
	tlb[at].valid = true;
	tlb[at].gfn = (u32)i;
	tlb[at].mfn = (u32)mfn_x(mfn);
}

/* ---- The model ---- */

void model_set(unsigned long i, unsigned int order, mfn_t mfn, enum p2m_type type)
{
	for (unsigned long n = 0; n < BIT(order); n++)
		model[i + n] = (struct model){ (u32)(mfn_x(mfn) + n), (u8)type };
}

void model_clear(unsigned long i, unsigned int order)
{
	memset(&model[i], 0, sizeof(model[0]) << order);
}

static void check_fault(unsigned long i, enum p2m_type type)
{
	int write = type == P2M_HOLE ? -ENOENT : type == P2M_RO ? -EACCES : 0;

	assert_int_equal(p2m_fault(&p2m, model_gfn(i), true), write);
	assert_int_equal(p2m_fault(&p2m, model_gfn(i), false), type == P2M_HOLE ? -ENOENT : 0);
}

unsigned long model_check_leaf(unsigned long i)
{
	enum p2m_type type;
	unsigned int order;
	mfn_t mfn = p2m_lookup(&p2m, model_gfn(i), &type, &order);
	unsigned long end = ((i + BIT(order)) & ~(BIT(order) - 1));

	if (type != P2M_SHARED)
		check_fault(i, type);
	for (unsigned long n = i; n < end && n < WINDOW; n++) {
		if (model[n].type != type)
			fail_msg("gfn %lx: type %u, should be %u", n, type, model[n].type);
		if (type != P2M_HOLE && model[n].mfn != mfn_x(mfn) + n - i)
			fail_msg("gfn %lx: frame %lx, should be %x", n, mfn_x(mfn) + n - i,
				 model[n].mfn);
	}
	assert_true(type != P2M_HOLE || mfn_eq(mfn, INVALID_MFN));
	return end;
}

void model_check(void)
{
	struct p2m_stats stats;
	unsigned long counted = 0;

	for (unsigned long i = 0; i < WINDOW;)
		i = model_check_leaf(i);
	for (unsigned long i = 0; i < WINDOW; i++) {
		if (model[i].type == P2M_HOLE || model[i].type == P2M_IO)
			continue;
		counted++;
		assert_int_equal(refs[model[i].mfn], 1);
	}
	assert_int_equal(counted + unmapped, nr_refs);
	assert_int_equal(p2m_check(&p2m, &stats), 0);
}

void model_expect_leaves(unsigned long small, unsigned long large, unsigned long huge,
			 unsigned long tables)
{
	struct p2m_stats stats;

	assert_int_equal(p2m_check(&p2m, &stats), 0);
	assert_int_equal(stats.leaves[0], small);
	assert_int_equal(stats.leaves[1], large);
	assert_int_equal(stats.leaves[2], huge);
	assert_int_equal(stats.tables, tables);
}

/* ---- Begin and end ---- */

void model_start(const struct p2m_codec *codec)
{
	memset(model, 0, sizeof(model));
	running = true;
	assert_int_equal(p2m_init(&p2m, NULL, codec, &frames), 0);
}

void model_stop(unsigned long heap_before)
{
	running = false;
	memset(tlb, 0, sizeof(tlb));
	assert_int_equal(p2m_destroy(&p2m), 0);
	assert_int_equal(nr_refs, 0);
	assert_int_equal(heap_free_total(), heap_before);
	assert_int_equal(heap_check(), 0);
}

int model_boot(void **state)
{
	struct heap_init_stats stats;

	machine_new();
	machine_ram(0, FRAMES << PAGE_SHIFT);
	machine_boot_heap("bootscrub=off", 0, &stats);
	return 0;
}
