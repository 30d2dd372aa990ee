# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += $(addprefix arch/x86/svm/,svm_cpu.o svm_affinity.o svm_run.o svm_state.o svm_event.o svm_nmi.o svm_exit.o svm_insn.o svm_cr.o svm_dr.o svm_io.o svm_msr.o \
	svm_lapic.o svm_lapic_timer.o svm_hypercall.o svm_multicall.o svm_memory.o npt_codec.o svm_fork.o pvh_build.o)
