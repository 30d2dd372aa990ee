# SPDX-License-Identifier: GPL-2.0-or-later
ARCH_CFLAGS := -march=armv8-a -mgeneral-regs-only -mno-outline-atomics -mbranch-protection=none -fno-pic
ARCH_ASFLAGS :=
ARCH_LIBS := fdt
IMAGE_BINARY := y

obj-y += arch/arm64/boot/head.o arch/arm64/boot/efi_stub.o arch/arm64/boot/efi_jump.o arch/arm64/boot/efi_map.o arch/arm64/boot/start.o arch/arm64/vectors.o
obj-y += arch/arm64/boot/device_tree.o arch/arm64/boot/dt_devices.o arch/arm64/boot/dt_memory.o arch/arm64/boot/dt_modules.o arch/arm64/boot/dt_read.o
obj-y += arch/arm64/memops.o arch/arm64/paging.o arch/arm64/direct_map.o arch/arm64/percpu.o arch/arm64/tlb.o
obj-y += arch/arm64/exceptions.o arch/arm64/clock.o arch/arm64/psci.o arch/arm64/power.o arch/arm64/smp_boot.o
obj-y += arch/arm64/pl011.o arch/arm64/console_setup.o arch/arm64/library_calls.o
obj-y += arch/arm64/gic/gic.o arch/arm64/gic/gicv2.o arch/arm64/gic/gicv3.o
include arch/arm64/guest/objs.mk
