// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64: pointers through page tables of any form, against the CPU's own walk of the same (AT, whose answer is in PAR_EL1: DDI 0487, D17.2.113). The upper
 * half of the address space is the guest's to play with: its tables hold random entries, of all three granules, that lead to each other, to victims, to
 * memory that may only be read, to nothing, and to addresses that there are none of. What the CPU translates, hypercalls must reach, and nothing else.
 */
#include "tiny_case.h"
#include "tiny_places.h"
#include "translated_attack.h"

#define FORMS 200u
#define LOOKS 40u
#define TABLES 8u
#define TABLE_SIZE 0x10000ul /* for the largest granule */
#define VICTIMS_AT 0x200000ul
#define VICTIMS 0x800000ul
#define SMALL_BLOCK 0x200000ul

#define TCR_UPPER_SIZE(bits) ((64ul - (bits)) << 16)
#define TCR_UPPER_OFF (1ul << 23)
#define TCR_UPPER_GRANULE(g) ((uint64_t)(g) << 30)
#define TCR_UPPER_CACHED (1ul << 24 | 1ul << 26 | 3ul << 28)
#define TCR_UPPER_TAGGED (1ul << 38)
#define PAR_FAILED 1ul
#define PAR_STATUS(par) ((par) >> 1 & 0x3f)
#define STATUS_ACCESS 0x08 /* to 0x0b: the flag of an access is clear */
#define PAR_ADDRESS 0x0000fffffffff000ul

#define VALID 1ul
#define NOT_BLOCK 2ul /* a table, or at level 3 a page */
#define READ_ONLY (1ul << 7)
#define ACCESSED (1ul << 10)
#define ATTRIBUTES                                                                                 \
	0x0070000000000b3cul /* all others but the address, and those that make translations contiguous or AP[2] */
#define TABLE_ATTRIBUTES 0xf800000000000000ul
#define BEYOND (1ul << 44) /* more than the 40 bits that TCR has */

static const struct granule {
	unsigned int code, shift, id_shift, id_none;
} granules[] = { { 2, 12, 28, 15 }, { 3, 16, 24, 15 }, { 1, 14, 20, 0 } };

static uint64_t random_state;
static unsigned int reached, written, refused;

static uint64_t next(void)
{
	return tiny_random(&random_state);
}

static uint64_t table(unsigned int i)
{
	return (uint64_t)tiny_places.pattern + i * TABLE_SIZE;
}

static uint64_t victim(uint64_t size)
{
	return ((uint64_t)tiny_places.pattern + VICTIMS_AT + next() % VICTIMS) & ~(size - 1);
}

/* A leaf of LEVEL maps SIZE bytes. One that is larger than all victims may be read only: the guest's own code is in it. */
static uint64_t leaf(unsigned int level, uint64_t size)
{
	uint64_t entry = (next() << 30 ^ next()) & ATTRIBUTES, address = victim(size);
	bool small = size <= SMALL_BLOCK;

	if (!small || next() % 4 == 0)
		entry |= READ_ONLY;
	if (next() % 8)
		entry |= ACCESSED;
	/* Not a page: what is one here may be a table elsewhere, and a walk that leads to nothing is the end of the guest. */
	if (size == SMALL_BLOCK && next() % 8 == 0)
		address = (uint64_t)tiny_places.hole & ~(size - 1);
	if (next() % 16 == 0)
		address |= BEYOND;
	return entry | address | VALID | (level == 3 ? NOT_BLOCK : 0);
}

static uint64_t any_entry(unsigned int level, const struct granule *g)
{
	uint64_t size = 1ul << (g->shift + (3 - level) * (g->shift - 3));

	if (next() % 8 == 0)
		return (next() << 30 ^ next()) & ~VALID;
	if (level < 3 && next() % 4)
		return table((unsigned int)(next() % TABLES)) | VALID | NOT_BLOCK |
		       (next() % 4 ? 0 : next() << 50 & TABLE_ATTRIBUTES) |
		       (next() % 16 ? 0 : BEYOND);
	return leaf(level, size);
}

/* A table is one of a level, so that what leads to it may find tables where it looks for pages, and the reverse. */
static void make_form(const struct granule *g, unsigned int bits)
{
	uint64_t tcr =
		read_sysreg(tcr_el1) & ~(0xfffful << 16) & ~TCR_UPPER_OFF & ~TCR_UPPER_TAGGED;

	for (unsigned int i = 0; i < TABLES; i++) {
		uint64_t *entries = (uint64_t *)table(i);
		unsigned int level = i % 4;

		if (level == 0)
			level = 1; /* no block is there at level 0, nor with most granules at level 1 */
		for (unsigned int k = 0; k < TABLE_SIZE / 8; k++)
			entries[k] = any_entry(level, g);
	}
	tcr |= TCR_UPPER_SIZE(bits) | TCR_UPPER_GRANULE(g->code) | TCR_UPPER_CACHED;
	if (next() & 1)
		tcr |= TCR_UPPER_TAGGED;
	write_sysreg(ttbr1_el1, table((unsigned int)(next() % TABLES)));
	write_sysreg(tcr_el1, tcr);
	asm volatile("dsb ishst\n\ttlbi vmalle1\n\tdsb ish\n\tisb" : : : "memory");
}

