// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process-fork: what fork(2) costs a process of the size of a guest, for comparison with forks of guests (`tine bench fork`). It is the only process of a
 * Linux that runs on the bare machine: the kernel starts it as init with the word `sizes=64:40,512:40` in its environment, MiB and how often. For each size
 * it takes memory, writes to each page, and then a round is what work_fork_bench.c does: fork, write to some pages, end, be waited for. It prints ticks
 * of the clock, once with pages of 4 KiB and once with those of 2 MiB that the kernel gives whoever asks, and switches the machine off.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>
#include "process_ticks.h"

#define MIB (1UL << 20)
#define PAGE 4096
#define ALIGN (2 * MIB)

/* Ends the machine as well: init must not return. */
static void __attribute__((noreturn)) end(const char *verdict)
{
	printf("process-fork: RESULT %s\n", verdict);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static uint64_t round_of(volatile char *memory, unsigned int dirty)
{
	uint64_t since = ticks();
	pid_t child = fork();
	int status;

	if (!child) {
		for (unsigned int i = 0; i < dirty; i++)
			memory[(size_t)i * PAGE] = 2;
		_exit(7);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
		end("failure a fork failed");
	return ticks() - since;
}

static void rounds(volatile char *memory, unsigned long mib, const char *pages, unsigned int dirty,
		   unsigned int count)
{
	(void)round_of(memory, dirty); /* the allocator's first time is another's */
	while (count--)
		printf("process-fork: mib=%lu pages=%s dirty=%u ticks=%lu\n", mib, pages, dirty,
		       (unsigned long)round_of(memory, dirty));
}

static void measure(unsigned long mib, unsigned int count, int advice, const char *pages)
{
	size_t size = mib * MIB;
	char *whole = mmap(NULL, size + ALIGN, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *memory = (char *)(((uintptr_t)whole + ALIGN - 1) & -ALIGN);

	if (whole == MAP_FAILED || madvise(memory, size, advice))
		end("failure no memory");
	for (size_t i = 0; i < size; i += PAGE)
		memory[i] = 1;
	rounds(memory, mib, pages, 1, count);
	rounds(memory, mib, pages, 64, count);
	munmap(whole, size + ALIGN);
}

int main(void)
{
	const char *sizes = getenv("sizes");

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (sizes && *sizes) {
		char *after;
		unsigned long mib = strtoul(sizes, &after, 10),
			      count = *after == ':' ? strtoul(after + 1, &after, 10) : 0;

		if (!mib || !count)
			end("failure sizes=MIB:COUNT,... expected");
		measure(mib, (unsigned int)count, MADV_NOHUGEPAGE, "4k");
		measure(mib, (unsigned int)count, MADV_HUGEPAGE, "2m");
		sizes = *after == ',' ? after + 1 : after;
	}
	end("success");
}
