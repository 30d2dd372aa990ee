// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a domain: memory, kernel, ramdisk, device tree, and the pages of console and store. RAM is one piece from GUEST_RAM up; the tree is in the last
 * 2 MiB of what the kernel reaches early, the ramdisk ends where it begins.
 *
 * The guest starts with caches off: what is written here is written through (arm64_guest_write()).
 */
#include "guest_image.h"
#include "internal.h"
#include <asm/gic.h>
#include <asm/platform.h>
#include <tine/arch.h>
#include <tine/console.h>
#include <tine/domain.h>
#include <tine/heap.h>
#include <tine/phases.h>
#include <tine/xenstore.h>

#define TREE_ROOM MiB(2)
#define TREE_ORDER 3 /* of what it is written in: a command line and 32 CPUs fit */
#define EARLY_REACH GiB(1)
#define RAM_MAX (BIT(GUEST_SPACE_BITS) - GUEST_RAM)

struct builder {
	struct domain *d;
	struct arm64_image image;
	u64 ramdisk, ramdisk_size, tree;
};

static int lay_out(struct builder *b)
{
	struct domain *d = b->d;
	u64 bytes = d->config.memory & PAGE_MASK, top;

	if (bytes < TREE_ROOM * 2 || bytes > RAM_MAX) {
		pr_err("Domain %u: %lu KiB are no memory that a guest can have here", d->id,
		       bytes >> 10);
		return -EINVAL;
	}
	d->arch.ram_end = GUEST_RAM + bytes;
	top = (GUEST_RAM + min(bytes, EARLY_REACH)) & ~(TREE_ROOM - 1);
	b->tree = top - TREE_ROOM;
	b->ramdisk = (b->tree - min(b->ramdisk_size, b->tree)) & PAGE_MASK;
	if (b->image.end > b->ramdisk) {
		pr_err("Domain %u: kernel up to %lx and ramdisk of %lu bytes do not fit into its "
		       "%lu KiB",
		       d->id, b->image.end, b->ramdisk_size, bytes >> 10);
		return -EINVAL;
	}
	return 0;
}

/* That of each CPU is at the same place. */
int arm64_guest_map_interface(struct domain *d)
{
	const struct arm64_range *v = &arm64_platform.gic.vcpu;
	int rc = 0;

	if (gic_is_v3() ||
	    !mfn_eq(p2m_lookup(&d->arch.p2m, _gfn(GUEST_GICC >> PAGE_SHIFT), NULL, NULL),
		    INVALID_MFN))
		return 0;
	for (unsigned long i = 0; i < GUEST_GICC_SIZE >> PAGE_SHIFT && !rc; i++)
		rc = p2m_set(&d->arch.p2m, _gfn((GUEST_GICC >> PAGE_SHIFT) + i),
			     mfn_add(paddr_to_mfn(v->start), i), 0, P2M_IO);
	return rc;
}

static int get_memory(struct domain *d)
{
	unsigned long pages = (d->arch.ram_end - GUEST_RAM) >> PAGE_SHIFT;
	int rc;

	d->max_pages = pages + GUEST_PAGE_COUNT;
	rc = p2m_populate(&d->arch.p2m, _gfn(GUEST_RAM >> PAGE_SHIFT), pages);
	if (!rc)
		rc = p2m_populate(&d->arch.p2m, _gfn(GUEST_PAGES >> PAGE_SHIFT), GUEST_PAGE_COUNT);
	if (!rc)
		rc = arm64_guest_map_interface(d);
	if (rc)
		pr_err("Domain %u: no memory for its %lu KiB", d->id, pages << (PAGE_SHIFT - 10));
	return rc;
}

static int load(struct builder *b, const struct guest_image *ramdisk)
{
	int rc = 0;

	for (unsigned int i = 0; i < b->image.nr_pieces && !rc; i++)
		rc = arm64_guest_write(b->d, b->image.pieces[i].at, b->image.pieces[i].bytes.data,
				       b->image.pieces[i].bytes.size);
	phase_done("load");
	if (!rc && b->ramdisk_size)
		rc = arm64_guest_write(b->d, b->ramdisk, ramdisk->data, ramdisk->size);
	phase_done("ramdisk");
	__asm__ volatile("ic ialluis" ::: "memory");
	dsb_ish();
	return rc;
}

static int write_tree(struct builder *b)
{
	void *tree = heap_alloc_pages(TREE_ORDER, HEAP_ZERO);
	int rc;

	if (!tree)
		return -ENOMEM;
	rc = arm64_guest_tree(b->d, tree, PAGE_SIZE << TREE_ORDER, b->ramdisk, b->ramdisk_size);
	if (rc)
		pr_err("Domain %u: its device tree does not fit into %lu bytes", b->d->id,
		       PAGE_SIZE << TREE_ORDER);
	else
		rc = arm64_guest_write(b->d, b->tree, tree, PAGE_SIZE << TREE_ORDER);
	heap_free_pages(tree, TREE_ORDER);
	return rc;
}

static unsigned long page_of(enum guest_page which)
{
	return (GUEST_PAGES >> PAGE_SHIFT) + which;
}

static int connect_services(struct domain *d)
{
	u64 *params = d->arch.params;
	u32 port;
	int rc;

	if (d->config.initial) /* its console is console_io's, and a store would be its own */
		return 0;
	params[HVM_PARAM_CONSOLE_PFN] = page_of(GUEST_PAGE_CONSOLE);
	params[HVM_PARAM_STORE_PFN] = page_of(GUEST_PAGE_STORE);
	rc = xenstore_connect(d, params[HVM_PARAM_STORE_PFN], &port);
	if (rc)
		return rc;
	params[HVM_PARAM_STORE_EVTCHN] = port;
	rc = console_ring_connect(d, params[HVM_PARAM_CONSOLE_PFN], &port);
	params[HVM_PARAM_CONSOLE_EVTCHN] = port;
	return rc;
}

int arch_domain_build(struct domain *d, const struct guest_image *kernel,
		      const struct guest_image *ramdisk)
{
	struct builder b = { .d = d, .ramdisk_size = ramdisk ? ramdisk->size : 0 };
	int rc = arm64_image_parse(span_of(kernel->data, kernel->size), GUEST_RAM, &b.image);

	if (!rc)
		rc = lay_out(&b);
	phase_done("layout");
	if (!rc)
		rc = get_memory(d);
	phase_done("frames");
	if (!rc)
		rc = load(&b, ramdisk);
	if (!rc)
		rc = write_tree(&b);
	if (!rc)
		rc = connect_services(d);
	if (rc)
		return rc;
	arm64_vcpu_reset(d->vcpus[0], b.image.entry, b.tree);
	pr_info("Domain %u: %s %lx-%lx, entry %lx, ramdisk of %lu bytes at %lx, device tree at %lx",
		d->id, b.image.kind, b.image.start, b.image.end, b.image.entry, b.ramdisk_size,
		b.ramdisk, b.tree);
	return 0;
}
