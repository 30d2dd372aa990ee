// SPDX-License-Identifier: GPL-2.0-or-later
/* Device trees into boot_info: what QEMU writes, cut at every byte, and trees that are wrong in one place each. */
#include "host_log.h"
#include "dt_builder.h"
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <asm/platform.h>
#include <tine/errno.h>
#include <tine/lib.h>

#define FDT_AT 0x48000000UL

static struct boot_info bi;
static struct arm64_platform platform;
static struct dt_builder b;

static int setup(void **state)
{
	(void)state;
	host_log_clear();
	memset(&b, 0, sizeof(b));
	return 0;
}

/* From a buffer of just SIZE bytes. */
static int parse(const void *tree, size_t size)
{
	void *exact = malloc(size ? size : 1);
	int rc;

	memcpy(exact, tree, size);
	rc = arm64_device_tree_parse(exact, size, _paddr(FDT_AT), &bi, &platform);
	free(exact);
	return rc;
}

static void parse_built(void)
{
	size_t size = dt_finish(&b);

	assert_int_equal(parse(b.bytes, size), 0);
}

static void parse_recorded(const char *name)
{
	size_t size;
	void *tree = dt_recorded(name, &size);

	assert_int_equal(parse(tree, size), 0);
	free(tree);
}

static bool has_region(u64 start, u64 end, enum mem_type type)
{
	for (unsigned int i = 0; i < bi.nr_regions; i++)
		if (paddr_x(bi.regions[i].start) == start && paddr_x(bi.regions[i].end) == end &&
		    bi.regions[i].type == type)
			return true;
	return false;
}

static void qemu_with_gicv2(void **state)
{
	parse_recorded("virt-gicv2.dtb");
	assert_log_lines(0);
	assert_string_equal(bi.protocol, "Image");
	assert_string_equal(bi.cmdline, "console=dtuart loglvl=all");
	assert_true(has_region(0x40000000, 0x80000000, MEM_RAM));
	assert_int_equal(bi.nr_modules, 2);
	assert_int_equal(paddr_x(bi.modules[0].start), 0x49000000);
	assert_int_equal(paddr_x(bi.modules[0].end), 0x49000000 + 100000);
	assert_string_equal(bi.modules[0].args, "console=hvc0 quiet");
	assert_int_equal(paddr_x(bi.modules[1].start), 0x49200000);
	assert_string_equal(bi.modules[1].args, "");
	assert_int_equal(bi.nr_cpus, 1);
	assert_int_equal(bi.cpus[0].proximity, BOOT_NO_PROXIMITY);
	assert_int_equal(platform.gic.version, 2);
	assert_int_equal(paddr_x(platform.gic.distributor.start), 0x8000000);
	assert_int_equal(paddr_x(platform.gic.cpu.start), 0x8010000);
	assert_int_equal(paddr_x(platform.gic.hypervisor.start), 0x8030000);
	assert_int_equal(paddr_x(platform.gic.vcpu.start), 0x8040000);
	assert_int_equal(platform.gic.maintenance, 25);
	assert_int_equal(platform.timer_hyp, 26);
	assert_int_equal(platform.timer_virtual, 27);
	assert_int_equal(platform.timer_physical, 30);
	assert_int_equal(paddr_x(platform.uart.start), 0x9000000);
	assert_int_equal(platform.uart_irq, 33);
	assert_false(platform.uart_sbsa);
	assert_true(platform.psci_smc);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log_lines(0);
}

static void qemu_with_gicv3_and_nodes(void **state)
{
	parse_recorded("virt-gicv3-numa.dtb");
	assert_log_lines(0);
	assert_int_equal(bi.nr_cpus, 4);
	assert_int_equal(bi.cpus[3].hw_id, 3);
	assert_int_equal(bi.cpus[3].proximity, 1);
	assert_int_equal(bi.nr_node_ranges, 2);
	assert_int_equal(bi.nr_slit, 2);
	assert_int_equal(bi.slit[0], 10);
	assert_int_equal(bi.slit[1], 21);
	assert_int_equal(bi.slit[2], 21);
	assert_int_equal(platform.gic.version, 3);
	assert_int_equal(platform.gic.nr_redistributors, 1);
	assert_int_equal(paddr_x(platform.gic.redistributors[0].start), 0x80a0000);
	assert_int_equal(platform.gic.redistributors[0].size, 0xf60000);
	/* QEMU's memory nodes come in descending order. */
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log("regions were not in order: sorted");
	assert_log_lines(1);
}

