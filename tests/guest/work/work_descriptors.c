// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command-line word `descriptors`: what the hypervisor makes of descriptors a guest hands it,
 * one line a case. Each descriptor goes through update_descriptor into a slot of the GDT in use,
 * and through the validation of a whole page that becomes a GDT. The verdicts of Debian's Xen are
 * kept beside this file's folder and compared by a machine test, so a line holds nothing that
 * differs between machines: no addresses. It judges nothing itself but that it could set up a case.
 */
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tiny_work.h"
#include "tinypv.h"
#include "tinypv_gdt.h"
#include "tinypv_hypercall.h"

/* What lies in the slot beforehand, so that a refusal shows. */
#define BEFORE (DESC_DATA | DESC_DPL3)
#define SLOT 20u

struct descriptor_case {
	const char *name;
	uint64_t value;
};

/*
 * A flat segment: granularity, size and long bits with the limit's top nibble; then present, DPL, S
 * and type.
 */
#define SEGMENT(flags_and_limit, access)                                                           \
	(0xfffful | (uint64_t)(access) << 40 | (uint64_t)(flags_and_limit) << 48)
#define SYSTEM(type) (0x0000000000000067ul | (0x80ul | (type)) << 40)
#define CALL_GATE(selector, access)                                                                \
	(0x1234ul | (uint64_t)(selector) << 16 | (uint64_t)(access) << 40 | 0x0010ul << 48)

