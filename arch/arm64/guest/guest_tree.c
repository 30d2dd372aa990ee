// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's device tree, written by libfdt's sequential functions: memory, CPUs, PSCI, timer, interrupt controller, Xen's node, and what the kernel is told
 * (ABI pages 8.5 and 8b, 5.1). The first error makes all that follows do nothing, and is what arm64_guest_tree() answers.
 */
#include "internal.h"
#include <asm/gic.h>
#include <libfdt.h>
#include <tine/domain.h>
#include <tine/string.h>

#define GIC_PHANDLE 1
#define PPI 1
#define PPI_NUMBER(intid) ((intid)-16)
#define LEVEL_LOW_ALL_CPUS 0xf08 /* as Xen has it */
#define TIMER_SECURE 29
#define TIMER_PHYSICAL 30

struct writer {
	void *tree;
	int rc;
};

static void node(struct writer *w, const char *name)
{
	if (!w->rc)
		w->rc = fdt_begin_node(w->tree, name);
}

static void node_at(struct writer *w, const char *name, u64 at)
{
	char full[40];

	(void)tine_snprintf(full, sizeof(full), "%s@%lx", name, (unsigned long)at);
	node(w, full);
}

static void end(struct writer *w)
{
	if (!w->rc)
		w->rc = fdt_end_node(w->tree);
}

static void bytes(struct writer *w, const char *name, const void *value, size_t size)
{
	if (!w->rc)
		w->rc = fdt_property(w->tree, name, value, (int)size);
}

static void text(struct writer *w, const char *name, const char *value)
{
	bytes(w, name, value, strlen(value) + 1);
}

static void cell(struct writer *w, const char *name, u32 value)
{
	if (!w->rc)
		w->rc = fdt_property_u32(w->tree, name, value);
}

/* COUNT numbers of two cells: addresses and sizes in turn. */
static void wide(struct writer *w, const char *name, const u64 *values, unsigned int count)
{
	fdt64_t cells[4];

	for (unsigned int i = 0; i < count; i++)
		cells[i] = cpu_to_fdt64(values[i]);
	bytes(w, name, cells, count * sizeof(*cells));
}

static void interrupts(struct writer *w, const u32 *intids, unsigned int count)
{
	fdt32_t cells[9];

	for (unsigned int i = 0; i < count; i++) {
		cells[3 * i] = cpu_to_fdt32(PPI);
		cells[3 * i + 1] = cpu_to_fdt32(PPI_NUMBER(intids[i]));
		cells[3 * i + 2] = cpu_to_fdt32(LEVEL_LOW_ALL_CPUS);
	}
	bytes(w, "interrupts", cells, 3 * count * sizeof(*cells));
	cell(w, "interrupt-parent", GIC_PHANDLE);
}

static void chosen(struct writer *w, const struct domain *d, u64 ramdisk, u64 ramdisk_size)
{
	const u64 end_of = ramdisk + ramdisk_size;

	node(w, "chosen");
	text(w, "bootargs", d->config.cmdline);
	if (ramdisk_size) {
		wide(w, "linux,initrd-start", &ramdisk, 1);
		wide(w, "linux,initrd-end", &end_of, 1);
	}
	end(w);
}

static void memory(struct writer *w, const struct domain *d)
{
	const u64 ram[] = { GUEST_RAM, d->arch.ram_end - GUEST_RAM };

	node_at(w, "memory", GUEST_RAM);
	text(w, "device_type", "memory");
	wide(w, "reg", ram, 2);
	end(w);
}

static void cpus(struct writer *w, const struct domain *d)
{
	node(w, "cpus");
	cell(w, "#address-cells", 1);
	cell(w, "#size-cells", 0);
	for (unsigned int i = 0; i < d->nr_vcpus; i++) {
		u32 affinity = (u32)(arm64_vcpu_mpidr(d->vcpus[i]) & 0xffffff);

		node_at(w, "cpu", affinity);
		text(w, "device_type", "cpu");
		text(w, "compatible", "arm,armv8");
		cell(w, "reg", affinity);
		text(w, "enable-method", "psci");
		end(w);
	}
	end(w);
}

static void psci(struct writer *w)
{
	static const char compatible[] = "arm,psci-1.0\0arm,psci-0.2";

	node(w, "psci");
	bytes(w, "compatible", compatible, sizeof(compatible));
	text(w, "method", "hvc");
	end(w);
}

static void controller(struct writer *w, const struct domain *d)
{
	bool v3 = gic_is_v3();
	const u64 reg[] = { GUEST_GICD, GUEST_GICD_SIZE(v3), v3 ? GUEST_GICR : GUEST_GICC,
			    v3 ? d->nr_vcpus * GUEST_GICR_STRIDE : GUEST_GICC_SIZE };

	node_at(w, "interrupt-controller", GUEST_GICD);
	text(w, "compatible", v3 ? "arm,gic-v3" : "arm,gic-400");
	cell(w, "#address-cells", 0);
	cell(w, "#interrupt-cells", 3);
	bytes(w, "interrupt-controller", NULL, 0);
	wide(w, "reg", reg, 4);
	cell(w, "phandle", GIC_PHANDLE);
	end(w);
}

static void timer(struct writer *w)
{
	static const u32 intids[] = { TIMER_SECURE, TIMER_PHYSICAL, GUEST_PPI_TIMER };

	node(w, "timer");
	text(w, "compatible", "arm,armv8-timer");
	interrupts(w, intids, ARRAY_SIZE(intids));
	end(w);
}

static void hypervisor(struct writer *w)
{
	static const char compatible[] = "xen,xen-4.17\0xen,xen";
	static const u64 grants[] = { GUEST_GRANTS, GUEST_GRANTS_SIZE };
	static const u32 events = GUEST_PPI_EVENTS;

	node(w, "hypervisor");
	bytes(w, "compatible", compatible, sizeof(compatible));
	wide(w, "reg", grants, 2);
	interrupts(w, &events, 1);
	end(w);
}

int arm64_guest_tree(const struct domain *d, void *tree, size_t size, u64 ramdisk, u64 ramdisk_size)
{
	struct writer w = { .tree = tree };

	w.rc = fdt_create(tree, (int)size);
	if (!w.rc)
		w.rc = fdt_finish_reservemap(tree);
	node(&w, "");
	cell(&w, "#address-cells", 2);
	cell(&w, "#size-cells", 2);
	text(&w, "compatible", "tine,guest");
	text(&w, "model", "Tine guest");
	chosen(&w, d, ramdisk, ramdisk_size);
	memory(&w, d);
	cpus(&w, d);
	psci(&w);
	controller(&w, d);
	timer(&w);
	hypervisor(&w);
	end(&w);
	if (!w.rc)
		w.rc = fdt_finish(tree);
	return w.rc ? -ENOMEM : 0;
}
