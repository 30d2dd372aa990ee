/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 32-bit program without a library, for Linux in a 64-bit PV guest: what it shares among its files.
 */
#ifndef U32_H
#define U32_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t u32;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- u32_entry.S ---- */
enum way { BY_INT80, BY_SYSINFO };

struct u32_regs {
	u32 eax, ebx, ecx, edx, esi, edi, ebp, eflags;
};

void u32_call(u32 way, struct u32_regs *regs);
void u32_restorer(void);
int u32_try_syscall(void);
int u32_try_sysenter(void);
int u32_try_load_gs(u32 selector);
extern const char u32_faulted[];
u32 u32_in_segment(u32 selector);

/* ---- u32_sys.c: system calls by name; a result is the kernel's, a negated errno below 0 ---- */
extern u32 u32_sysinfo;  /* the kernel's way in for 32-bit programs */
extern enum way u32_way; /* that of the functions below */

long sys(u32 number, u32 a1, u32 a2, u32 a3, u32 a4, u32 a5, u32 a6);
long sys_fork(void);
long sys_wait(void); /* for any child: its exit code, or 256 and more for one that a signal ended */
long sys_read(int fd, void *to, u32 size);
long sys_write(int fd, const void *from, u32 size);
long sys_open(const char *path);
void sys_close(int fd);
long sys_pipe(int fds[2]);
long sys_getpid(void);
_Noreturn void sys_exit(int code);

/* What set_thread_area and modify_ldt take. */
struct user_desc {
	u32 entry, base, limit, flags;
};

#define DESC_DATA 0x51u /* 32-bit, writable, limit in pages, useable */
#define DESC_CODE 0x55u
#define DESC_EMPTY 0x28u /* read-only, not present: with base and limit 0 it clears an entry */

long sys_set_thread_area(struct user_desc *desc);
long sys_write_ldt(const struct user_desc *desc);

/* Signal NUMBER goes to HANDLER, with the context whose words are named below. */
void on_signal(int number, void (*handler)(int number, void *info, u32 *context));
enum { CONTEXT_TRAP = 17, CONTEXT_ERROR = 18, CONTEXT_EIP = 19, CONTEXT_EFLAGS = 21 };
enum { SIGILL = 4, SIGTRAP = 5, SIGSEGV = 11 };

/* ---- u32_say.c ---- */
void say(const char *format, ...); /* %s %u %d %x */
bool same_text(const char *a, const char *b);
u32 number_of(const char *text);
/* A check's verdict: one line each. */
void check(bool good, const char *of, const char *what);
u32 checks_failed(void);

/* ---- u32_ring.c ---- */

/*
 * PROCESSES pass a token ROUNDS times round a ring of pipes. Each calls SETUP with its number first,
 * and CHECK each time that it has the token. Returns how often CHECK was false, all together.
 */
u32 ring(u32 processes, u32 rounds, void (*setup)(u32 number), bool (*checker)(u32 number));

/* ---- segments ---- */
#define LOAD_SEGMENT(reg, selector) __asm__ volatile("mov %0, %%" reg : : "r"((u32)(selector)))
#define READ_SEGMENT(reg)                                                                          \
	({                                                                                         \
		u32 word_;                                                                         \
		__asm__ volatile("mov %%" reg ":0, %0" : "=r"(word_));                             \
		word_;                                                                             \
	})

/* The instruction at the kernel's address that gets into the kernel. */
const char *sysinfo_instruction(void);

void test_calls(void);
void test_tls(void);
void test_ldt(void);
void prices(u32 count);
int pingpong(const char *mode, u32 switches);

#endif
