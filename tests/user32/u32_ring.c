// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that take turns: whoever reads a byte from his pipe has the token. */
#include "u32.h"

#define MAX_PROCESSES 8u

static int pipes[MAX_PROCESSES][2];

static u32 take_turns(u32 number, u32 processes, u32 rounds, bool (*checker)(u32 number))
{
	u32 wrong = 0, i;
	char token;

	for (i = 0; i < rounds; i++) {
		if (sys_read(pipes[number][0], &token, 1) != 1)
			return wrong + 1;
		wrong += !checker(number);
		(void)sys_write(pipes[(number + 1) % processes][1], &token, 1);
	}
	return wrong;
}

u32 ring(u32 processes, u32 rounds, void (*setup)(u32 number), bool (*checker)(u32 number))
{
	u32 i, wrong;

	for (i = 0; i < processes; i++)
		if (sys_pipe(pipes[i]))
			return 1;
	for (i = 1; i < processes; i++) {
		if (sys_fork())
			continue;
		setup(i);
		wrong = take_turns(i, processes, rounds, checker);
		sys_exit(wrong > 255 ? 255 : (int)wrong);
	}
	setup(0);
	(void)sys_write(pipes[0][1], "x", 1);
	wrong = take_turns(0, processes, rounds, checker);
	for (i = 1; i < processes; i++)
		wrong += (u32)sys_wait();
	for (i = 0; i < processes; i++) {
		sys_close(pipes[i][0]);
		sys_close(pipes[i][1]);
	}
	return wrong;
}
