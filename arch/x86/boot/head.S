/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first instructions: the multiboot2 header, the PVH note, and the way from 32-bit protected
 * mode without paging to 64-bit code in the higher half. Runs wherever the loader put the image,
 * 2 MiB aligned and below 4 GiB: EBP holds that address, and OFF(symbol)(%ebp) is a symbol's
 * physical address.
 *
 * Both entries bring 32-bit flat segments, paging off, interrupts off, and an address in EBX
 * (Multiboot2 3.3, "I386 machine state"; PVH: abi/07 7.1). From start32 on EDI is the protocol and
 * ESI that address; x86_start() gets both.
 */
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/start_protocol.h>

#define OFF(symbol) (symbol - IMAGE_VIRT_START)

#define MB2_MAGIC 0xe85250d6
#define MB2_LOADER_MAGIC 0x36d76289
#define MB2_TAG_END 0
#define MB2_TAG_MODULE_ALIGN 6
#define MB2_TAG_RELOCATABLE 10
#define MB2_PREFER_LOWEST 1
#define IMAGE_ALIGN 0x200000

#define TABLE 0x003 /* present, writable */
#define LARGE_PAGE 0x083

#define COM1 0x3f8
#define HEAD_CS 0x08

	.section .text.head, "ax"
	.code32

	.balign 8
multiboot2_header:
	.long MB2_MAGIC
	.long 0 /* i386 */
	.long .Lmultiboot2_header_end - multiboot2_header
	.long -(MB2_MAGIC + (.Lmultiboot2_header_end - multiboot2_header))

	.balign 8
	.short MB2_TAG_RELOCATABLE, 0
	.long 24
	.long IMAGE_LOAD_PADDR, 0xffffffff, IMAGE_ALIGN, MB2_PREFER_LOWEST

	.balign 8
	.short MB2_TAG_MODULE_ALIGN, 0
	.long 8

	.balign 8
	.short MB2_TAG_END, 0
	.long 8
.Lmultiboot2_header_end:

	.globl multiboot2_entry
multiboot2_entry:
	mov %eax, %ebp
	rdtsc
	mov %eax, %esi
	mov %edx, %ecx
	cmp $MB2_LOADER_MAGIC, %ebp
	jne wrong_loader
	/*
	 * No stack yet: the information's second word is reserved and takes the one return address.
	 */
	lea 8(%ebx), %esp
	call 1f
1:	pop %ebp
	sub $OFF(1b), %ebp
	mov $PROTOCOL_MULTIBOOT2, %edi
	jmp start32

	.globl pvh_entry
pvh_entry:
	rdtsc
	mov %eax, %esi
	mov %edx, %ecx
	mov $IMAGE_LOAD_PADDR, %ebp /* PVH loads as linked */
	mov $PROTOCOL_PVH, %edi

start32:
	cld
	cli
	lea OFF(boot_stack_top)(%ebp), %esp
	mov %esi, OFF(x86_boot_tsc)(%ebp)
	mov %ecx, OFF(x86_boot_tsc) + 4(%ebp)
	mov %ebx, %esi

	/* CPUID can be asked when EFLAGS.ID can be changed (Intel SDM vol. 1, 20.1). */
	pushf
	pop %eax
	mov %eax, %ecx
	xor $0x200000, %eax
	push %eax
	popf
	pushf
	pop %eax
	cmp %ecx, %eax
	je no_long_mode
	mov $0x80000000, %eax
	cpuid
	cmp $0x80000001, %eax
	jb no_long_mode
	mov $0x80000001, %eax
	cpuid
	bt $29, %edx
	jnc no_long_mode
	mov %edx, %ebx /* NX is bit 20 */

	/*
	 * The tables are laid out at build time; only what depends on the load address is added
	 * here.
	 */
	lea OFF(boot_l4)(%ebp), %eax
	add %ebp, (%eax)
	add %ebp, 257 * 8(%eax)
	add %ebp, 260 * 8(%eax)
	lea OFF(boot_l3_low)(%ebp), %eax
	add %ebp, (%eax)
	add %ebp, 8(%eax)
	add %ebp, 16(%eax)
	add %ebp, 24(%eax)
	add %ebp, OFF(boot_l3_image)(%ebp)
	lea OFF(boot_l2_image)(%ebp), %edx
	lea LARGE_PAGE(%ebp), %eax
	mov $OFF(image_end) + IMAGE_ALIGN - 1, %ecx
	shr $21, %ecx
2:	mov %eax, (%edx)
	add $IMAGE_ALIGN, %eax
	add $8, %edx
	dec %ecx
	jnz 2b

	mov $CR4_PAE, %eax
	mov %eax, %cr4
	lea OFF(boot_l4)(%ebp), %eax
	mov %eax, %cr3
	mov $MSR_EFER, %ecx
	xor %edx, %edx
	mov $EFER_SCE | EFER_LME, %eax
	bt $20, %ebx
	jnc 3f
	or $EFER_NXE, %eax
