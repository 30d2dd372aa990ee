// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which domains the machine starts with. With no module named *.cfg, the first module is the
 * initial domain's kernel and the second its ramdisk, as on Xen; with such modules each describes
 * one domain, and names its kernel and ramdisk among the others. A module's name is the first word
 * of its arguments.
 *
 * What was built is remembered, so that a domain that is to restart can be built again from its
 * modules, which stay as they are. Start of day, later the softirq that ends domains: CPU 0 only,
 * no lock.
 */
#include <asm/abi.h>
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/phases.h>
#include <tine/printk.h>
#include <tine/string.h>
#include "internal.h"
#include "unpack.h"

/*
 * An initial domain that no option sizes gets what is free less a reserve, but building touches
 * every frame: there is a cap.
 */
#define RESERVE_SHARE 16     /* one part in so many of what is free ... */
#define RESERVE_MAX MiB(128) /* ... but no more than this */
#define UNASKED_MAX GiB(4)

static struct domain_spec *specs[BOOT_MAX_MODULES]; /* that were built, by order of the modules */
static unsigned int nr_specs;

/* ---- Options of the initial domain ---- */

static unsigned long dom0_mem; /* bytes, 0: what is free */
static unsigned int dom0_max_vcpus;
CMDLINE_UINT_OPTION("dom0_max_vcpus", dom0_max_vcpus, dom0_max_vcpus);

/*
 * SIZE, and Xen's min:SIZE and max:SIZE, with commas between. The domain gets SIZE, or else the
 * minimum, or the maximum.
 */
static int parse_dom0_mem(const char *value)
{
	unsigned long plain = 0, low = 0, high = 0;

	for (;;) {
		unsigned long *field = &plain;

		if (!strncmp(value, "min:", 4))
			field = &low;
		else if (!strncmp(value, "max:", 4))
			field = &high;
		if (field != &plain)
			value += 4;
		if (str_to_size(&value, KiB(1), field))
			return -EINVAL;
		if (*value == '\0')
			break;
		if (*value++ != ',')
			return -EINVAL;
	}
	dom0_mem = plain ? plain : low ? low : high;
	return dom0_mem ? 0 : -EINVAL;
}
CMDLINE_CUSTOM_OPTION("dom0_mem", dom0_mem, parse_dom0_mem);

/* ---- Modules ---- */

static size_t name_length(const struct boot_module *m)
{
	const char *space = strchr(m->args, ' ');

	return space ? (size_t)(space - m->args) : strlen(m->args);
}

static bool is_config(const struct boot_module *m)
{
	size_t len = name_length(m);

	return len > 4 && !strncmp(&m->args[len - 4], ".cfg", 4);
}

static const char *last_part(const char *name, const char *end)
{
	while (end > name && end[-1] != '/')
		end--;
	return end;
}

/* By the whole name, or by what follows the last slash in both. */
static const struct boot_module *find_module(const struct boot_info *bi, const char *name)
{
	const char *base = last_part(name, name + strlen(name));

	for (unsigned int i = 0; i < bi->nr_modules; i++) {
		const struct boot_module *m = &bi->modules[i];
		const char *end = m->args + name_length(m);
		const char *part = last_part(m->args, end);

		if (strlen(base) == (size_t)(end - part) &&
		    !strncmp(base, part, (size_t)(end - part)))
			return m;
	}
	return NULL;
}

static struct guest_image contents(const struct boot_module *m)
{
	return (struct guest_image){
		.data = paddr_to_virt(m->start),
		.size = paddr_x(m->end) - paddr_x(m->start),
	};
}

/* ---- Building ---- */

#define INITIAL_KERNEL                                                                             \
	"Module 1 (kernel)" /* modules that are not named by a configuration have no names */

static const struct boot_module *initial_ramdisk(void)
{
	return boot_info.nr_modules > 1 ? &boot_info.modules[1] : NULL;
}

static int open_kernel(const char *name, const struct boot_module *m, struct kernel_image *image)
{
	struct guest_image module = contents(m);
	int ret;

	phase_done("configure");
	ret = kernel_image_open(name, span_of(module.data, module.size), image);
	phase_done("unpack");
	return ret;
}

static int build_from(const struct domain_spec *spec, const struct guest_image *kernel,
		      const struct boot_module *ramdisk)
{
	struct guest_image ramdisk_image = { NULL, 0 };
	struct domain *d = domain_create(&spec->config);
	int ret;

	if (!d)
		return -ENOMEM;
	phase_done("create");
	if (ramdisk)
		ramdisk_image = contents(ramdisk);
	ret = arch_domain_build(d, kernel, ramdisk ? &ramdisk_image : NULL);
	if (ret) {
		pr_err("Domain %u \"%s\" was not built\n", d->id, d->config.name);
		domain_destroy(d);
		return ret;
	}
	pr_info("Domain %u \"%s\": %lu MiB, %u vCPU%s\n", d->id, d->config.name,
		d->nr_pages >> (20 - PAGE_SHIFT), d->nr_vcpus, d->nr_vcpus == 1 ? "" : "s");
	domain_unpause(d);
	return 0;
}

/* The kernel is unpacked for as long as the building takes. */
static int build(const struct domain_spec *spec, const char *name, const struct boot_module *kernel,
		 const struct boot_module *ramdisk)
{
	struct kernel_image image;
	int ret = open_kernel(name, kernel, &image);

	if (ret)
		return ret;
	ret = build_from(spec, &image.contents, ramdisk);
	kernel_image_close(&image);
	return ret;
}

