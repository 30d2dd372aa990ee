// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `tls`: what thread-local storage in descriptors costs at a task switch.
 * Each task has three TLS descriptors (GDT entries 12 to 14). As with glibc the first is its own
 * and the others are common to the tasks, though every fourth task has a second one of its own too.
 *
 * Two modes. `always`: three update_descriptor at every switch, as Linux did for long. `shadow`:
 * the guest remembers what it last asked for and asks only for what changed. It cannot compare with
 * the table itself, because the hypervisor stores descriptors adjusted (privilege raised to 3).
 *
 * Two workloads after lmbench. `lat_ctx`: 24 tasks pass a token round a ring of pipes; whoever has
 * it sums 32 KiB of its own. `lat_pipe`: two tasks send a word to and fro.
 *
 * Figures are per switch: TSC ticks (instructions under icount) less what the summing alone takes,
 * as lmbench has it; hypercalls are all that the switches made, among them one stack_switch each.
 * After every switch the task reads a word through %gs and %fs and must find its own.
 */
#include "tiny_event.h"
#include "tiny_lib.h"
#include "tiny_task.h"
#include "tiny_work.h"
#include "tinypv.h"
#include "tinypv_gdt.h"
#include "tinypv_hypercall.h"
#include "tinypv_user.h"

#define TRIES 5
#define CTX_TASKS 24u
#define CTX_WORDS (32 * 1024 / sizeof(uint64_t))

/* Segment bases have 32 bits; the kernel's upper half of the address comes by the offset. */
#define UPPER_HALF 0xffffffff00000000ul

struct tls_task {
	uint64_t descriptor[GDT_TLS_COUNT];
	uint64_t block[GDT_TLS_COUNT]; /* the first words of what the descriptors point at */
	struct task_pipe *in, *out;
	uint64_t *set;
	uint64_t rounds;
	bool starts;
};

enum mode { ALWAYS, SHADOW };
static const char *const mode_names[] = { "always", "shadow" };

static struct {
	enum mode mode;
	uint64_t shadow[GDT_TLS_COUNT];
	uint64_t slot_at[GDT_TLS_COUNT];
	uint64_t switches, hypercalls, wrong;
	uint64_t sum;
} state;

static struct tls_task tasks[CTX_TASKS];
static struct task_pipe pipes[CTX_TASKS];
static uint64_t sets[CTX_TASKS][CTX_WORDS] __page_aligned;
static uint64_t common_block[GDT_TLS_COUNT];

static void load_descriptor(unsigned int i, uint64_t descriptor)
{
	state.hypercalls++;
	if (hv_update_descriptor(state.slot_at[i], descriptor))
		tiny_fail("update_descriptor for a TLS slot");
}

static void load_tls(const struct tls_task *to)
{
	unsigned int i;

	for (i = 0; i < GDT_TLS_COUNT; i++) {
		if (state.mode == SHADOW && state.shadow[i] == to->descriptor[i])
			continue;
		load_descriptor(i, to->descriptor[i]);
		state.shadow[i] = to->descriptor[i];
	}
}

static void on_switch(struct task *from, struct task *to)
{
	(void)from;
	if (!to->argument)
		return; /* the boot context has no TLS */
	state.switches++;
	state.hypercalls++;
	if (hv_stack_switch(FLAT_KERNEL_SS, user_kernel_stack_top()))
		tiny_fail("stack_switch");
	load_tls(to->argument);
	/* Only loading the selector makes the processor look at the new descriptor. */
	asm volatile("mov %0, %%gs; mov %1, %%fs"
		     :
		     : "r"(SELECTOR(GDT_TLS)), "r"(SELECTOR(GDT_TLS + 1)));
}

static uint64_t read_gs_word(void)
{
	uint64_t word;

	asm volatile("mov %%gs:(%1), %0" : "=r"(word) : "r"(UPPER_HALF));
	return word;
}

static uint64_t read_fs_word(void)
{
	uint64_t word;

	asm volatile("mov %%fs:(%1), %0" : "=r"(word) : "r"(UPPER_HALF));
	return word;
}

/* The word a block starts with is its own address: nobody else's fits. */
static void check(const struct tls_task *self)
{
	uint64_t fs_block = UPPER_HALF | (self->descriptor[1] >> 16 & 0xffffff) |
			    (self->descriptor[1] >> 56 << 24);

	if (read_gs_word() != (uint64_t)&self->block[0] || read_fs_word() != fs_block)
		state.wrong++;
}

