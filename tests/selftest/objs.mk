# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += tests/selftest/selftest.o tests/selftest/clock_tests.o tests/selftest/heap_tests.o tests/selftest/heap_price.o tests/selftest/ipi.o tests/selftest/locks.o tests/selftest/mappings_tests.o tests/selftest/memops_tests.o tests/selftest/timers.o tests/selftest/traps_tests.o
obj-$(CONFIG_DEBUG_LOCKS) += tests/selftest/lock_order.o
ifeq ($(SRCARCH),x86)
obj-y += tests/selftest/fork_price.o tests/selftest/x86_mappings.o tests/selftest/x86_probe.o tests/selftest/x86_probe_asm.o tests/selftest/x86_time.o tests/selftest/x86_traps.o
endif
ifeq ($(SRCARCH),arm64)
obj-y += tests/selftest/arm64_mappings.o tests/selftest/arm64_probe.o tests/selftest/arm64_probe_asm.o tests/selftest/arm64_time.o tests/selftest/arm64_traps.o
endif
