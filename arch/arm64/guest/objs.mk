# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += arch/arm64/guest/no_guests.o arch/arm64/guest/no_fork.o arch/arm64/guest/no_guests_entry.o
