// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /chosen: the hypervisor's command line, and boot modules as Xen takes them (nodes compatible with multiboot,module, which QEMU's guest-loader and GRUB
 * write). The order of the tree is the order of the modules, but that a kernel and a ramdisk which say so come first.
 */
#include "dt_read.h"
#include <tine/lib.h>
#include <tine/printk.h>

static const char *const module_names[] = { "multiboot,module", "xen,multiboot-module", NULL };
static const char *const kernel_names[] = { "multiboot,kernel", "xen,linux-zimage", NULL };
static const char *const ramdisk_names[] = { "multiboot,ramdisk", "xen,linux-initrd", NULL };

enum module_kind { MODULE_KERNEL, MODULE_RAMDISK, MODULE_OTHER, MODULE_KINDS };

static enum module_kind kind_of(const void *tree, int node)
{
	if (dt_compatible(tree, node, kernel_names))
		return MODULE_KERNEL;
	return dt_compatible(tree, node, ramdisk_names) ? MODULE_RAMDISK : MODULE_OTHER;
}

static void copy_text(const struct dt *t, int node, const char *name, const char *what, char *out,
		      size_t size)
{
	const char *text = dt_text(t->tree, node, name);

	if (text && str_copy(out, text, size) >= size)
		pr_warn("device tree: %s is longer than %zu bytes: cut", what, size - 1);
}

/* QEMU writes modules as if /chosen had its parent's cells when it says nothing of its own, and Xen reads them so. */
static struct dt_cells module_cells(const void *tree, int chosen)
{
	return dt_cells_of(tree, fdt_getprop(tree, chosen, "#address-cells", NULL) ? chosen : 0);
}

static void add_module(const struct dt *t, int chosen, int node)
{
	const char *name = fdt_get_name(t->tree, node, NULL);
	struct boot_module *m;
	struct arm64_range r;

	if (dt_reg_cells(t->tree, module_cells(t->tree, chosen), node, 0, &r)) {
		pr_err("device tree: module \"%.60s\" has no `reg` that can be read: left out",
		       name ? name : "");
		return;
	}
	m = boot_info_add_module(t->bi, r.start, paddr_add(r.start, r.size));
	if (m)
		copy_text(t, node, "bootargs", "a module's bootargs", m->args, sizeof(m->args));
}

void dt_read_chosen(const struct dt *t)
{
	int chosen = fdt_path_offset(t->tree, "/chosen"), node;
	const char *line = "bootargs";

	if (chosen < 0)
		return;
	if (dt_text(t->tree, chosen, "xen,xen-bootargs"))
		line = "xen,xen-bootargs"; /* then bootargs is meant for the first domain's kernel, which has its own */
	copy_text(t, chosen, line, "the command line", t->bi->cmdline, sizeof(t->bi->cmdline));
	for (enum module_kind kind = 0; kind < MODULE_KINDS; kind++)
		fdt_for_each_subnode(node, t->tree,
				     chosen) if (dt_compatible(t->tree, node, module_names) &&
						 kind_of(t->tree, node) == kind)
			add_module(t, chosen, node);
}
