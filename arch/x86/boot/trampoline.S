/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where another CPU starts: 16-bit real mode at the first byte of a page below 1 MiB, to which
 * smp_boot.c copies this code and where it fills in the words at the end. By way of the boot page
 * tables to x86_ap_start in the higher half.
 */
#include <asm/msr.h>

#define AT(symbol) (symbol - x86_trampoline)
#define SEL_CODE32 0x08
#define SEL_DATA 0x10
#define SEL_CODE64 0x18

	.section .rodata.trampoline, "a"
	.balign 16
	.globl x86_trampoline, x86_trampoline_end, x86_trampoline_words
	.code16
x86_trampoline:
	cli
	cld
	mov %cs, %ax
	mov %ax, %ds
	xor %ebx, %ebx
	mov %ax, %bx
	shl $4, %ebx /* the page's address */
	lea AT(gdt)(%ebx), %eax
	mov %eax, AT(gdtr) + 2
	lea AT(protected)(%ebx), %eax
	mov %eax, AT(far32)
	lea AT(long_mode)(%ebx), %eax
	mov %eax, AT(far64)
	lgdtl AT(gdtr)
	mov $CR0_PE, %eax
	mov %eax, %cr0
	ljmpl *AT(far32)

	.code32
protected:
	mov $SEL_DATA, %eax
	mov %eax, %ds
	mov %eax, %ss
	mov $CR4_PAE, %eax
	mov %eax, %cr4
	mov AT(word_cr3)(%ebx), %eax
	mov %eax, %cr3
	mov $MSR_EFER, %ecx
	mov AT(word_efer)(%ebx), %eax
	xor %edx, %edx
	wrmsr
	mov $CR0_PG | CR0_WP | CR0_NE | CR0_ET | CR0_MP | CR0_PE, %eax
	mov %eax, %cr0
	ljmpl *AT(far64)(%ebx)

	.code64
long_mode:
	movabs $x86_ap_start, %rax
	jmp *%rax

	.balign 8
gdt:
	.quad 0
	.quad 0x00cf9b000000ffff
	.quad 0x00cf93000000ffff
	.quad 0x00af9b000000ffff
gdtr:
	.short . - gdt - 1
	.long 0
	.balign 4
far32:
	.long 0
	.short SEL_CODE32
	.balign 4
far64:
	.long 0
	.short SEL_CODE64
	.balign 4
x86_trampoline_words: /* struct trampoline_words in smp_boot.c */
word_cr3:
	.long 0
word_efer:
	.long 0
x86_trampoline_end:

/*
 * In the higher half, still on the boot page tables: takes what smp_boot.c prepared for the one CPU
 * that is starting.
 */
	.text
	.globl x86_ap_start
x86_ap_start:
	xor %eax, %eax
	mov %eax, %ds
	mov %eax, %es
	mov %eax, %ss
	mov %eax, %fs
	mov %eax, %gs
	mov x86_ap_boot(%rip), %rax /* struct ap_boot: cr3, stack, GS base */
	mov %rax, %cr3
	mov x86_ap_boot + 8(%rip), %rsp
	mov $MSR_GS_BASE, %ecx
	mov x86_ap_boot + 16(%rip), %eax
	mov x86_ap_boot + 20(%rip), %edx
	wrmsr
	xor %ebp, %ebp
	call x86_ap_main
	ud2

	.section .note.GNU-stack, "", @progbits
