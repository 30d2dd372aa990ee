# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += boot/boot_info.o boot/boot_regions.o
obj-y += boot/main.o boot/version.o
