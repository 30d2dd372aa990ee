# SPDX-License-Identifier: GPL-2.0-or-later
ARCH_CFLAGS := -m64 -march=x86-64 -mgeneral-regs-only -mno-red-zone -fpie -fcf-protection=none -include arch/x86/include/asm/visibility.h
ARCH_ASFLAGS := -m64

obj-y += arch/x86/memops.o
obj-y += arch/x86/boot/multiboot2.o arch/x86/boot/pvh.o
obj-y += arch/x86/acpi/acpi_fadt.o arch/x86/acpi/acpi_madt.o arch/x86/acpi/acpi_numa.o arch/x86/acpi/acpi_root.o arch/x86/acpi/acpi_table.o
obj-y += arch/x86/time_record.o
obj-y += arch/x86/boot/head.o arch/x86/boot/start.o arch/x86/boot/trampoline.o
obj-y += arch/x86/cpu_features.o arch/x86/smap_patch.o arch/x86/percpu.o arch/x86/segments.o arch/x86/idt.o
obj-y += arch/x86/trap_entry.o arch/x86/exceptions.o arch/x86/interrupts.o
obj-y += arch/x86/paging.o arch/x86/direct_map.o arch/x86/tlb_shootdown.o
obj-y += arch/x86/apic.o arch/x86/ioapic.o arch/x86/smp_boot.o
obj-y += arch/x86/clock.o arch/x86/lapic_timer.o arch/x86/cmos_clock.o
obj-y += arch/x86/library_calls.o arch/x86/fpu.o arch/x86/cpuid_policy.o arch/x86/msr_policy.o arch/x86/guest_kind.o arch/x86/guest_acpi.o arch/x86/crc32_fold.o arch/x86/branch_scan.o
obj-y += arch/x86/uart16550.o arch/x86/vga_text.o arch/x86/console_setup.o arch/x86/power.o
include arch/x86/pv/objs.mk
include arch/x86/svm/objs.mk
