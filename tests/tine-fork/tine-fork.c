// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tine-fork: the machine forks itself, at a shell's word. `tine-fork` alone says in both who it is; the other words are the operations of
 * tine/fork_op.h; `loop` is in small what a fuzzer does, and checks itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "tine_fork.h"

static struct input {
	uint64_t number;
	unsigned char pattern[4096];
} input;

static int fail(const char *what, long error)
{
	printf("tine-fork: %s: %s\n", what, strerror((int)-error));
	return 1;
}

static int say(const char *what, long result)
{
	return result < 0 ? fail(what, result) : 0;
}

static int fork_once(void)
{
	long child = tine_fork_self(0);

	if (child < 0)
		return fail("fork", child);
	if (child)
		printf("tine-fork: I am the parent of %ld\n", child);
	else
		printf("tine-fork: I am the fork\n");
	return 0;
}

static int wait_for(long child)
{
	long result = tine_fork_wait(child);

	if (result < 0)
		return fail("wait", result);
	printf("tine-fork: %ld ended with code %ld, reason %ld\n", child, TINE_FORK_CODE(result),
	       TINE_FORK_REASON(result));
	return 0;
}

static unsigned int digest(void)
{
	unsigned int sum = (unsigned int)input.number * 31;

	for (size_t i = 0; i < sizeof(input.pattern); i++)
		sum = sum * 5 + input.pattern[i];
	return sum & 0xff;
}

static void make_input(uint64_t number)
{
	input.number = number;
	for (size_t i = 0; i < sizeof(input.pattern); i++)
		input.pattern[i] = (unsigned char)(number * 7 + i);
}

/* One fork, as many inputs: it computes something of each, and says by its code what. */
static int loop(unsigned long count)
{
	long child;

	memset(&input, 0xff, sizeof(input));
	if (mlock(&input, sizeof(input)))
		perror("mlock");
	child = tine_fork_self(TINE_FORK_WAITS);
	if (child < 0)
		return fail("fork", child);
	if (!child) {
		tine_fork_exit(digest());
		return 1;
	}
	for (unsigned long i = 0; i < count; i++) {
		long result;

		make_input(i);
		result = tine_fork_reset(child, &input, sizeof(input));
		if (result)
			return fail("reset", result);
		result = tine_fork_wait(child);
		if (result != (long)digest()) {
			printf("tine-fork: input %lu: %lx instead of %x\n", i, result, digest());
			return 1;
		}
	}
	printf("tine-fork: %lu inputs, all as expected\n", count);
	return say("destroy", tine_fork_destroy(child));
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "fork";
	long number = argc > 2 ? strtol(argv[2], NULL, 0) : 0;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (tine_fork_open())
		return fail("/dev/xen/privcmd", -errno);
	if (!strcmp(word, "fork"))
		return fork_once();
	if (!strcmp(word, "wait"))
		return wait_for(number);
	if (!strcmp(word, "reset"))
		return say(word, tine_fork_reset(number, NULL, 0));
	if (!strcmp(word, "destroy"))
		return say(word, tine_fork_destroy(number));
	if (!strcmp(word, "exit"))
		return say(word, tine_fork_exit((unsigned int)number));
	if (!strcmp(word, "loop"))
		return loop((unsigned long)number);
	printf("usage: tine-fork [fork | wait ID | reset ID | destroy ID | exit CODE | loop "
	       "COUNT]\n");
	return 2;
}
