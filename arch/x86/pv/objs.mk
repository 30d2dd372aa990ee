# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += $(addprefix arch/x86/pv/,entry.o switch.o debugreg.o traps.o upcalls.o iret.o nmi.o callbacks.o segment_base.o physdev.o platform_op.o xenpmu.o mca.o \
	page_type.o dying_tables.o page_table.o empty_bus.o table_write.o store_insn.o tlb.o update_va.o mmu_update.o mmuext.o foreign.o batch.o m2p.o \
	descriptor.o update_descriptor.o gdt.o guest_access.o \
	emulate_priv.o port_io.o msr.o \
	check.o pv_domain.o pv_grant.o context.o frame_changes.o build.o initial_tables.o frames.o layout.o elf.o notes.o)
