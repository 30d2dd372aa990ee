// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a PVH domain: memory, kernel at its physical addresses, ramdisk, and the pages that the boot protocol and the services need
 * (public/arch-x86/hvm/start_info.h; ABI page 7.1).
 *
 * RAM begins at 0 and leaves out what lies below 4 GiB from 3.75 GiB on, as on PCs. At the top of the RAM below are the builder's own pages,
 * which the memory map calls reserved: start information, ACPI tables, and the rings of console and store. The ramdisk ends where they begin.
 */
#include "internal.h"
#include <asm/guest_acpi.h>
#include <tine/arch.h>
#include <tine/console.h>
#include <tine/heap.h>
#include <tine/phases.h>
#include <tine/string.h>
#include <tine/xenstore.h>
#include <xen/arch-x86/hvm/start_info.h>
#include "../pv/image.h"

#define LOW_RAM_MAX 0xf0000000UL
#define LEGACY_END MiB(1)

enum own_page { PAGE_START_INFO, PAGE_ACPI, PAGE_CONSOLE, PAGE_STORE, OWN_PAGES };

/* The page of start information holds this, and behind it the command line. */
struct start_page {
	struct hvm_start_info info;
	struct hvm_modlist_entry ramdisk;
	struct hvm_memmap_table_entry map[PVH_MEMORY_REGIONS];
	char cmdline[sizeof(((struct domain_config *)0)->cmdline)];
};
_Static_assert(sizeof(struct start_page) <= PAGE_SIZE, "one page");

struct builder {
	struct domain *d;
	struct pv_image image;
	u64 ramdisk, ramdisk_size;
};

static u64 own_page(const struct builder *b, enum own_page which)
{
	return b->d->arch.svm.low_end + which * PAGE_SIZE;
}

static int lay_out(struct builder *b)
{
	struct svm_domain *svm = &b->d->arch.svm;
	u64 bytes = b->d->config.memory & PAGE_MASK;

	svm->low_top = min(bytes, LOW_RAM_MAX);
	svm->low_end = svm->low_top - OWN_PAGES * PAGE_SIZE;
	svm->high_end = bytes > svm->low_top ? GiB(4) + bytes - svm->low_top : 0;
	b->ramdisk = (svm->low_end - min(b->ramdisk_size, (u64)svm->low_end)) & PAGE_MASK;
	if (bytes <= LEGACY_END || b->image.end > b->ramdisk) {
		pr_err("Domain %u: kernel up to %lx and ramdisk of %lu bytes do not fit into its "
		       "%lu KiB\n",
		       b->d->id, (unsigned long)b->image.end, (unsigned long)b->ramdisk_size,
		       (unsigned long)bytes >> 10);
		return -EINVAL;
	}
	return 0;
}

static int get_memory(struct domain *d)
{
	struct svm_domain *svm = &d->arch.svm;
	int rc;

	d->max_pages = d->config.memory >> PAGE_SHIFT;
	rc = p2m_populate(&svm->p2m, _gfn(0), svm->low_top >> PAGE_SHIFT);
	if (!rc && svm->high_end)
		rc = p2m_populate(&svm->p2m, _gfn(GiB(4) >> PAGE_SHIFT),
				  (svm->high_end - GiB(4)) >> PAGE_SHIFT);
	if (rc)
		pr_err("Domain %u: no memory for its %lu KiB\n", d->id,
		       d->max_pages << (PAGE_SHIFT - 10));
	return rc;
}

/* What is beyond a segment's contents is zero, as its frames are. */
static int load(struct builder *b, const struct guest_image *ramdisk)
{
	int rc = 0;

	for (unsigned int i = 0; i < b->image.nr_segments && !rc; i++) {
		const struct pv_segment *s = &b->image.segments[i];

		rc = translated_write(b->d, s->va, b->image.file.data + s->offset, s->filesz);
	}
	phase_done("load");
	if (!rc && b->ramdisk_size)
		rc = translated_write(b->d, b->ramdisk, ramdisk->data, ramdisk->size);
	phase_done("ramdisk");
	return rc;
}

