// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a PV domain from a kernel and a ramdisk in memory: frames, contents, initial page tables, start_info, and the registers of
 * vCPU 0, as the ABI has it (public/xen.h, "start-of-day memory layout"). The page tables are written as a guest would
 * write them and then pinned, so they pass the same validation as any.
 */
#include "frames.h"
#include "internal.h"
#include "layout.h"
#include <asm/segment.h>
#include <tine/arch.h>
#include <tine/cmdline.h>
#include <tine/console.h>
#include <tine/heap.h>
#include <tine/phases.h>
#include <tine/printk.h>
#include <tine/string.h>
#include <tine/xenstore.h>

_Static_assert(GUEST_HIGH_START == HYPERVISOR_VIRT_END, "layout.h has no hypervisor in it");

#define EFLAGS_START 0x202UL
#define HYPERCALL_SLOT 32
#define HYPERCALL_SLOTS (PAGE_SIZE / HYPERCALL_SLOT)

struct builder {
	struct domain *d;
	struct pv_image image;
	struct pv_layout l;
	struct pv_frames frames;
};

static u64 physical(const struct builder *b, u64 va)
{
	return va - b->l.base;
}

static void *frame_at(struct builder *b, u64 va)
{
	return mfn_to_virt(pv_frame(&b->frames, physical(b, va) >> PAGE_SHIFT));
}

static void load_kernel(struct builder *b)
{
	unsigned int i;

	for (i = 0; i < b->image.nr_segments; i++) {
		const struct pv_segment *s = &b->image.segments[i];

		pv_frames_write(&b->frames, physical(b, s->va), b->image.file.data + s->offset,
				s->filesz);
		pv_frames_write(&b->frames, physical(b, s->va) + s->filesz, NULL,
				s->memsz - s->filesz);
	}
}

/* Stubs that a kernel may call instead of having SYSCALL of its own. Slot 23 (iret) is jumped to and does not come back. */
static void fill_hypercall_page(struct builder *b)
{
	static const u8 call[] = { 0x51, 0x41, 0x53, 0xb8, 0,    0,    0,
				   0,    0x0f, 0x05, 0x41, 0x5b, 0x59, 0xc3 };
	static const u8 iret[] = { 0x51, 0x41, 0x53, 0x50, 0xb8, __HYPERVISOR_iret,
				   0,    0,    0,    0x0f, 0x05 };
	u64 va = b->image.notes.hypercall_page;
	u8 *page;
	unsigned int i;

	if (!b->image.notes.has_hypercall_page)
		return;
	page = frame_at(b, va);
	memset(page, 0xcc, PAGE_SIZE);
	for (i = 0; i < HYPERCALL_SLOTS; i++) {
		u8 *slot = page + i * HYPERCALL_SLOT;

		if (i == __HYPERVISOR_iret) {
			memcpy(slot, iret, sizeof(iret));
			continue;
		}
		memcpy(slot, call, sizeof(call));
		slot[4] = (u8)i;
	}
}

/* A zeroed ring page for a service of the hypervisor's. */
static int connect_ring(struct builder *b, u64 va,
			int (*connect)(struct domain *, unsigned long, u32 *), unsigned long *mfn,
			u32 *port)
{
	pv_frames_write(&b->frames, physical(b, va), NULL, PAGE_SIZE);
	*mfn = mfn_x(pv_frame(&b->frames, physical(b, va) >> PAGE_SHIFT));
	return connect(b->d, *mfn, port);
}

/* What the control domain is for others: whoever has none gets its console and store from the hypervisor. */
static int connect_services(struct builder *b)
{
	start_info_t *si = frame_at(b, b->l.start_info);

	int rc;

	if (!b->l.console)
		return 0;
	rc = connect_ring(b, b->l.store, xenstore_connect, &si->store_mfn, &si->store_evtchn);
	if (rc)
		return rc;
	return connect_ring(b, b->l.console, console_ring_connect, &si->console.domU.mfn,
			    &si->console.domU.evtchn);
}

static void fill_start_info(struct builder *b)
{
	start_info_t *si = frame_at(b, b->l.start_info);
	const struct domain_config *config = &b->d->config;

	memset(si, 0, PAGE_SIZE);
	str_copy(si->magic, "xen-3.0-x86_64", sizeof(si->magic));
	si->nr_pages = b->l.nr_pages;
	si->shared_info = paddr_x(virt_to_paddr(b->d->shared_info));
	si->flags = config->initial ? SIF_PRIVILEGED | SIF_INITDOMAIN : 0;
	si->pt_base = b->l.tables;
	si->nr_pt_frames = b->l.nr_tables;
	si->mfn_list = b->l.p2m;
	si->mod_start = b->l.ramdisk;
	si->mod_len = b->l.ramdisk_size;
	if (b->l.ramdisk_size && !b->l.ramdisk) {
		si->flags |= SIF_MOD_START_PFN;
		si->mod_start = b->l.ramdisk_at >> PAGE_SHIFT;
	}
	si->nr_p2m_frames = pv_layout_p2m_frames(&b->l);
	if (si->nr_p2m_frames)
		si->first_p2m_pfn = b->l.p2m_at >> PAGE_SHIFT;
	str_copy((char *)si->cmd_line, config->cmdline, sizeof(si->cmd_line));
}