static const struct descriptor_case cases[] = {
	{ "zero", 0 },
	{ "data-rw-dpl3", SEGMENT(0xcf, 0xf3) },
	{ "data-rw-dpl2", SEGMENT(0xcf, 0xd3) },
	{ "data-rw-dpl1", SEGMENT(0xcf, 0xb3) },
	{ "data-rw-dpl0", SEGMENT(0xcf, 0x93) },
	{ "data-not-accessed", SEGMENT(0xcf, 0xf2) },
	{ "data-ro", SEGMENT(0xcf, 0xf1) },
	{ "data-ro-dpl0", SEGMENT(0xcf, 0x90) },
	{ "data-expand-down", SEGMENT(0xcf, 0xf7) },
	{ "data-expand-down-dpl0", SEGMENT(0xcf, 0x94) },
	{ "data-16-bit", SEGMENT(0x8f, 0xf3) },
	{ "data-byte-limit", SEGMENT(0x40, 0xf3) },
	{ "data-limit-0", SEGMENT(0x40, 0xf3) & ~0xfffful },
	{ "data-limit-whole-bytes", SEGMENT(0x4f, 0xf3) },
	{ "data-tls-of-glibc", 0x08dff304b060ffff },
	{ "data-tls-dpl0", 0x08df9304b060ffff },
	{ "data-base-high", SEGMENT(0xcf, 0xf3) | 0xfful << 56 },
	{ "data-available-bit", SEGMENT(0xdf, 0xf3) },
	{ "data-long", SEGMENT(0xaf, 0xf3) },
	{ "data-long-and-big", SEGMENT(0xef, 0xf3) },
	{ "code64-dpl3", SEGMENT(0xaf, 0xfb) },
	{ "code64-dpl2", SEGMENT(0xaf, 0xdb) },
	{ "code64-dpl1", SEGMENT(0xaf, 0xbb) },
	{ "code64-dpl0", SEGMENT(0xaf, 0x9b) },
	{ "code64-not-accessed", SEGMENT(0xaf, 0xfa) },
	{ "code64-execute-only", SEGMENT(0xaf, 0xf8) },
	{ "code64-limit-0", SEGMENT(0xa0, 0xfb) & ~0xfffful },
	{ "code64-and-big", SEGMENT(0xef, 0xfb) },
	{ "code64-and-big-dpl0", SEGMENT(0xef, 0x9b) },
	{ "code64-conforming-dpl3", SEGMENT(0xaf, 0xff) },
	{ "code64-conforming-dpl0", SEGMENT(0xaf, 0x9f) },
	{ "code32-dpl3", SEGMENT(0xcf, 0xfb) },
	{ "code32-dpl0", SEGMENT(0xcf, 0x9b) },
	{ "code32-byte-limit", SEGMENT(0x41, 0xfb) },
	{ "code32-conforming-dpl3", SEGMENT(0xcf, 0xff) },
	{ "code32-conforming-dpl1", SEGMENT(0xcf, 0xbe) },
	{ "code32-conforming-dpl0", SEGMENT(0xcf, 0x9e) },
	{ "code16-dpl3", SEGMENT(0x8f, 0xfb) },
	{ "code16-dpl0", SEGMENT(0x8f, 0x9a) },
	{ "code16-conforming-dpl0", SEGMENT(0x8f, 0x9f) },
	{ "not-present-data-dpl0", SEGMENT(0xcf, 0x13) },
	{ "not-present-code-dpl0", SEGMENT(0xaf, 0x1b) },
	{ "not-present-code-conforming", SEGMENT(0xaf, 0x1f) },
	{ "not-present-tss", SEGMENT(0x00, 0x09) },
	{ "not-present-call-gate", CALL_GATE(0xe008, 0x0c) },
	{ "not-present-interrupt-gate", CALL_GATE(0xe008, 0x0e) },
	{ "not-present-garbage", 0xffff7fffffffffff },
	{ "system-0-reserved", SYSTEM(0x0) },
	{ "system-0-dpl3", SYSTEM(0x60) },
	{ "system-1-tss16", SYSTEM(0x1) },
	{ "system-2-ldt", SYSTEM(0x2) },
	{ "system-2-ldt-dpl3", SYSTEM(0x62) },
	{ "system-3-tss16-busy", SYSTEM(0x3) },
	{ "system-4-call-gate16", SYSTEM(0x4) },
	{ "system-5-task-gate", SYSTEM(0x5) },
	{ "system-6-interrupt-gate16", SYSTEM(0x6) },
	{ "system-7-trap-gate16", SYSTEM(0x7) },
	{ "system-8-reserved", SYSTEM(0x8) },
	{ "system-9-tss", SYSTEM(0x9) },
	{ "system-9-tss-dpl3", SYSTEM(0x69) },
	{ "system-a-reserved", SYSTEM(0xa) },
	{ "system-b-tss-busy", SYSTEM(0xb) },
	{ "system-c-call-gate-null", SYSTEM(0xc) & ~0xfffful },
	{ "system-d-reserved", SYSTEM(0xd) },
	{ "system-e-interrupt-gate", SYSTEM(0xe) },
	{ "system-e-interrupt-gate-dpl3", SYSTEM(0x6e) },
	{ "system-f-trap-gate", SYSTEM(0xf) },
	{ "call-gate-guest-code-dpl3", CALL_GATE(0x0013, 0xec) },
	{ "call-gate-guest-code-dpl0", CALL_GATE(0x0010, 0x8c) },
	{ "call-gate-guest-code-dpl2", CALL_GATE(0x0010, 0xcc) },
	{ "call-gate-guest-ldt", CALL_GATE(0x0017, 0xec) },
	{ "call-gate-null-selector", CALL_GATE(0x0000, 0xec) },
	{ "call-gate-last-guest-entry", CALL_GATE(0xdffb, 0xec) },
	{ "call-gate-hypervisor-code", CALL_GATE(0xe008, 0xec) },
	{ "call-gate-flat-code64", CALL_GATE(0xe033, 0xec) },
	{ "call-gate-flat-code32", CALL_GATE(0xe023, 0xec) },
	{ "call-gate-hypervisor-ldt", CALL_GATE(0xe00f, 0xec) },
	{ "call-gate-hypervisor-far", CALL_GATE(0xfff8, 0xec) },
	{ "call-gate-parameters", CALL_GATE(0x0013, 0xec) | 0x1ful << 32 },
	{ "call-gate-reserved-bits", CALL_GATE(0x0013, 0xec) | 0xe0ul << 32 },
};

static unsigned int number;

static void report(const char *way, const char *name, uint64_t in, long rc, uint64_t out)
{
	printf("desc: %03u %s:%s in=%016lx rc=%ld out=%016lx\n", ++number, way, name, in, rc, out);
}

static const char *update_all(void)
{
	uint64_t address = gdt_machine_address(SLOT);
	unsigned int i;
	long rc;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rc = hv_update_descriptor(address, BEFORE);
		if (rc)
			return "update_descriptor refuses a flat data segment";
		rc = hv_update_descriptor(address, cases[i].value);
		report("update", cases[i].name, cases[i].value, rc, gdt_page()[SLOT]);
	}
	return NULL;
}

/* One page as the GDT, with `value` in entry `at`; the kernel's own table is back afterwards. */
static const char *validate(const char *name, uint64_t value, unsigned int at, unsigned int entries)
{
	uint64_t *page = page_alloc(), frame = virt_to_mfn(page).n;
	const char *failure = NULL;
	long rc;

	page[at] = value;
	if (page_set_readonly(page))
		return "cannot make a page read-only";
	rc = hv_set_gdt(&frame, entries);
	report("page", name, value, rc, page[at]);
	if (gdt_init() || page_set_writable(page))
		failure = "a page that was a GDT does not become writable again";
	page_free(page);
	return failure;
}

