# SPDX-License-Identifier: GPL-2.0-or-later
# PVH guests live in a p2m: until there is one, svm_absent.c refuses them.
svm-y := svm_cpu.o svm_run.o svm_state.o svm_event.o svm_exit.o svm_io.o svm_msr.o svm_lapic.o svm_hypercall.o svm_memory.o npt_codec.o pvh_build.o pvh_acpi.o
obj-y += $(addprefix arch/x86/svm/,$(if $(wildcard mm/p2m.c),$(svm-y),svm_absent.o))
