# SPDX-License-Identifier: GPL-2.0-or-later
ARCH_CFLAGS := -m64 -march=x86-64 -mgeneral-regs-only -mno-red-zone -fpie -fcf-protection=none -include arch/x86/include/asm/visibility.h
ARCH_ASFLAGS := -m64

obj-y += arch/x86/memops.o
