// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tine-fuzz SEED INPUTS: a fuzzer in some hundred lines, for whole machines. It runs to where the parser is about to be called and forks the machine there. From
 * then on each input is one reset of the fork, one run of it, and one word of how it ended: the exit code says where the parser has been, or
 * in which chunk it crashed. Inputs that have been where none was before are kept, and become the start of others.
 *
 * A crash is tried once more in a process of its own, which tells the signal.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "notes_parser.h"
#include "tine_fork.h"

#define INPUT_MAX 96
#define KEPT_MAX 256
#define PATIENCE_US 60000 /* of the CPU's time for one input */
#define FORK_SECONDS 5
#define CRASHED 0x80U /* and the type of the chunk in which it did, a letter */
#define ENDLESS 0xffU /* wherever it was by then */

struct input {
	uint32_t size;
	unsigned char data[INPUT_MAX];
};

static struct input input, kept[KEPT_MAX];
static unsigned int nr_kept;
static unsigned char codes_seen[256];
static uint64_t random_state;

/* ---- In the fork ---- */

static unsigned char stack_for_signals[16384];

static void crashed(int signal)
{
	tine_fork_exit(signal == SIGVTALRM ? ENDLESS : CRASHED | notes_chunk);
}

static void watch_for_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM };
	stack_t stack = { .ss_sp = stack_for_signals, .ss_size = sizeof(stack_for_signals) };
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	for (unsigned int i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

static void limit_time(void)
{
	const struct itimerval patience = { .it_value = { .tv_usec = PATIENCE_US } };

	setitimer(ITIMER_VIRTUAL, &patience, NULL);
}

/* Each run begins behind tine_fork_self(), with another input in memory. */
static void run_once(void)
{
	unsigned int where;

	watch_for_crashes();
	limit_time();
	notes_parse(input.data, input.size);
	where = notes_seen * 0x9e3779b1U >> 25; /* 7 bits of what it has reached */
	tine_fork_exit(where);
}

/* ---- Inputs ---- */

static unsigned int below(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned int)(random_state >> 33) % n;
}

static unsigned char some_byte(void)
{
	static const unsigned char likely[] = { 0, 1, 2, 3, 4, 8, 16, 17, 32, 255, '!' };

	return below(2) ? likely[below(sizeof(likely))] : (unsigned char)below(256);
}

static void insert(unsigned int at, unsigned char byte)
{
	if (input.size == INPUT_MAX)
		return;
	memmove(input.data + at + 1, input.data + at, input.size - at);
	input.data[at] = byte;
	input.size++;
}

static void append_chunk(void)
{
	static const char words[] = "TWDNFPARB"; /* the dictionary */
	unsigned int length = below(4) ? below(3) : below(24);

	insert(input.size, (unsigned char)words[below(sizeof(words) - 1)]);
	insert(input.size, (unsigned char)length);
	while (length--)
		insert(input.size, some_byte());
}

/* What another has behind its two letters. */
static void splice(void)
{
	const struct input *other = &kept[below(nr_kept)];

	for (unsigned int i = 2; i < other->size; i++)
		insert(input.size, other->data[i]);
}

static void mutate(void)
{
	unsigned int at = 2 + below(input.size - 1);

	switch (below(7)) {
	case 0:
		if (at < input.size)
			input.data[at] = some_byte();
		break;
	case 1:
		if (at < input.size)
			input.data[at] ^= (unsigned char)(1U << below(8));
		break;
	case 2:
		insert(at < input.size ? at : input.size, some_byte());
		break;
	case 3:
		if (at < input.size)
			input.size = at;
		break;
	case 4:
		splice();
		break;
	default:
		append_chunk();
	}
}

static void make_input(void)
{
	input = kept[below(nr_kept)];
	for (unsigned int n = 1 + below(3); n; n--)
		mutate();
}

static void keep(void)
{
	if (nr_kept < KEPT_MAX)
		kept[nr_kept++] = input;
}

/* ---- The loop ---- */

