// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floating-point state of vCPUs: saved and loaded whole at each context switch; the hypervisor
 * itself never touches it. With XSAVE all states that the machine has are switched, whichever of
 * them the guest has enabled in its XCR0, so nothing of another guest is left to be found. The
 * image is 64-byte aligned, in pages of its own.
 */
#include <asm/fpu.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/pv.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/string.h>

#define FXSAVE_SIZE 512
#define FCW_INITIAL 0x37f
#define MXCSR_INITIAL 0x1f80
#define MXCSR_OFFSET 24

#define XCR0_X87 1UL
#define XCR0_SSE 2UL
#define XCR0_AVX 4UL

#define MXCSR_MASK_OFFSET 28
#define MXCSR_MASK_IF_NONE 0xffbfU /* Intel SDM vol. 1, 11.6.6 */
#define XSTATE_BV_OFFSET 512

/* One for all: what XCR0 as enabled at boot asks for. It is so whenever a guest does not run. */
size_t x86_fpu_size(void)
{
	static size_t size;

	if (!size)
		size = x86_cpu.xcr0 ? cpuid(0xd, 0).ebx : FXSAVE_SIZE;
	return size;
}

static unsigned int image_order(void)
{
	unsigned int order = 0;

	while ((PAGE_SIZE << order) < x86_fpu_size())
		order++;
	return order;
}

int x86_fpu_create(struct vcpu *v)
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

void x86_fpu_destroy(struct vcpu *v)
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

/* Bits of MXCSR that this CPU has. */
static u32 mxcsr_mask(void)
{
	u8 image[FXSAVE_SIZE] __aligned(16);
	u32 mask;
	u64 cr0 = x86_read_cr0();

	clear_ts();
	__asm__ volatile("fxsave %0" : "=m"(image));
	x86_write_cr0(cr0);
	memcpy(&mask, image + MXCSR_MASK_OFFSET, sizeof(mask));
	return mask ? mask : MXCSR_MASK_IF_NONE;
}

/*
 * IMAGE is FXSAVE's, of the guest's making. All in it may be anything, but for reserved bits of
 * MXCSR, upon which the load would fault.
 */
void x86_fpu_set(struct vcpu *v, const void *image)
{
	u8 *own = v->arch.fpu;
	u32 mxcsr;

	memcpy(own, image, FXSAVE_SIZE);
	memcpy(&mxcsr, own + MXCSR_OFFSET, sizeof(mxcsr));
	mxcsr &= mxcsr_mask();
	memcpy(own + MXCSR_OFFSET, &mxcsr, sizeof(mxcsr));
	if (x86_cpu.xcr0) /* what the image of XSAVE has that far */
		*(u64 *)(void *)(own + XSTATE_BV_OFFSET) = XCR0_X87 | XCR0_SSE;
}

void x86_fpu_save(struct vcpu *v)
{
	clear_ts();
	if (!x86_cpu.xcr0) {
		__asm__ volatile("fxsaveq (%0)" : : "r"(v->arch.fpu) : "memory");
		return;
	}
	x86_xsetbv(0, x86_cpu.xcr0);
	__asm__ volatile("xsaveq (%0)" : : "r"(v->arch.fpu), "a"(~0U), "d"(~0U) : "memory");
}

/*
 * Some AMD CPUs leave the last x87 instruction's addresses alone when the image has no exception
 * pending (APM vol. 2, 11.4.4): they would be the previous guest's. So there is a last instruction
 * of our own.
 */
static void forget_last_x87(void)
{
	static const u32 nothing;

	__asm__ volatile("fninit\n\tfildl %0" : : "m"(nothing));
}

void x86_fpu_load(struct vcpu *v)
{
	clear_ts();
	if (x86_cpu.x87_pointers_stay)
		forget_last_x87();
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
int x86_fpu_set_xcr(struct vcpu *v, u32 index, u64 value)
{
	if (index || !(value & XCR0_X87) || (value & ~x86_cpu.xcr0) ||
	    ((value & XCR0_AVX) && !(value & XCR0_SSE)))
		return -EINVAL;
	v->arch.pv.xcr0 = value;
	x86_xsetbv(0, value);
	return 0;
}
