/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests and the library want of a guest of any kind; each kind has it in its own way (pv/tinypv_kind.c, arm64/tinyarm_kind.c).
 */
#ifndef TINY_GUEST_H
#define TINY_GUEST_H

#include "tiny_types.h"

struct guest_kind {
	const char *capability;        /* by which the hypervisor says that it runs such guests */
	const uint64_t *bad_addresses; /* for arguments; up to a 0 */
};
extern const struct guest_kind guest_kind;

/* Xen and Tine differ where the interface leaves it open: for tests that must know. */
bool hypervisor_is_tine(void);
bool guest_is_initial(void);
uint64_t guest_memory(void); /* bytes */

/* The rings of a domain that is not the initial one; NULL in that one. */
struct tiny_rings {
	void *console, *store;
	unsigned int console_port, store_port;
};
extern struct tiny_rings tiny_rings;

/* The number by which calls name a page's frame. */
uint64_t frame_of(const void *page);

/* How the guest's own tables map a page: not, to be read, to be read and written. -errno from the hypervisor. */
int __must_check page_hide(const void *page);
int __must_check page_set_readonly(const void *page);
int __must_check page_set_writable(const void *page);

/* A page's worth of addresses where there is nothing, for a frame of somebody's; and what is there now. */
void *window_take(void);
void window_give(void *window);
bool window_can_read(const void *window);
bool window_can_write(const void *window);

#ifdef __aarch64__
#define cpu_relax() asm volatile("yield" : : : "memory")
#else
#define cpu_relax() asm volatile("pause" : : : "memory")
#endif

#endif
