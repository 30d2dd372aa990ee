# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += abi/console_io.o abi/evtchn_op.o abi/sched_op.o abi/vcpu_op.o
