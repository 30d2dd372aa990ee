# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += abi/console_io.o abi/evtchn_op.o abi/grant_table_op.o abi/grant_copy.o abi/sched_op.o abi/vcpu_op.o abi/fork_op.o abi/sharing_op.o abi/sharing_frames.o
obj-y += abi/hypercall_table.o abi/memory_op.o abi/reservation.o abi/exchange.o abi/extents.o abi/physmap.o abi/multicall.o abi/version.o abi/vm_assist.o