3:	wrmsr
	mov $CR0_PG | CR0_WP | CR0_NE | CR0_ET | CR0_MP | CR0_PE, %eax
	mov %eax, %cr0

	lea OFF(head_gdt)(%ebp), %eax
	push $0
	push %eax
	pushw $.Lhead_gdt_end - head_gdt - 1
	lgdt (%esp)
	lea OFF(start64)(%ebp), %eax
	push $HEAD_CS
	push %eax
	lret

	.code64
start64:
	movabs $start_high, %rax
	jmp *%rax
start_high:
	xor %eax, %eax
	mov %eax, %ds
	mov %eax, %es
	mov %eax, %ss
	mov %eax, %fs
	mov %eax, %gs
	lea boot_stack_top(%rip), %rsp
	mov %ebp, %edx
	xor %ebp, %ebp
	call x86_start
	ud2

/* ---- Messages before anything else works: COM1 at 115200 8n1, registers as they come ---- */

	.macro WRITE_UART register, value
	mov $COM1 + \register, %dx
	mov $\value, %al
	out %al, %dx
	.endm

	.code32
wrong_loader:
	mov $IMAGE_LOAD_PADDR, %ebp
	lea OFF(wrong_loader_text)(%ebp), %esi
	jmp die
no_long_mode:
	lea OFF(no_long_mode_text)(%ebp), %esi
die:
	WRITE_UART 1, 0    /* no interrupts */
	WRITE_UART 3, 0x80 /* the next two are the divisor */
	WRITE_UART 0, 1
	WRITE_UART 1, 0
	WRITE_UART 3, 3
	WRITE_UART 2, 7
4:	mov $COM1 + 5, %dx
5:	in %dx, %al
	test $0x20, %al
	jz 5b
	mov (%esi), %al
	inc %esi
	test %al, %al
	jz 6f
	mov $COM1, %dx
	out %al, %dx
	jmp 4b
6:	cli
	hlt
	jmp 6b

no_long_mode_text:
	.asciz "Tine: this CPU has no 64-bit mode (or hides it): it cannot run here. Halted.\r\n"
wrong_loader_text:
	.asciz "Tine: started by something that does not speak multiboot2. Halted.\r\n"

	.balign 8
head_gdt:
	.quad 0
	.quad 0x00af9b000000ffff
.Lhead_gdt_end:

/* The PVH note (Xen ABI, elfnote.h): name, description (the entry's physical address), type. */
	.section .note.pvh, "a"
	.balign 4
	.long 4, 8, 18 /* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz "Xen"
	.quad pvh_entry - IMAGE_VIRT_START + IMAGE_LOAD_PADDR

/*
 * Boot page tables: the first 4 GiB at 0 and at the start of the direct map, the image at its
 * address. Other CPUs pass through them on their way up. Entries hold offsets from the image's
 * start until the load address is added.
 */
	.section .data.boot_tables, "aw"
	.balign 4096
	.globl boot_l4
boot_l4:
	.quad boot_l3_low - IMAGE_VIRT_START + TABLE
	.fill 256, 8, 0
	.quad boot_l3_image - IMAGE_VIRT_START + TABLE
	.fill 2, 8, 0
	.quad boot_l3_low - IMAGE_VIRT_START + TABLE
	.fill 251, 8, 0
boot_l3_low:
	.quad boot_l2_low - IMAGE_VIRT_START + TABLE
	.quad boot_l2_low + 0x1000 - IMAGE_VIRT_START + TABLE
	.quad boot_l2_low + 0x2000 - IMAGE_VIRT_START + TABLE
	.quad boot_l2_low + 0x3000 - IMAGE_VIRT_START + TABLE
	.fill 508, 8, 0
boot_l3_image:
	.quad boot_l2_image - IMAGE_VIRT_START + TABLE
	.fill 511, 8, 0
boot_l2_low:
	.set address, 0
	.rept 2048
	.quad address + LARGE_PAGE
	.set address, address + 0x200000
	.endr
boot_l2_image:
	.fill 512, 8, 0

	.section .data
	.balign 8
	.globl x86_boot_tsc
x86_boot_tsc:
	.quad 0

/* CPU 0's stack for good; the page below it is left out of the image's final mapping. */
	.section .bss.stack, "aw", @nobits
	.balign 4096
	.globl boot_stack_guard, boot_stack, boot_stack_top
boot_stack_guard:
	.skip 4096
boot_stack:
	.skip 8 * 4096
boot_stack_top:

	.section .note.GNU-stack, "", @progbits
