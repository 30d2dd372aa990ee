# SPDX-License-Identifier: GPL-2.0-or-later
guest := arch/arm64/guest
obj-y += $(guest)/guest_entry.o $(guest)/guest_context.o $(guest)/guest_exit.o $(guest)/guest_abort.o $(guest)/guest_sysreg.o $(guest)/guest_psci.o
obj-y += $(guest)/guest_hypercall.o $(guest)/guest_copy.o $(guest)/guest_domain.o $(guest)/guest_build.o $(guest)/guest_image.o $(guest)/guest_tree.o
obj-y += $(guest)/guest_fork.o
obj-y += $(guest)/stage2.o $(guest)/stage2_codec.o $(guest)/stage2_cache.o $(guest)/vmid.o $(guest)/vgic.o $(guest)/vgic_mmio.o $(guest)/vgic_list3.o $(guest)/vgic_list2.o $(guest)/vtimer.o