static int write_start_info(struct builder *b, u64 rsdp)
{
	static const u8 types[] = {
		[MEM_RAM] = XEN_HVM_MEMMAP_TYPE_RAM,
		[MEM_RESERVED] = XEN_HVM_MEMMAP_TYPE_RESERVED,
	};
	struct mem_region map[PVH_MEMORY_REGIONS];
	unsigned int n = svm_memory_map(b->d, map, PVH_MEMORY_REGIONS);
	u64 at = own_page(b, PAGE_START_INFO);
	struct start_page *page = heap_alloc_pages(0, HEAP_ZERO);
	int rc;

	if (!page)
		return -ENOMEM;
	page->info = (struct hvm_start_info){
		.magic = XEN_HVM_START_MAGIC_VALUE,
		.version = 1,
		.nr_modules = b->ramdisk_size != 0,
		.modlist_paddr = at + offsetof(struct start_page, ramdisk),
		.cmdline_paddr = at + offsetof(struct start_page, cmdline),
		.rsdp_paddr = rsdp,
		.memmap_paddr = at + offsetof(struct start_page, map),
		.memmap_entries = n,
	};
	page->ramdisk = (struct hvm_modlist_entry){ .paddr = b->ramdisk, .size = b->ramdisk_size };
	for (unsigned int i = 0; i < n; i++)
		page->map[i] = (struct hvm_memmap_table_entry){
			.addr = paddr_x(map[i].start),
			.size = paddr_x(map[i].end) - paddr_x(map[i].start),
			.type = types[map[i].type],
		};
	(void)str_copy(page->cmdline, b->d->config.cmdline, sizeof(page->cmdline));
	rc = translated_write(b->d, at, page, PAGE_SIZE);
	heap_free_pages(page, 0);
	return rc;
}

static int write_tables(struct builder *b, u64 *rsdp)
{
	const struct guest_acpi guest = {
		.nr_vcpus = b->d->nr_vcpus,
		.apic_id_step = PVH_APIC_ID_STEP,
		.reset_port = PVH_RESET_PORT,
		.reset_value = PVH_RESET_VALUE,
		.sleep_port = PVH_SLEEP_PORT,
	};
	void *page = heap_alloc_pages(0, HEAP_DIRTY_OK);
	u64 at = own_page(b, PAGE_ACPI);
	int rc;

	if (!page)
		return -ENOMEM;
	*rsdp = guest_acpi_write(&guest, page, at);
	rc = translated_write(b->d, at, page, PAGE_SIZE);
	heap_free_pages(page, 0);
	return rc;
}

static int connect_services(struct builder *b)
{
	u64 *params = b->d->arch.svm.params;
	u32 port;
	int rc;

	params[HVM_PARAM_CONSOLE_PFN] = own_page(b, PAGE_CONSOLE) >> PAGE_SHIFT;
	params[HVM_PARAM_STORE_PFN] = own_page(b, PAGE_STORE) >> PAGE_SHIFT;
	rc = xenstore_connect(b->d, params[HVM_PARAM_STORE_PFN], &port);
	if (rc)
		return rc;
	params[HVM_PARAM_STORE_EVTCHN] = port;
	rc = console_ring_connect(b->d, params[HVM_PARAM_CONSOLE_PFN], &port);
	params[HVM_PARAM_CONSOLE_EVTCHN] = port;
	return rc;
}

static int fill(struct builder *b, const struct guest_image *ramdisk)
{
	u64 rsdp = 0;
	int rc = load(b, ramdisk);

	if (!rc)
		rc = write_tables(b, &rsdp);
	if (!rc)
		rc = write_start_info(b, rsdp);
	if (!rc)
		rc = connect_services(b);
	if (!rc)
		svm_state_start(b->d->vcpus[0], b->image.entry, own_page(b, PAGE_START_INFO));
	return rc;
}

int svm_domain_build(struct domain *d, const struct guest_image *kernel,
		     const struct guest_image *ramdisk)
{
	struct builder b = { .d = d, .ramdisk_size = ramdisk ? ramdisk->size : 0 };
	int rc = pvh_image_parse(span_of(kernel->data, kernel->size), &b.image);

	if (!rc)
		rc = lay_out(&b);
	phase_done("layout");
	if (!rc)
		rc = get_memory(d);
	phase_done("frames");
	if (rc)
		return rc;
	pr_info("Domain %u: PVH, %lu MiB; kernel %lx-%lx, entry %lx, ramdisk of %lu bytes at %lx\n",
		d->id, d->max_pages >> (20 - PAGE_SHIFT), (unsigned long)b.image.start,
		(unsigned long)b.image.end, (unsigned long)b.image.entry,
		(unsigned long)b.ramdisk_size, (unsigned long)b.ramdisk);
	return fill(&b, ramdisk);
}
