# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += boot/boot_info.o boot/boot_regions.o boot/config.o boot/domains.o
obj-y += boot/unpack.o boot/unpack_gzip.o boot/unpack_lz4.o boot/unpack_xz.o boot/unpack_zstd.o boot/unpack_libc.o boot/branch_filter.o boot/extent.o
obj-y += boot/main.o boot/banner.o
