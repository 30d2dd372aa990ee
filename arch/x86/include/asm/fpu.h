/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guests' FPU and extended state (arch/x86/fpu.c): changes hands at each context switch. */
#ifndef ASM_FPU_H
#define ASM_FPU_H

#include <tine/vcpu.h>

int x86_fpu_create(struct vcpu *v) __must_check; /* -ENOMEM */
void x86_fpu_destroy(struct vcpu *v);
size_t x86_fpu_size(void); /* of the image at arch.fpu */
void x86_fpu_save(struct vcpu *v);
void x86_fpu_set(struct vcpu *v, const void *image); /* of a vCPU that does not run */
void x86_fpu_load(struct vcpu *v);
/* XSETBV of the vCPU that runs. -EINVAL: it would fault. */
int x86_fpu_set_xcr(struct vcpu *v, u32 index, u64 value) __must_check;

#endif