static int build_spec(const struct domain_spec *spec)
{
	const struct boot_module *kernel, *ramdisk = NULL;

	if (spec->config.initial && !spec->kernel[0])
		return build(spec, INITIAL_KERNEL, &boot_info.modules[0], initial_ramdisk());
	kernel = find_module(&boot_info, spec->kernel);
	if (!kernel) {
		pr_err("Domain \"%s\": there is no module \"%s\" for its kernel\n",
		       spec->config.name, spec->kernel);
		return -ENOENT;
	}
	if (spec->ramdisk[0]) {
		ramdisk = find_module(&boot_info, spec->ramdisk);
		if (!ramdisk) {
			pr_err("Domain \"%s\": there is no module \"%s\" for its ramdisk\n",
			       spec->config.name, spec->ramdisk);
			return -ENOENT;
		}
	}
	return build(spec, spec->kernel, kernel, ramdisk);
}

static int rebuild(const struct domain_config *config)
{
	for (unsigned int i = 0; i < nr_specs; i++) {
		if (!strcmp(specs[i]->config.name, config->name))
			return build_spec(specs[i]);
	}
	pr_err("Domain \"%s\" cannot restart: it is not from a boot module\n", config->name);
	return -ENOENT;
}

/* ---- What the modules say ---- */

static struct domain_spec *new_spec(void)
{
	struct domain_spec *spec = kzalloc(sizeof(*spec));

	if (spec)
		specs[nr_specs++] = spec;
	else
		pr_err("No memory for a domain's configuration\n");
	return spec;
}

static unsigned long unasked_memory(void)
{
	unsigned long bytes = heap_free_total() << PAGE_SHIFT;
	unsigned long reserve = min(bytes / RESERVE_SHARE, RESERVE_MAX);

	return min(bytes - reserve, UNASKED_MAX);
}

static void describe_initial(const struct boot_info *bi, struct domain_spec *spec)
{
	struct domain_config *config = &spec->config;

	(void)str_copy(config->name, "Domain-0", sizeof(config->name));
	config->type = ABI_USUAL_TYPE;
	config->initial = true;
	config->memory = dom0_mem ? dom0_mem : unasked_memory();
	config->vcpus = dom0_max_vcpus ? dom0_max_vcpus
				       : (unsigned int)bitmap_count(cpu_online_map.bits, MAX_CPUS);
	config->vcpus = min(config->vcpus, (unsigned int)MAX_VCPUS);
	config->on_reboot = ACTION_RESTART;
	(void)str_copy(config->cmdline, bi->modules[0].args, sizeof(config->cmdline));
	for (unsigned int i = 2; i < bi->nr_modules; i++)
		pr_warn("Module %u \"%s\" has no use: ignored\n", i, bi->modules[i].args);
}

static int start_initial(const struct boot_info *bi)
{
	struct domain_spec *spec = new_spec();
	struct kernel_image kernel;
	int ret;

	if (!spec)
		return -ENOMEM;
	/* Before the domain gets all that is free. */
	ret = open_kernel(INITIAL_KERNEL, &bi->modules[0], &kernel);
	if (ret)
		return ret;
	describe_initial(bi, spec);
	/* As on Xen: it gets memory as firmware left it, unless bootscrub=on came before. */
	spec->config.memory_as_found = true;
	ret = build_from(spec, &kernel.contents, initial_ramdisk());
	spec->config.memory_as_found = false; /* others may have run when it restarts */
	kernel_image_close(&kernel);
	return ret;
}

/* The name is how a domain that restarts finds its configuration. */
static int check_name(const char *file, const struct domain_spec *spec)
{
	for (unsigned int i = 0; specs[i] != spec; i++) {
		if (!strcmp(specs[i]->config.name, spec->config.name)) {
			pr_err("%s: there is a domain \"%s\" already\n", file, spec->config.name);
			return -EEXIST;
		}
	}
	return 0;
}

static int start_configured(const struct boot_module *m)
{
	char file[64];
	size_t len = min(name_length(m) + 1, sizeof(file));
	struct guest_image text = contents(m);
	struct domain_spec *spec = new_spec();
	int ret;

	if (!spec)
		return -ENOMEM;
	(void)str_copy(file, m->args, len);
	ret = config_parse(file, text.data, text.size, spec);
	if (!ret)
		ret = check_name(file, spec);
	if (!ret && spec->config.initial && spec->config.type != ABI_USUAL_TYPE) {
		pr_err("%s: only a %s domain can be the initial one\n", file,
		       ABI_USUAL_TYPE == DOMAIN_PV ? "pv" : "pvh");
		ret = -EINVAL;
	}
	return ret ? ret : build_spec(spec);
}

void boot_domains(const struct boot_info *bi)
{
	unsigned int configs = 0, failed = 0;

	domain_set_rebuilder(rebuild);
	for (unsigned int i = 0; i < bi->nr_modules; i++) {
		if (is_config(&bi->modules[i])) {
			configs++;
			failed += start_configured(&bi->modules[i]) != 0;
		}
	}
	if (!bi->nr_modules) {
		pr_err("No boot module: there is no domain to start\n");
		failed++;
	} else if (!configs) {
		failed += start_initial(bi) != 0;
	}
	domain_boot_done(failed == 0);
}
