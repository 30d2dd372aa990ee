# SPDX-License-Identifier: GPL-2.0-or-later
ARCH_CFLAGS := -m64 -march=x86-64 -mgeneral-regs-only -mno-red-zone -fpie -fcf-protection=none -include arch/x86/include/asm/visibility.h
ARCH_ASFLAGS := -m64

obj-y += arch/x86/memops.o
obj-y += arch/x86/boot/multiboot2.o arch/x86/boot/pvh.o
obj-y += arch/x86/acpi/acpi_fadt.o arch/x86/acpi/acpi_madt.o arch/x86/acpi/acpi_numa.o arch/x86/acpi/acpi_root.o arch/x86/acpi/acpi_table.o
obj-y += arch/x86/time_record.o