static void cut_at_every_byte(void **state)
{
	size_t size;
	u8 *tree = dt_recorded("virt-gicv2.dtb", &size);

	for (size_t n = 0; n < size; n++) {
		host_log_clear();
		assert_int_equal(parse(tree, n), -EINVAL);
		assert_log_lines(1);
	}
	free(tree);
}

/* Cut, but with a header that says so: the structure then ends in the middle. */
static void cut_with_a_size_that_fits(void **state)
{
	size_t size;
	u8 *tree = dt_recorded("virt-gicv2.dtb", &size);

	for (size_t n = sizeof(struct fdt_header); n < size; n += 3) {
		host_log_clear();
		fdt_set_totalsize(tree, (u32)n);
		assert_int_equal(parse(tree, n), -EINVAL);
		assert_log_lines(1);
	}
	free(tree);
}

static void every_byte_wrong(void **state)
{
	size_t size;
	u8 *tree = dt_recorded("virt-gicv2.dtb", &size);

	for (size_t n = 0; n < size; n++) {
		tree[n] ^= 0xff;
		host_log_clear();
		if (parse(tree, size) || boot_info_sanitize(&bi))
			assert_true(host_log_lines() > 0);
		tree[n] ^= 0xff;
	}
	free(tree);
}

static void no_tree_at_all(void **state)
{
	assert_int_equal(parse("\177ELF and more of what is no device tree......", 44), -EINVAL);
	assert_log("does not begin as one");
	assert_log_lines(1);
}

static void nothing_but_memory(void **state)
{
	dt_start(&b, 0);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	parse_built();
	assert_int_equal(platform.gic.version, 0);
	assert_log("no interrupt controller that is a GICv2 or GICv3");
	assert_log("no generic timer");
	assert_log("no PL011 or SBSA UART");
	assert_log_lines(3);
	assert_int_equal(boot_info_sanitize(&bi), 0);
}

static void no_memory(void **state)
{
	dt_start(&b, 0);
	parse_built();
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("has no RAM");
}

static void memory_nodes_that_overlap(void **state)
{
	dt_start(&b, 0);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	dt_memory(&b, "memory@48000000", 0x48000000, 0x10000000);
	parse_built();
	host_log_clear();
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log("RAM [0x40000000, 0x50000000) and RAM [0x48000000, 0x58000000) overlap");
	assert_log_lines(1);
}

static void memory_that_cannot_be(void **state)
{
	dt_start(&b, 0);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	dt_memory(&b, "memory@60000000", 0x60000000, 0);
	dt_memory(&b, "memory@f0000000", 0xfffffffff0000000, 0x20000000);
	dt_begin(&b, "memory@1");
	dt_string(&b, "device_type", "memory");
	dt_end(&b);
	parse_built();
	assert_log("region at 0x60000000 is empty: ignored");
	assert_log("region at 0xfffffffff0000000, 0x20000000 bytes long, wraps: ignored");
	assert_log("memory node \"memory@1\" has no `reg` that can be read");
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_node_ranges, 0);
}

static void reserved_memory_is_taken_out(void **state)
{
	dt_start(&b, 0x41000000);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	dt_begin(&b, "reserved-memory");
	DT_WORDS(&b, "#address-cells", 2);
	DT_WORDS(&b, "#size-cells", 2);
	dt_ok(fdt_property(b.bytes, "ranges", NULL, 0));
	dt_begin(&b, "firmware@42000000");
	DT_WORDS(&b, "reg", 0, 0x42000000, 0, 0x2000);
	dt_end(&b);
	dt_begin(&b, "pool"); /* a wish, not a place */
	DT_WORDS(&b, "size", 0, 0x400000);
	dt_end(&b);
	dt_end(&b);
	parse_built();
	host_log_clear();
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log_lines(0);
	assert_true(has_region(0x40000000, 0x41000000, MEM_RAM));
	assert_true(has_region(0x41000000, 0x41001000, MEM_RESERVED));
	assert_true(has_region(0x42000000, 0x42002000, MEM_RESERVED));
	assert_true(has_region(0x41001000, 0x42000000, MEM_RAM));
}

static void add_module(const char *name, const char *kind, u32 start, u32 size)
{
	dt_begin(&b, name);
	dt_string(&b, "compatible", kind);
	DT_WORDS(&b, "reg", 0, start, 0, size);
	dt_string(&b, "bootargs", name);
	dt_end(&b);
}

