// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floating-point state of PV vCPUs: saved and loaded whole at each context switch; the hypervisor
 * itself never touches it. With XSAVE all states that the machine has are switched, whichever of
 * them the guest has enabled in its XCR0, so nothing of another guest is left to be found. The
 * image is 64-byte aligned, in pages of its own.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/pv.h>
#include <tine/heap.h>

#define FXSAVE_SIZE 512
#define FCW_INITIAL 0x37f
#define MXCSR_INITIAL 0x1f80
#define MXCSR_OFFSET 24

#define XCR0_X87 1UL
#define XCR0_SSE 2UL
#define XCR0_AVX 4UL

/* One size for all: what XCR0 as enabled at boot asks for. */
static unsigned int image_order(void)
{
	unsigned int order = 0;
	size_t size = x86_cpu.xcr0 ? cpuid(0xd, 0).ebx : FXSAVE_SIZE;

	while ((PAGE_SIZE << order) < size)
		order++;
	return order;
}

int pv_fpu_create(struct vcpu *v)
{
	u8 *image = heap_alloc_pages(image_order(), HEAP_ZERO);

	if (!image)
		return -ENOMEM;
	*(u16 *)(void *)image = FCW_INITIAL;
	*(u32 *)(void *)(image + MXCSR_OFFSET) = MXCSR_INITIAL;
	v->arch.fpu = image;
	v->arch.pv.xcr0 = XCR0_X87;
	return 0;
}

void pv_fpu_destroy(struct vcpu *v)
{
	if (v->arch.fpu)
		heap_free_pages(v->arch.fpu, image_order());
	v->arch.fpu = NULL;
}

/* The guest's CR0.TS would make the instructions below fault. */
static void clear_ts(void)
{
	__asm__ volatile("clts" : : : "memory");
}

void pv_fpu_save(struct vcpu *v)
{
	clear_ts();
	if (!x86_cpu.xcr0) {
		__asm__ volatile("fxsaveq (%0)" : : "r"(v->arch.fpu) : "memory");
		return;
	}
	x86_xsetbv(0, x86_cpu.xcr0);
	__asm__ volatile("xsaveq (%0)" : : "r"(v->arch.fpu), "a"(~0U), "d"(~0U) : "memory");
}

void pv_fpu_load(struct vcpu *v)
{
	clear_ts();
	if (!x86_cpu.xcr0) {
		__asm__ volatile("fxrstorq (%0)" : : "r"(v->arch.fpu) : "memory");
	} else {
		x86_xsetbv(0, x86_cpu.xcr0);
		__asm__ volatile("xrstorq (%0)"
				 :
				 : "r"(v->arch.fpu), "a"(~0U), "d"(~0U)
				 : "memory");
		x86_xsetbv(0, v->arch.pv.xcr0);
	}
	if (v->arch.pv.ts)
		pv_set_ts(v, true);
}

/* AVX needs SSE, and x87 is always on (Intel SDM vol. 1, 13.3). */
int pv_set_xcr(struct vcpu *v, u32 index, u64 value)
{
	if (index || !(value & XCR0_X87) || (value & ~x86_cpu.xcr0) ||
	    ((value & XCR0_AVX) && !(value & XCR0_SSE)))
		return -EINVAL;
	v->arch.pv.xcr0 = value;
	x86_xsetbv(0, value);
	return 0;
}
