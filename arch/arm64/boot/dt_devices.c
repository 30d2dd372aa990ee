// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The devices that the hypervisor itself uses, from the device tree into arm64_platform: interrupt controller, generic timer, console, and how firmware
 * is called. (Linux's bindings arm,gic.yaml, arm,gic-v3.yaml, arm,arch_timer.yaml, psci.yaml, pl011.yaml.) What is missing is missed by whoever uses it.
 */
#include "dt_read.h"
#include <tine/lib.h>
#include <tine/printk.h>

#define MAX_PATH 128

enum kind { GICV3, GICV2, TIMER, PSCI, PL011, SBSA_UART, PL031, KINDS };

/* Names in `compatible`, a NULL behind them. */
static const char *const names[KINDS][6] = {
	[GICV3] = { "arm,gic-v3" },
	[GICV2] = { "arm,gic-400", "arm,cortex-a15-gic", "arm,cortex-a7-gic", "arm,cortex-a9-gic",
		    "arm,pl390" },
	[TIMER] = { "arm,armv8-timer" },
	[PSCI] = { "arm,psci-1.0", "arm,psci-0.2" },
	[PL011] = { "arm,pl011" },
	[SBSA_UART] = { "arm,sbsa-uart" },
	[PL031] = { "arm,pl031" },
};

/* The first enabled node of each kind; negative: there is none. */
struct found {
	int node[KINDS];
};

static void note_kind(const struct dt *t, int node, struct found *found)
{
	int len;
	const char *list = fdt_getprop(t->tree, node, "compatible", &len);

	for (enum kind kind = 0; kind < KINDS; kind++)
		if (found->node[kind] < 0 && dt_list_has(list, len, names[kind]) &&
		    dt_enabled(t->tree, node))
			found->node[kind] = node;
}

static void find_all(const struct dt *t, struct found *found)
{
	int node = -1;

	for (enum kind kind = 0; kind < KINDS; kind++)
		found->node[kind] = -1;
	while ((node = fdt_next_node(t->tree, node, NULL)) >= 0)
		note_kind(t, node, found);
}

static bool read_reg(const struct dt *t, int node, unsigned int index, struct arm64_range *out)
{
	int parent = fdt_parent_offset(t->tree, node);

	return parent >= 0 && !dt_reg(t->tree, parent, node, index, out);
}

static void read_gicv2(const struct dt *t, int node, struct arm64_gic *gic)
{
	gic->version = 2;
	(void)read_reg(t, node, 1, &gic->cpu);
	(void)read_reg(t, node, 2, &gic->hypervisor);
	(void)read_reg(t, node, 3, &gic->vcpu);
}

static void read_gicv3(const struct dt *t, int node, struct arm64_gic *gic)
{
	u32 regions = dt_u32(t->tree, node, "#redistributor-regions", 1);
	int len;
	const fdt32_t *stride = fdt_getprop(t->tree, node, "redistributor-stride", &len);

	gic->version = 3;
	if (regions > GIC_MAX_REDISTRIBUTORS) {
		pr_warn("device tree: %u regions of redistributors, of which %u are used", regions,
			GIC_MAX_REDISTRIBUTORS);
		regions = GIC_MAX_REDISTRIBUTORS;
	}
	while (gic->nr_redistributors < regions &&
	       read_reg(t, node, 1 + gic->nr_redistributors,
			&gic->redistributors[gic->nr_redistributors]))
		gic->nr_redistributors++;
	if (stride && len == 8)
		gic->redistributor_stride =
			(u64)dt_cell(stride, len, 0) << 32 | dt_cell(stride, len, 1);
	else if (stride && len == 4)
		gic->redistributor_stride = dt_cell(stride, len, 0);
	gic->redistributor_stride = ROUND_UP(gic->redistributor_stride, (u64)0x10000);
	if (!gic->nr_redistributors)
		pr_err("device tree: the GICv3 has no redistributors that can be read");
}

static void read_gic(const struct dt *t, const struct found *found)
{
	struct arm64_gic *gic = &t->platform->gic;
	int v3 = found->node[GICV3], node = v3 >= 0 ? v3 : found->node[GICV2];

	if (node < 0) {
		pr_err("device tree: no interrupt controller that is a GICv2 or GICv3");
		return;
	}
	if (!read_reg(t, node, 0, &gic->distributor)) {
		pr_err("device tree: the interrupt controller has no `reg` that can be read");
		return;
	}
	gic->phandle = fdt_get_phandle(t->tree, node);
	gic->interrupt_cells = dt_u32(t->tree, node, "#interrupt-cells", 0);
	if (v3 >= 0)
		read_gicv3(t, node, gic);
	else
		read_gicv2(t, node, gic);
	gic->maintenance = dt_interrupt(t, node, 0);
}

/* Interrupts in the binding's order: secure, non-secure, virtual, EL2's. */
static void read_timer(const struct dt *t, int node)
{
	if (node < 0) {
		pr_err("device tree: no generic timer (arm,armv8-timer)");
		return;
	}
	t->platform->timer_physical = dt_interrupt(t, node, 1);
	t->platform->timer_virtual = dt_interrupt(t, node, 2);
	t->platform->timer_hyp = dt_interrupt(t, node, 3);
	t->platform->timer_hz = dt_u32(t->tree, node, "clock-frequency", 0);
}

static void read_psci(const struct dt *t, int node)
{
	if (node < 0)
		return;
	t->platform->psci_smc = dt_text_is(t->tree, node, "method", "smc");
	t->platform->psci_hvc = dt_text_is(t->tree, node, "method", "hvc");
}

/* What /chosen calls stdout-path: a path or an alias, perhaps with options behind a colon; else the first UART there is. */
static int find_console(const struct dt *t, const struct found *found)
{
	int chosen = fdt_path_offset(t->tree, "/chosen"), node = -1;
	const char *path = chosen < 0 ? NULL : dt_text(t->tree, chosen, "stdout-path");
	const char *end = path ? strchr(path, ':') : NULL;

	if (path && strlen(path) < MAX_PATH)
		node = fdt_path_offset_namelen(t->tree, path,
					       end ? (int)(end - path) : (int)strlen(path));
	if (node >= 0 && (dt_compatible(t->tree, node, names[PL011]) ||
			  dt_compatible(t->tree, node, names[SBSA_UART])))
		return node;
	return found->node[PL011] >= 0 ? found->node[PL011] : found->node[SBSA_UART];
}

static void read_console(const struct dt *t, const struct found *found)
{
	int node = find_console(t, found);

	if (node < 0 || !read_reg(t, node, 0, &t->platform->uart)) {
		pr_warn("device tree: no PL011 or SBSA UART for the console");
		return;
	}
	t->platform->uart_sbsa = !dt_compatible(t->tree, node, names[PL011]);
	t->platform->uart_irq = dt_interrupt(t, node, 0);
}

static void read_rtc(const struct dt *t, int node)
{
	if (node >= 0 && !read_reg(t, node, 0, &t->platform->rtc))
		t->platform->rtc.size = 0;
}

void dt_read_devices(const struct dt *t)
{
	struct found found;

	find_all(t, &found);
	read_gic(t, &found);
	read_timer(t, found.node[TIMER]);
	read_psci(t, found.node[PSCI]);
	read_console(t, &found);
	read_rtc(t, found.node[PL031]);
}