static void modules_outside_ram(void **state)
{
	dt_start(&b, 0);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	dt_begin(&b, "chosen");
	add_module("module@1", "multiboot,module", 0x4ff00000, 0x200000);
	add_module("module@2", "multiboot,module", 0x80000000, 0x1000);
	add_module("module@3", "multiboot,module", 0x44000000, 0x1000);
	add_module("module@4", "something,else", 0x45000000, 0x1000);
	dt_begin(&b, "module@5");
	dt_string(&b, "compatible", "multiboot,module");
	dt_end(&b);
	dt_end(&b);
	parse_built();
	assert_log("module \"module@5\" has no `reg` that can be read: left out");
	host_log_clear();
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log("module 0 [0x4ff00000, 0x50100000) \"module@1\" is not wholly in RAM: left out");
	assert_log("module 1 [0x80000000, 0x80001000) \"module@2\" is not wholly in RAM: left out");
	assert_log_lines(2);
	assert_int_equal(bi.nr_modules, 1);
	assert_string_equal(bi.modules[0].args, "module@3");
}

/* The kernel comes first, whatever the order of the nodes; the others keep theirs. */
static void kernel_and_ramdisk_come_first(void **state)
{
	static const char ramdisk[] = "multiboot,module\0multiboot,ramdisk";
	static const char kernel[] = "multiboot,module\0multiboot,kernel";

	dt_start(&b, 0);
	dt_memory(&b, "memory@40000000", 0x40000000, 0x10000000);
	dt_begin(&b, "chosen");
	add_module("module@1", "multiboot,module", 0x44000000, 0x1000);
	dt_begin(&b, "module@2");
	dt_ok(fdt_property(b.bytes, "compatible", ramdisk, sizeof(ramdisk)));
	DT_WORDS(&b, "reg", 0, 0x45000000, 0, 0x1000);
	dt_end(&b);
	dt_begin(&b, "module@3");
	dt_ok(fdt_property(b.bytes, "compatible", kernel, sizeof(kernel)));
	DT_WORDS(&b, "reg", 0, 0x46000000, 0, 0x1000);
	dt_end(&b);
	dt_end(&b);
	parse_built();
	assert_int_equal(bi.nr_modules, 3);
	assert_int_equal(paddr_x(bi.modules[0].start), 0x46000000);
	assert_int_equal(paddr_x(bi.modules[1].start), 0x45000000);
	assert_int_equal(paddr_x(bi.modules[2].start), 0x44000000);
}

static void add_cpu(const char *name, u32 upper, u32 lower)
{
	dt_begin(&b, name);
	dt_string(&b, "device_type", "cpu");
	DT_WORDS(&b, "reg", upper, lower);
	dt_string(&b, "enable-method", "psci");
	dt_end(&b);
}

static void cpus_of_all_kinds(void **state)
{
	dt_start(&b, 0);
	dt_begin(&b, "cpus");
	DT_WORDS(&b, "#address-cells", 2);
	DT_WORDS(&b, "#size-cells", 0);
	add_cpu("cpu@0", 0, 0x10203);
	add_cpu("cpu@1", 7, 0x10203);
	add_cpu("cpu@2", 0, 0x10203);
	add_cpu("cpu@3", 0, 0x1000000);
	dt_begin(&b, "cpu@4");
	dt_string(&b, "device_type", "cpu");
	DT_WORDS(&b, "reg", 0, 4);
	dt_string(&b, "enable-method", "spin-table");
	dt_end(&b);
	dt_begin(&b, "cpu@5");
	dt_string(&b, "device_type", "cpu");
	DT_WORDS(&b, "reg", 0, 5);
	dt_string(&b, "status", "disabled");
	dt_end(&b);
	dt_end(&b);
	parse_built();
	assert_int_equal(bi.nr_cpus, 2);
	assert_int_equal(bi.cpus[0].hw_id, 0x010203);
	assert_int_equal(bi.cpus[1].hw_id, 0x07010203);
	assert_log("affinity 0x10203 is named twice");
	assert_log("\"cpu@3\" has no `reg` that is an affinity");
	assert_log("affinity 0x4 is not started by PSCI");
}

static void distances(void **state)
{
	dt_start(&b, 0);
	dt_begin(&b, "distance-map");
	DT_WORDS(&b, "distance-matrix", 0, 0, 10, 0, 2, 300, 2, 1, 25, 1, 2, 30);
	dt_end(&b);
	parse_built();
	assert_int_equal(bi.nr_slit, 3);
	assert_int_equal(bi.slit[0 * 3 + 2], 255); /* 300 is more than there are */
	assert_int_equal(bi.slit[2 * 3 + 0], 255);
	assert_int_equal(bi.slit[2 * 3 + 1], 25);
	assert_int_equal(bi.slit[1 * 3 + 2], 30);
	assert_int_equal(bi.slit[1 * 3 + 1], 10);
	assert_int_equal(bi.slit[0 * 3 + 1], 0); /* nobody says: mm/numa.c reports it */
}

