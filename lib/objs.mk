# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += lib/backtrace.o lib/bitmap.o lib/calendar.o lib/clock_scale.o lib/cmdline.o lib/crc32.o lib/extable.o lib/format.o lib/panic.o lib/parse.o lib/phases.o lib/printk.o lib/spinlock.o lib/string.o lib/symbols.o
obj-$(CONFIG_UBSAN) += lib/ubsan.o
