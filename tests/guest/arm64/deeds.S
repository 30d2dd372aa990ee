/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest for arm64 of a few instructions, MMU off, built once for each DEED (tests/qemu/test_arm64_guests.py). It greets by console_io; then with DEED 0 it
 * looks at what hypercalls and PSCI answer and goes off, with the others it does what no guest has a reason for.
 */
#define CONSOLE_IO 18
#define XEN_VERSION 17
#define UPDATE_DESCRIPTOR 10
#define ENOSYS 38
#define PSCI_VERSION 0x84000000
#define PSCI_SYSTEM_OFF 0x84000008

	.macro hypercall number
	mov x16, #\number
	hvc #0xea1
	.endm

	.macro say text, length
	mov x0, #0
	mov x1, #\length
	adr x2, \text
	hypercall CONSOLE_IO
	.endm

	.macro expect value
	ldr x1, =\value
	cmp x0, x1
	b.ne wrong
	.endm

	.text
	.globl _start
_start:
	say hello, 6
#if DEED == 0
	mov x0, #0
	hypercall XEN_VERSION
	expect 0x40011
	hypercall UPDATE_DESCRIPTOR
	expect -ENOSYS
	mov x16, #63
	hvc #0xea1
	expect -ENOSYS
	ldr x0, =PSCI_VERSION
	hvc #0
	expect 0x10001
	ldr x0, =PSCI_VERSION
	smc #0
	expect 0x10001
	say right, 6
	ldr x0, =PSCI_SYSTEM_OFF
	hvc #0
#elif DEED == 1 /* nothing is there */
	mov x1, #0x1000
	ldr x0, [x1]
#elif DEED == 2 /* no such call: an exception, and there is no vector */
	hvc #5
#elif DEED == 3 /* a pair is not how a register is read */
	ldr x1, =0x03001000
	ldp x0, x2, [x1]
#elif DEED == 4 /* SVE, which ID registers do not offer */
	.inst 0x04bf5000 /* rdvl x0, #0 */
#elif DEED == 6 /* pointer authentication, which they do not offer either: it traps without EL1's leave */
	.inst 0x9ac23020 /* pacga x0, x1, x2 */
#elif DEED == 5 /* the last CPU off */
	ldr x0, =0x84000002
	hvc #0
#endif
wrong:
	say bad, 6
1:	b 1b

hello:	.ascii "hello\n"
right:	.ascii "right\n"
bad:	.ascii "wrong\n"
	.ltorg