static void distances_that_cannot_be(void **state)
{
	dt_start(&b, 0);
	dt_begin(&b, "distance-map");
	DT_WORDS(&b, "distance-matrix", 0, 0);
	dt_end(&b);
	parse_built();
	assert_log("not whole rows of three words: ignored");
	setup(state);
	dt_start(&b, 0);
	dt_begin(&b, "distance-map");
	DT_WORDS(&b, "distance-matrix", 0, 64, 20);
	dt_end(&b);
	parse_built();
	assert_log("names nodes from 64 on: ignored");
	assert_int_equal(bi.nr_slit, 0);
}

static void begin_bus(const char *name)
{
	dt_begin(&b, name);
	DT_WORDS(&b, "#address-cells", 1);
	DT_WORDS(&b, "#size-cells", 1);
}

static void add_gic(u32 address)
{
	dt_begin(&b, "gic");
	dt_string(&b, "compatible", "arm,gic-400");
	DT_WORDS(&b, "#interrupt-cells", 3);
	DT_WORDS(&b, "reg", address, 0x1000, address + 0x1000, 0x2000);
	dt_end(&b);
}

static void addresses_through_a_bus(void **state)
{
	dt_start(&b, 0);
	begin_bus("soc");
	DT_WORDS(&b, "ranges", 0, 0, 0x8000000, 0x10000, 0x100000, 1, 0x2000000, 0x100000);
	add_gic(0x140000);
	dt_end(&b);
	parse_built();
	assert_int_equal(paddr_x(platform.gic.distributor.start), 0x102040000);
	assert_int_equal(paddr_x(platform.gic.cpu.start), 0x102041000);
}

static void addresses_that_no_bus_maps(void **state)
{
	dt_start(&b, 0);
	begin_bus("soc");
	DT_WORDS(&b, "ranges", 0, 0, 0x8000000, 0x10000);
	add_gic(0xf800); /* begins inside and ends outside */
	dt_end(&b);
	parse_built();
	assert_log("the interrupt controller has no `reg` that can be read");
	assert_int_equal(platform.gic.version, 0);
	setup(state);
	dt_start(&b, 0);
	begin_bus("i2c"); /* without ranges: nothing of it is the CPU's */
	add_gic(0);
	dt_end(&b);
	parse_built();
	assert_log("the interrupt controller has no `reg` that can be read");
}

static void addresses_of_too_many_bits(void **state)
{
	dt_start(&b, 0);
	dt_begin(&b, "chosen");
	DT_WORDS(&b, "#address-cells", 3);
	DT_WORDS(&b, "#size-cells", 2);
	dt_begin(&b, "module@1");
	dt_string(&b, "compatible", "multiboot,module");
	DT_WORDS(&b, "reg", 1, 0, 0x44000000, 0, 0x1000);
	dt_end(&b);
	dt_end(&b);
	parse_built();
	assert_log("module \"module@1\" has no `reg` that can be read");
	assert_int_equal(bi.nr_modules, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(qemu_with_gicv2, setup),
		cmocka_unit_test_setup(qemu_with_gicv3_and_nodes, setup),
		cmocka_unit_test_setup(cut_at_every_byte, setup),
		cmocka_unit_test_setup(cut_with_a_size_that_fits, setup),
		cmocka_unit_test_setup(every_byte_wrong, setup),
		cmocka_unit_test_setup(no_tree_at_all, setup),
		cmocka_unit_test_setup(nothing_but_memory, setup),
		cmocka_unit_test_setup(no_memory, setup),
		cmocka_unit_test_setup(memory_nodes_that_overlap, setup),
		cmocka_unit_test_setup(memory_that_cannot_be, setup),
		cmocka_unit_test_setup(reserved_memory_is_taken_out, setup),
		cmocka_unit_test_setup(modules_outside_ram, setup),
		cmocka_unit_test_setup(kernel_and_ramdisk_come_first, setup),
		cmocka_unit_test_setup(cpus_of_all_kinds, setup),
		cmocka_unit_test_setup(distances, setup),
		cmocka_unit_test_setup(distances_that_cannot_be, setup),
		cmocka_unit_test_setup(addresses_through_a_bus, setup),
		cmocka_unit_test_setup(addresses_that_no_bus_maps, setup),
		cmocka_unit_test_setup(addresses_of_too_many_bits, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