/* PAR_EL1 of a read or a write at AT. */
static uint64_t translate(uint64_t at, bool write)
{
	bool on = events_off();
	uint64_t par;

	if (write)
		asm volatile("at s1e1w, %0\n\tisb" : : "r"(at) : "memory");
	else
		asm volatile("at s1e1r, %0\n\tisb" : : "r"(at) : "memory");
	par = read_sysreg(par_el1);
	events_restore(on);
	return par;
}

static bool is_ram(uint64_t address)
{
	return address >= (uint64_t)tiny_places.memory &&
	       address < (uint64_t)tiny_places.memory + tiny_places.memory_size;
}

static void complain(const char *what, uint64_t at, uint64_t par)
{
	printf("# %s: %lx, TCR %lx, PAR %lx\n", what, at, read_sysreg(tcr_el1), par);
}

/* A page whose flag of an access is clear is reached all the same, by Xen and Tine: to be accessed is no right. */
static bool is_left_open(uint64_t par)
{
	return par & PAR_FAILED && (PAR_STATUS(par) & 0x3c) == STATUS_ACCESS;
}

static bool look(uint64_t at)
{
	uint64_t par = translate(at, false), where = (par & PAR_ADDRESS) | (at & ~PAGE_MASK);
	bool can = !(par & PAR_FAILED) && is_ram(where);
	bool did = hv_event_channel_op(EVTCHNOP_send, (void *)at) != -XEN_EFAULT;

	if (is_left_open(par))
		return true;
	reached += did;
	refused += !did;
	if (can != did)
		complain(did ? "read where the CPU does not" : "not read", at, par);
	return can == did;
}

static bool look_and_write(uint64_t at)
{
	uint64_t par = translate(at, true), where = (par & PAR_ADDRESS) | (at & ~PAGE_MASK);
	bool can = !(par & PAR_FAILED) && is_ram(where);
	xen_extraversion_t extra;
	bool did;

	/* A read-only leaf of these tables may map the guest's own; a table may be changed by nobody while they are in use. */
	if (is_left_open(par))
		return true;
	if (can && (where < (uint64_t)tiny_places.pattern + VICTIMS_AT ||
		    where >= (uint64_t)tiny_places.pattern + VICTIMS_AT + VICTIMS))
		return true;
	did = hv_xen_version(XENVER_extraversion, (void *)at) == 0;
	written += did;
	if (can != did) {
		complain(did ? "written where the CPU does not" : "not written", at, par);
		return false;
	}
	if (did && (hv_xen_version(XENVER_extraversion, extra) ||
		    memcmp((void *)where, extra, strlen(extra)))) {
		complain("written elsewhere", at, par);
		return false;
	}
	return true;
}

TINY_TEST(tables_forms, "pointers.tables",
	  "the hypervisor's walk of a guest's tables must be the CPU's, whatever is in them")
{
	uint64_t features = read_sysreg(id_aa64mmfr0_el1), tcr = read_sysreg(tcr_el1);
	unsigned int wrong = 0;

	SKIP_IF(!hypervisor_is_tine(),
		"Xen 4.17 on this machine reaches where AT says that the CPU does not");
	random_state = 20261130;
	for (unsigned int form = 0; form < FORMS && !wrong; form++) {
		const struct granule *g = &granules[next() % ARRAY_SIZE(granules)];
		unsigned int bits = 25 + (unsigned int)(next() % 24);

		if ((features >> g->id_shift & 15) == g->id_none)
			continue;
		make_form(g, bits);
		for (unsigned int i = 0; i < LOOKS; i++) {
			uint64_t at = (~0ul << bits | (next() << 20 ^ next())) & ~63ul;

			if (next() % 8 == 0)
				at &= ~(0xfful
					<< 56); /* a tag, or an address that there is none of */
			wrong += !look(at) + !look_and_write(at);
		}
	}
	write_sysreg(tcr_el1, tcr);
	asm volatile("tlbi vmalle1\n\tdsb nsh\n\tisb" : : : "memory");
	EXPECT_EQ(wrong, 0);
	printf("# tables: %u reached, %u of them written, %u refused\n", reached, written, refused);
	EXPECT(reached > 100 && written > 50 && refused > 100);
}
