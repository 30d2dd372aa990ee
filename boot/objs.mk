# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += boot/boot_info.o boot/boot_regions.o boot/config.o boot/domains.o
obj-y += boot/main.o boot/banner.o
