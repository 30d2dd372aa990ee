// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64: what a CPU holds of a vCPU is that vCPU's, whoever ran in between: floating point and the system registers that guests of all kinds have. A second
 * vCPU on the same CPU, where there is one, has other values in all of them, and looks after its own as well.
 */
#include "tiny_case.h"
#include "tinyarm_second.h"

#define ROUNDS 50u
#define VECTORS 32u

struct registers {
	uint64_t vectors[2 * VECTORS]; /* first: for the assembly */
	uint64_t fpcr, fpsr, thread[3], context, fault[4], cache, timer;
};

static volatile bool stop;
static volatile unsigned int second_rounds, second_wrong;

static void load_vectors(const uint64_t *from)
{
	asm volatile(
		"ldp q0, q1, [%0]\n\tldp q2, q3, [%0, #32]\n\tldp q4, q5, [%0, #64]\n\t"
		"ldp q6, q7, [%0, #96]\n\tldp q8, q9, [%0, #128]\n\tldp q10, q11, [%0, #160]\n\t"
		"ldp q12, q13, [%0, #192]\n\tldp q14, q15, [%0, #224]\n\tldp q16, q17, [%0, "
		"#256]\n\t"
		"ldp q18, q19, [%0, #288]\n\tldp q20, q21, [%0, #320]\n\tldp q22, q23, [%0, "
		"#352]\n\t"
		"ldp q24, q25, [%0, #384]\n\tldp q26, q27, [%0, #416]\n\tldp q28, q29, [%0, "
		"#448]\n\t"
		"ldp q30, q31, [%0, #480]"
		:
		: "r"(from)
		: "memory");
}

static void store_vectors(uint64_t *to)
{
	asm volatile(
		"stp q0, q1, [%0]\n\tstp q2, q3, [%0, #32]\n\tstp q4, q5, [%0, #64]\n\t"
		"stp q6, q7, [%0, #96]\n\tstp q8, q9, [%0, #128]\n\tstp q10, q11, [%0, #160]\n\t"
		"stp q12, q13, [%0, #192]\n\tstp q14, q15, [%0, #224]\n\tstp q16, q17, [%0, "
		"#256]\n\t"
		"stp q18, q19, [%0, #288]\n\tstp q20, q21, [%0, #320]\n\tstp q22, q23, [%0, "
		"#352]\n\t"
		"stp q24, q25, [%0, #384]\n\tstp q26, q27, [%0, #416]\n\tstp q28, q29, [%0, "
		"#448]\n\t"
		"stp q30, q31, [%0, #480]"
		:
		: "r"(to)
		: "memory");
}

static void put(const struct registers *r)
{
	load_vectors(r->vectors);
	write_sysreg(fpcr, r->fpcr);
	write_sysreg(fpsr, r->fpsr);
	write_sysreg(tpidr_el0, r->thread[0]);
	write_sysreg(tpidrro_el0, r->thread[1]);
	write_sysreg(tpidr_el1, r->thread[2]);
	write_sysreg(contextidr_el1, r->context);
	write_sysreg(esr_el1, r->fault[0]);
	write_sysreg(far_el1, r->fault[1]);
	write_sysreg(elr_el1, r->fault[2]);
	write_sysreg(sp_el0, r->fault[3]);
	write_sysreg(csselr_el1, r->cache);
	write_sysreg(cntkctl_el1, r->timer);
}

static void get(struct registers *r)
{
	store_vectors(r->vectors);
	r->fpcr = read_sysreg(fpcr);
	r->fpsr = read_sysreg(fpsr);
	r->thread[0] = read_sysreg(tpidr_el0);
	r->thread[1] = read_sysreg(tpidrro_el0);
	r->thread[2] = read_sysreg(tpidr_el1);
	r->context = read_sysreg(contextidr_el1);
	r->fault[0] = read_sysreg(esr_el1);
	r->fault[1] = read_sysreg(far_el1);
	r->fault[2] = read_sysreg(elr_el1);
	r->fault[3] = read_sysreg(sp_el0);
	r->cache = read_sysreg(csselr_el1);
	r->timer = read_sysreg(cntkctl_el1);
}

static void make(struct registers *r, uint64_t seed)
{
	for (unsigned int i = 0; i < 2 * VECTORS; i++)
		r->vectors[i] = (seed << 32 | i) * 0x9e3779b97f4a7c15ul;
	r->fpcr = (seed & 3) << 22; /* how to round */
	r->fpsr = seed & 0x1f;
	for (unsigned int i = 0; i < 3; i++)
		r->thread[i] = seed * 1000 + i;
	r->context = seed & 0xff;
	r->fault[0] = seed & 0xffff;
	for (unsigned int i = 1; i < 4; i++)
		r->fault[i] = seed * 77000 + i;
	r->cache = seed & 1;
	r->timer = seed & 3;
}

/* Interrupts are off: their way in and out changes some of these. Returns how many words differ. */
static unsigned int yield_with(uint64_t seed)
{
	static const size_t words = sizeof(struct registers) / sizeof(uint64_t);
	struct registers mine, now;
	unsigned int wrong = 0;

	memset(&mine, 0, sizeof(mine)); /* what lies between its members is compared as well */
	memset(&now, 0, sizeof(now));
	make(&mine, seed);
	put(&mine);
	hv_sched_op(SCHEDOP_yield, NULL);
	get(&now);
	for (size_t i = 0; i < words; i++)
		wrong += ((uint64_t *)&mine)[i] != ((uint64_t *)&now)[i];
	return wrong;
}

static void second(void)
{
	events_off();
	while (!stop) {
		second_wrong += yield_with(2 + 2 * second_rounds);
		second_rounds++;
	}
}

TINY_TEST(state_kept, "state.kept",
	  "registers that guests count on are as they were when the vCPU runs again")
{
	bool others = tinyarm_machine.cpus > 1;
	unsigned int wrong = 0;

	stop = false;
	second_rounds = second_wrong = 0;
	if (others)
		REQUIRE(second_cpu_run(second));
	events_off();
	for (unsigned int i = 0; i < ROUNDS || (others && second_rounds < ROUNDS && i < 100000);
	     i++)
		wrong += yield_with(1 + 2 * i);
	write_sysreg(fpcr, 0);
	write_sysreg(cntkctl_el1, 0);
	events_on();
	stop = true;
	EXPECT_EQ(wrong, 0);
	if (others) {
		EXPECT(second_cpu_is_off());
		EXPECT(second_rounds >= ROUNDS);
		EXPECT_EQ(second_wrong, 0);
	}
}
