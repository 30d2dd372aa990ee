/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What arm64 code needs of the device tree beyond boot_info: where the interrupt controller, timer and console are, and how firmware is called.
 * Filled once at start of day by boot/device_tree.c, read-only afterwards.
 */
#ifndef ASM_PLATFORM_H
#define ASM_PLATFORM_H

#include <tine/boot_info.h>
#include <tine/compiler.h>
#include <tine/types.h>

#define GIC_MAX_REDISTRIBUTORS 16

struct arm64_range {
	paddr_t start;
	u64 size; /* 0: none */
};

struct arm64_gic {
	unsigned int version; /* 2 or 3; 0: none was found */
	struct arm64_range distributor, cpu, hypervisor,
		vcpu; /* GICD, and of version 2: GICC, GICH, GICV */
	unsigned int nr_redistributors;
	struct arm64_range redistributors[GIC_MAX_REDISTRIBUTORS];
	u64 redistributor_stride; /* 0: what the registers say */
	u32 maintenance;          /* INTID; 0: not said */
	u32 phandle;
	u32 interrupt_cells; /* words of an interrupt that is the controller's */
};

struct arm64_platform {
	struct arm64_gic gic;
	u32 timer_hyp, timer_virtual, timer_physical; /* INTIDs; 0: not said */
	u32 timer_hz;            /* clock-frequency, where firmware did not set CNTFRQ; 0: it did */
	struct arm64_range uart; /* a PL011 or SBSA UART */
	u32 uart_irq;            /* INTID; 0: not said */
	bool uart_sbsa;          /* SBSA: registers for set-up are missing */
	struct arm64_range rtc;  /* a PL031; size 0: none */
	bool psci_smc, psci_hvc; /* how the tree says firmware is called; neither: there is none */
	unsigned int nr_cpus_disabled;
};

extern struct arm64_platform arm64_platform;

/* What the header of the tree at TREE, of which 8 bytes are readable, says of its size; 0: it is none. */
size_t arm64_device_tree_size(const void *tree);

/*
 * Reads the flattened device tree of at most MAX readable bytes into BI and P. Flaws are reported and left out; -EINVAL, after a line that says
 * why, when it is no device tree at all. The tree stays where it is: FDT is its physical address.
 */
int arm64_device_tree_parse(const void *tree, size_t max, paddr_t fdt, struct boot_info *bi,
			    struct arm64_platform *p) __must_check;

#endif
