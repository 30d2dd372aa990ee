// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flattened device tree into boot_info and arm64_platform. The tree is untrusted bytes: libfdt checks it whole once, structure and strings, before
 * anything is read. Compiled for the host as well, under sanitizers and libFuzzer. Start of day only, one CPU, no lock.
 */
#include "dt_read.h"
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>

size_t arm64_device_tree_size(const void *tree)
{
	const fdt32_t *words = tree;

	return fdt32_to_cpu(words[0]) == FDT_MAGIC ? fdt32_to_cpu(words[1]) : 0;
}

static int check(const void *tree, size_t max)
{
	size_t size = max >= sizeof(struct fdt_header) ? arm64_device_tree_size(tree) : 0;
	int rc;

	if (!size) {
		pr_err("device tree: does not begin as one");
		return -EINVAL;
	}
	if (size > max || size < sizeof(struct fdt_header)) {
		pr_err("device tree: says that it is %zu bytes long, there are %zu", size, max);
		return -EINVAL;
	}
	rc = fdt_check_full(tree, size);
	if (rc) {
		pr_err("device tree: is damaged: %s", fdt_strerror(rc));
		return -EINVAL;
	}
	return 0;
}

int arm64_device_tree_parse(const void *tree, size_t max, paddr_t fdt, struct boot_info *bi,
			    struct arm64_platform *p)
{
	const struct dt t = { .tree = tree, .bi = bi, .platform = p };
	int rc;

	boot_info_reset(bi, "Image");
	memset(p, 0, sizeof(*p));
	rc = check(tree, max);
	if (rc)
		return rc;
	dt_read_devices(&t);
	dt_read_memory(&t);
	dt_read_cpus(&t);
	dt_read_distances(&t);
	dt_read_chosen(&t);
	boot_info_add_region(bi, paddr_x(fdt), arm64_device_tree_size(tree), MEM_RESERVED);
	return 0;
}