/* The signal that ends a process with that input, 0 if none does. */
static int in_a_process(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		limit_time();
		notes_parse(input.data, input.size);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
		return 0;
	return WTERMSIG(status);
}

static void report(unsigned long number, unsigned int found, unsigned int code)
{
	int signal = in_a_process();

	if (code == ENDLESS)
		printf("fuzz: bug %u at input %lu, does not end:", found, number);
	else
		printf("fuzz: bug %u at input %lu, crash in a chunk of type %c:", found, number,
		       (int)(code & ~CRASHED));
	for (unsigned int i = 0; i < input.size; i++)
		printf(" %02x", input.data[i]);
	printf("\nfuzz: the same in a process: %s\n", signal ? strsignal(signal) : "no crash");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void progress(unsigned long inputs, unsigned int found)
{
	static double begun, told;
	double now = seconds();

	if (!told)
		begun = told = now;
	if (now - told < 1)
		return;
	told = now;
	printf("fuzz: %lu inputs, %.0f a second, %u kept, %u of %u bugs\n", inputs,
	       (double)inputs / (now - begun), nr_kept, found, NOTES_BUGS);
}

static int try_one(long child, unsigned long number, unsigned int *found)
{
	long result = tine_fork_reset(child, &input, sizeof(input));
	unsigned int code;

	if (!result)
		result = tine_fork_wait(child);
	if (result < 0) {
		printf("fuzz: input %lu: %s\n", number, strerror((int)-result));
		return -1;
	}
	if (TINE_FORK_REASON(result)) {
		printf("fuzz: input %lu ended the fork's kernel, reason %ld\n", number,
		       TINE_FORK_REASON(result));
		return -1;
	}
	code = TINE_FORK_CODE(result);
	if (codes_seen[code])
		return 0;
	codes_seen[code] = 1;
	if (code & CRASHED)
		report(number, ++*found, code);
	else
		keep();
	return 0;
}

/* The fork, which waits for its first input. Its clock goes on while the parser has not: each is used for a few seconds only. */
static long new_fork(void)
{
	long child;

	*(volatile uint32_t *)&input.size = 0; /* ours to write, also after a fork of the process */
	child = tine_fork_self(TINE_FORK_WAITS);
	if (!child)
		run_once();
	if (child < 0)
		printf("fuzz: fork: %s\n", strerror((int)-child));
	return child;
}

static int fuzz(unsigned long inputs)
{
	unsigned int found = 0;
	unsigned long number = 0;
	double forked = 0;
	long child = 0;

	while (number < inputs && found < NOTES_BUGS) {
		if (!child || seconds() > forked + FORK_SECONDS) {
			if (child)
				tine_fork_destroy(child);
			child = new_fork();
			if (child < 0)
				return 1;
			forked = seconds();
		}
		progress(number, found);
		make_input();
		if (try_one(child, ++number, &found))
			return 1;
	}
	tine_fork_destroy(child);
	printf("fuzz: %u of %u bugs found with %lu inputs\n", found, NOTES_BUGS, number);
	return found == NOTES_BUGS ? 0 : 1;
}

/* Files that real users have, so to say: each kind of chunk, used as it should be. */
static void keep_examples(void)
{
	static const struct input examples[] = {
		{ 9, "TNT\5hello" }, { 7, "TNW\1PD\0" },   { 8, "TNN\2hiF\0" },
		{ 6, "TNA\2\7\7" },  { 8, "TNN\1aR\1\2" }, { 8, "TNN\1aB\1\0" },
	};

	for (unsigned int i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		input = examples[i];
		keep();
		notes_parse(input.data,
			    input.size); /* what it needs is in memory, once for all forks */
	}
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc != 3 || tine_fork_open() || notes_init()) {
		printf("usage: tine-fuzz SEED INPUTS, as root, with /dev/xen/privcmd there\n");
		return 2;
	}
	random_state = strtoull(argv[1], NULL, 0) * 2 + 1;
	keep_examples();
	if (mlockall(MCL_CURRENT))
		perror("fuzz: mlockall");
	return fuzz(strtoul(argv[2], NULL, 0));
}