static const char *validate_all(void)
{
	const char *failure = NULL;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases) && !failure; i++)
		failure = validate(cases[i].name, cases[i].value, SLOT, 32);
	if (!failure)
		failure = validate("bad-first-entry", SYSTEM(0xe), 0, 32);
	if (!failure)
		failure = validate("bad-behind-the-count", SYSTEM(0xe), 100, 32);
	if (!failure)
		failure = validate("bad-last-of-page", SYSTEM(0xe), 511, 512);
	if (!failure)
		failure = validate("raised-behind-the-count", SEGMENT(0xcf, 0x93), 511, 32);
	return failure;
}

/*
 * Where a descriptor may be written at all. `at` is what the guest can see of the place, or NULL.
 */
static void update_at(const char *name, uint64_t address, const volatile uint64_t *at)
{
	long rc = hv_update_descriptor(address, SEGMENT(0xcf, 0x93));

	report("address", name, SEGMENT(0xcf, 0x93), rc, at ? *at : 0);
}

static void addresses(void)
{
	uint64_t *page = page_alloc(), slot = gdt_machine_address(SLOT);
	const uint64_t *gdt = gdt_page(), *l4 = (const uint64_t *)tiny_start_info->pt_base;
	uint64_t *behind = (uint64_t *)((char *)tiny_shared + PAGE_SIZE) - 1;

	hv_update_descriptor(slot, 0);
	hv_update_descriptor(slot + 8, 0);
	update_at("misaligned-by-1", slot + 1, &gdt[SLOT]);
	update_at("misaligned-by-4", slot + 4, &gdt[SLOT]);
	update_at("misaligned-by-7", slot + 7, &gdt[SLOT]);
	update_at("last-of-gdt-page", gdt_machine_address(511), &gdt[511]);
	update_at("entry-0", gdt_machine_address(0), &gdt[0]);
	update_at("entry-behind-the-count", gdt_machine_address(GDT_ENTRIES + 100),
		  &gdt[GDT_ENTRIES + 100]);
	update_at("plain-page", virt_to_machine(&page[9]), &page[9]);
	if (!page_set_readonly(page)) {
		update_at("plain-page-read-only", virt_to_machine(&page[10]), &page[10]);
		(void)!page_set_writable(page);
	}
	update_at("shared-info-page", tiny_start_info->shared_info + PAGE_SIZE - 8, behind);
	update_at("page-table-l4", virt_to_machine(&l4[5]), &l4[5]);
	update_at("page-table-l1", virt_to_machine(pte_of(page, 1)), NULL);
	update_at("hypervisor-table", *pte_of((const void *)TINY_M2P, 4) & PTE_FRAME, NULL);
	update_at("beyond-memory", 0x000ffffffffff000, NULL);
	update_at("beyond-addresses", 0xfffffffffffffff8, NULL);
	page_free(page);
}

static void set_gdt_as(const char *name, uint64_t frame, unsigned int entries)
{
	uint64_t frames[15];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = frame;
	report("frames", name, entries, hv_set_gdt(frames, entries), 0);
	(void)!gdt_init();
}

static void frames(void)
{
	uint64_t own = virt_to_mfn(gdt_page()).n;

	set_gdt_as("one-entry", own, 1);
	set_gdt_as("one-page", own, 512);
	set_gdt_as("same-page-twice", own, 513);
	set_gdt_as("same-page-all-entries", own, GDT_RESERVED);
	set_gdt_as("hypervisor-entry", own, GDT_RESERVED + 1);
	set_gdt_as("all-of-8192", own, 8192);
	set_gdt_as("page-table", virt_to_mfn((const void *)tiny_start_info->pt_base).n, 16);
	set_gdt_as("writable-page", virt_to_mfn((const void *)&number).n, 16);
	set_gdt_as("shared-info-page", tiny_start_info->shared_info >> PAGE_SHIFT, 16);
	set_gdt_as("hypervisor-table",
		   (*pte_of((const void *)TINY_M2P, 4) & PTE_FRAME) >> PAGE_SHIFT, 16);
	set_gdt_as("frame-beyond-memory", 0xffffffffff, 16);
	set_gdt_as("no-entries", own, 0);
}

const char *work_descriptors(const char *line)
{
	const char *failure;

	(void)line;
	if (gdt_init())
		return "no GDT";
	failure = update_all();
	if (!failure)
		failure = validate_all();
	if (!failure) {
		addresses();
		frames();
	}
	return failure;
}
