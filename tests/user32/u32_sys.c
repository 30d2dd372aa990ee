// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linux's i386 system calls, by the way that u32_way says, and the little that a C compiler wants.
 * Numbers: Linux's arch/x86/entry/syscalls/syscall_32.tbl.
 */
#include "u32.h"

enum {
	NR_EXIT = 1,
	NR_FORK = 2,
	NR_READ = 3,
	NR_WRITE = 4,
	NR_OPEN = 5,
	NR_CLOSE = 6,
	NR_WAITPID = 7,
	NR_GETPID = 20,
	NR_PIPE = 42,
	NR_MODIFY_LDT = 123,
	NR_RT_SIGACTION = 174,
	NR_SET_THREAD_AREA = 243,
};

#define MODIFY_LDT_WRITE 0x11
#define SA_SIGINFO 4u
#define SA_RESTORER 0x04000000u
#define SA_NODEFER 0x40000000u

u32 u32_sysinfo;
enum way u32_way = BY_INT80;

void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);
void *memset(void *to, int byte, __SIZE_TYPE__ size);

void *memcpy(void *to, const void *from, __SIZE_TYPE__ size)
{
	void *at = to;

	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
	return to;
}

void *memset(void *to, int byte, __SIZE_TYPE__ size)
{
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(byte) : "memory");
	return to;
}

long sys(u32 number, u32 a1, u32 a2, u32 a3, u32 a4, u32 a5, u32 a6)
{
	struct u32_regs regs = { number, a1, a2, a3, a4, a5, a6, 0x202 };

	u32_call(u32_way, &regs);
	return (long)regs.eax;
}

static long sys3(u32 number, u32 a1, u32 a2, u32 a3)
{
	return sys(number, a1, a2, a3, 0, 0, 0);
}

long sys_fork(void)
{
	return sys3(NR_FORK, 0, 0, 0);
}

long sys_wait(void)
{
	u32 status = 0;
	long child = sys3(NR_WAITPID, (u32)-1, (u32)&status, 0);

	if (child < 0)
		return child;
	return status & 0x7f ? 256 + (status & 0x7f) : status >> 8;
}

long sys_read(int fd, void *to, u32 size)
{
	return sys3(NR_READ, (u32)fd, (u32)to, size);
}

long sys_write(int fd, const void *from, u32 size)
{
	return sys3(NR_WRITE, (u32)fd, (u32)from, size);
}

long sys_open(const char *path)
{
	return sys3(NR_OPEN, (u32)path, 0, 0);
}

void sys_close(int fd)
{
	(void)sys3(NR_CLOSE, (u32)fd, 0, 0);
}

long sys_pipe(int fds[2])
{
	return sys3(NR_PIPE, (u32)fds, 0, 0);
}

long sys_getpid(void)
{
	return sys3(NR_GETPID, 0, 0, 0);
}

void sys_exit(int code)
{
	for (;;)
		(void)sys3(NR_EXIT, (u32)code, 0, 0);
}

long sys_set_thread_area(struct user_desc *desc)
{
	return sys3(NR_SET_THREAD_AREA, (u32)desc, 0, 0);
}

long sys_write_ldt(const struct user_desc *desc)
{
	return sys3(NR_MODIFY_LDT, MODIFY_LDT_WRITE, (u32)desc, sizeof(*desc));
}

void on_signal(int number, void (*handler)(int number, void *info, u32 *context))
{
	struct {
		u32 handler, flags, restorer, mask[2];
	} action = {
		(u32)handler, SA_SIGINFO | SA_RESTORER | SA_NODEFER, (u32)u32_restorer, { 0 }
	};

	(void)sys(NR_RT_SIGACTION, (u32)number, (u32)&action, 0, sizeof(action.mask), 0, 0);
}