static uint64_t sum_set(const uint64_t *set)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < CTX_WORDS; i++)
		sum += *(const volatile uint64_t *)&set[i];
	return sum;
}

static void ring_task(void *argument)
{
	struct tls_task *self = argument;
	uint64_t round;

	for (round = 0; round < self->rounds; round++) {
		if (!self->starts || round)
			task_pipe_read(self->in);
		check(self);
		if (self->set)
			state.sum += sum_set(self->set);
		task_pipe_write(self->out, round);
	}
}

static void set_up_task(unsigned int i, unsigned int count, uint64_t rounds, bool with_set)
{
	struct tls_task *task = &tasks[i];
	unsigned int slot;

	*task = (struct tls_task){
		.in = &pipes[i],
		.out = &pipes[(i + 1) % count],
		.set = with_set ? sets[i] : NULL,
		.rounds = rounds,
		.starts = i == 0,
	};
	for (slot = 0; slot < GDT_TLS_COUNT; slot++) {
		bool own = slot == 0 || (slot == 1 && i % 4 == 3);
		uint64_t *block = own ? &task->block[slot] : &common_block[slot];

		*block = (uint64_t)block;
		/*
		 * Ring 0, as a careless caller would: what is stored then differs from what was
		 * asked for.
		 */
		task->descriptor[slot] =
			gdt_data_descriptor((uint32_t)(uint64_t)block, 0xfffff) & ~DESC_DPL3;
	}
	task_start(ring_task, task);
}

static uint64_t time_of_sets(unsigned int count, uint64_t rounds, bool with_set)
{
	uint64_t start = tsc_now(), left;

	for (left = with_set ? count * rounds : 0; left; left--)
		state.sum += sum_set(sets[left % count]);
	return tsc_now() - start;
}

/* Ticks of the TSC that all the switches took, the work between them not counted. */
static const char *run_once(enum mode mode, unsigned int count, uint64_t rounds, bool with_set,
			    uint64_t *ticks)
{
	uint64_t start, spent, idle = time_of_sets(count, rounds, with_set);
	unsigned int i;

	memset(&state, 0, sizeof(state));
	memset(pipes, 0, sizeof(pipes));
	state.mode = mode;
	for (i = 0; i < GDT_TLS_COUNT; i++) {
		state.slot_at[i] = gdt_machine_address(GDT_TLS + i);
		if (hv_update_descriptor(state.slot_at[i], 0))
			return "clearing a TLS slot";
	}
	for (i = 0; i < count; i++)
		set_up_task(i, count, rounds, with_set);
	task_set_switch_hook(on_switch);
	start = tsc_now();
	task_run_all();
	spent = tsc_now() - start;
	task_set_switch_hook(NULL);
	asm volatile("mov %0, %%gs; mov %0, %%fs" : : "r"(0));
	*ticks = spent > idle ? spent - idle : 0;
	return state.wrong ? "a task read another task's thread-local storage" : NULL;
}

/* The fastest of some runs: where the machine's CPU is a host's thread, the others tell of the host. */
static const char *run(enum mode mode, const char *workload, unsigned int count, uint64_t rounds,
		       bool with_set, uint64_t *hypercalls)
{
	uint64_t ticks, best = ~0ul;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		const char *failure = run_once(mode, count, rounds, with_set, &ticks);

		if (failure)
			return failure;
		if (ticks < best)
			best = ticks;
	}
	printf("tls: mode=%s workload=%s tasks=%u switches=%lu hypercalls=%lu "
	       "ticks_per_switch=%lu\n",
	       mode_names[mode], workload, count, state.switches, state.hypercalls,
	       best / state.switches);
	*hypercalls = state.hypercalls;
	return NULL;
}

static const char *compare(const char *workload, unsigned int count, uint64_t rounds, bool with_set)
{
	uint64_t always, shadow;
	const char *failure = run(ALWAYS, workload, count, rounds, with_set, &always);

	if (!failure)
		failure = run(SHADOW, workload, count, rounds, with_set, &shadow);
	if (!failure && shadow >= always)
		failure = "shadow copies saved no hypercall";
	return failure;
}

static const char *both_workloads(uint64_t rounds)
{
	const char *failure = gdt_init() ? "no GDT" : compare("lat_ctx", CTX_TASKS, rounds, true);

	return failure ? failure : compare("lat_pipe", 2, rounds * 10, false);
}

const char *work_tls(const char *line)
{
	(void)line;
	return both_workloads(200);
}

const char *work_tls_short(const char *line)
{
	(void)line;
	return both_workloads(10);
}