/* The pin is the guest's to give up; the other reference is vCPU 0's. */
static int take_tables(struct builder *b)
{
	struct vcpu *v = b->d->vcpus[0];
	mfn_t top = pv_frame(&b->frames, physical(b, b->l.tables) >> PAGE_SHIFT);
	int rc;

	do
		rc = pv_page_get_type(b->d, top, PV_TYPE_L4);
	while (rc == -ERESTART); /* nobody else can take it up later */
	if (rc)
		return rc;
	v->arch.pv.kernel_table = top;
	return pv_pin(b->d, top, PV_TYPE_L4);
}

static void set_registers(struct builder *b)
{
	struct vcpu *v = b->d->vcpus[0];

	v->arch.regs = (struct cpu_regs){
		.rip = b->image.entry,
		.rsp = b->l.stack_top,
		.rsi = b->l.start_info,
		.rflags = EFLAGS_START,
		.cs = SEL_GUEST_CS64,
		.ss = SEL_GUEST_DS,
	};
	v->arch.pv.kernel_mode = true;
}

static void log_layout(const struct builder *b)
{
	const struct pv_layout *l = &b->l;

	pr_info("Domain %u: %lu MiB; kernel %lx-%lx, entry %lx\n", b->d->id,
		(unsigned long)l->nr_pages >> (20 - PAGE_SHIFT), (unsigned long)b->image.start,
		(unsigned long)b->image.end, (unsigned long)b->image.entry);
	if (l->ramdisk_size)
		pr_info("Domain %u: ramdisk of %lu bytes at %s%lx\n", b->d->id,
			(unsigned long)l->ramdisk_size, l->ramdisk ? "" : "its physical ",
			(unsigned long)(l->ramdisk ? l->ramdisk : l->ramdisk_at));
	pr_info("Domain %u: frame list %lx, start info %lx, %lu page tables %lx, stack to %lx, "
		"mapped to %lx\n",
		b->d->id, (unsigned long)l->p2m, (unsigned long)l->start_info,
		(unsigned long)l->nr_tables, (unsigned long)l->tables, (unsigned long)l->stack_top,
		(unsigned long)l->end);
}

static int hypercall_page_ok(const struct builder *b)
{
	u64 va = b->image.notes.hypercall_page;

	if (!b->image.notes.has_hypercall_page ||
	    (IS_ALIGNED(va, PAGE_SIZE) && va >= b->l.base && va < b->l.kernel_end))
		return 0;
	pr_err("Kernel: hypercall page %lx is not a page of it\n", (unsigned long)va);
	return -EINVAL;
}

static int fill(struct builder *b, const struct guest_image *ramdisk)
{
	int rc;

	load_kernel(b);
	fill_hypercall_page(b);
	phase_done("load");
	if (b->l.ramdisk_size)
		pv_frames_write(&b->frames, b->l.ramdisk_at, ramdisk->data, ramdisk->size);
	phase_done("ramdisk");
	pv_frames_list(&b->frames, b->l.p2m_at);
	phase_done("frame-list");
	fill_start_info(b);
	rc = connect_services(b);
	if (rc)
		return rc;
	pv_initial_tables(&b->l, &b->frames);
	set_registers(b);
	rc = take_tables(b);
	phase_done("page-tables");
	return rc;
}

int pv_domain_build(struct domain *d, const struct guest_image *kernel,
		    const struct guest_image *ramdisk)
{
	struct builder b = { .d = d };
	unsigned long nr_pages = d->config.memory >> PAGE_SHIFT;
	int rc = pv_image_parse(span_of(kernel->data, kernel->size), &b.image);

	if (!rc)
		rc = pv_layout_make(&b.l, &b.image, ramdisk ? ramdisk->size : 0, nr_pages,
				    !d->config.initial);
	if (!rc)
		rc = hypercall_page_ok(&b);
	if (rc)
		return rc;
	log_layout(&b);
	d->max_pages = nr_pages;
	phase_done("layout");
	rc = pv_frames_allocate(&b.frames, d, nr_pages);
	if (rc)
		pr_err("Domain %u: no memory for its %lu KiB\n", d->id,
		       nr_pages << (PAGE_SHIFT - 10));
	phase_done("frames");
	if (!rc)
		rc = fill(&b, ramdisk);
	pv_frames_forget(&b.frames);
	return rc;
}
